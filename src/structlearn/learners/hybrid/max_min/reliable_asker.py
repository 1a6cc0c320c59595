"""Tests that are left out where the rows are too few for the cells of a table."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker
from structlearn.independence.protocol import Questions
from structlearn.rounding import ENOUGH

Reliability = Literal["skip", "independent", "none"]


@dataclass(frozen=True, slots=True)
class Associations:
    """The answers to the questions that were asked.

    A smaller `log_p` is a stronger association and, where that is a tie, a larger `statistic`, which is 0
    for tests without one.
    """

    questions: Questions
    p_value: NDArray[np.float64]
    log_p: NDArray[np.float64]
    statistic: NDArray[np.float64]


class ReliableAsker:
    """Asks a test only what it has rows enough for.

    Parameters
    ----------
    asker : Asker
        What answers. Where it asks the truth and not data, no rows are needed.
    reliability : {"skip", "independent", "none"}
        What becomes of a question with fewer rows: it is not asked, it is answered with a p-value of 1, or
        it is asked all the same.
    min_rows_per_cell : float
        How many rows are needed for each joint state of a question's columns.
    """

    def __init__(self, asker: Asker, *, reliability: Reliability, min_rows_per_cell: float) -> None:
        self._asker = asker
        self._reliability = reliability
        self._log_levels: NDArray[np.float64] | None = None
        statistics = asker.statistics
        if statistics is not None and reliability != "none":
            self._log_levels = np.log(np.maximum(statistics.levels, 1))
            self._most_log_cells = float(np.log(statistics.size / min_rows_per_cell)) + ENOUGH
        self.n_skipped = 0

    @property
    def alpha(self) -> float:
        """Independent means a p-value above this level."""
        return self._asker.alpha

    @property
    def n_tests(self) -> int:
        """How many tests were made."""
        return self._asker.n_tests

    def must_stop(self) -> bool:
        """Whether to end early."""
        return self._asker.must_stop()

    def ask(self, questions: Questions) -> Associations:
        """Answer questions with the same number of conditions, as far as they are reliable."""
        is_enough = self._has_rows_enough(questions)
        if is_enough.all():
            return self._asked(questions)
        self.n_skipped += int((~is_enough).sum())
        asked = self._asked(questions[is_enough])
        if self._reliability == "skip":
            return asked
        return _merged(questions, is_enough, asked)

    def _asked(self, questions: Questions) -> Associations:
        if not len(questions):
            return Associations(questions, *np.zeros((3, 0)))
        answers = self._asker.ask(questions)
        statistic = np.nan_to_num(np.abs(answers.statistic))
        found = Associations(questions, answers.p_value, answers.log_p, statistic)
        if self._reliability != "skip" or answers.is_reliable.all():
            return found
        # The test has a rule of its own for what it can tell.
        kept = answers.is_reliable
        self.n_skipped += int((~kept).sum())
        return Associations(questions[kept], found.p_value[kept], found.log_p[kept], found.statistic[kept])

    def _has_rows_enough(self, questions: Questions) -> NDArray[np.bool_]:
        if self._log_levels is None:
            return np.ones(len(questions), dtype=np.bool_)
        is_enough: NDArray[np.bool_] = self._log_levels[questions].sum(axis=1) <= self._most_log_cells
        return is_enough


def _merged(questions: Questions, is_asked: NDArray[np.bool_], asked: Associations) -> Associations:
    """The answers, with a p-value of 1 for what was not asked."""
    p_value, log_p, statistic = np.ones(len(questions)), np.zeros(len(questions)), np.zeros(len(questions))
    p_value[is_asked], log_p[is_asked], statistic[is_asked] = asked.p_value, asked.log_p, asked.statistic
    return Associations(questions, p_value, log_p, statistic)

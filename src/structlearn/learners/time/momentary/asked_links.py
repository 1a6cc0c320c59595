"""Tests of links in time, with any number of conditions, as time allows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker
from structlearn.statistics.lagged import LaggedTable

Lag = tuple[int, int]  # a variable, and how many steps ago
Link = tuple[int, int, int]  # a variable, how many steps ago, and the variable now that it acts on
Floats = NDArray[np.float64]
Places = NDArray[np.int64]
MOST_COMPARED = 1 << 22  # conditions of links with those of their sources, at once: 4 MiB


@dataclass(frozen=True, slots=True)
class LinkTests:
    """Asks about links of a lagged table; time may leave some unasked."""

    table: LaggedTable
    asker: Asker

    def ask(self, questions: Places) -> tuple[Floats, Floats]:
        """The p-value of each question, and minus its logarithm: how strong the link is.

        A question is a row of columns, two ends and their conditions, with -1 in places that are not used.
        Both are NaN where time is up before it.
        """
        p_value, strength = np.full(len(questions), np.nan), np.full(len(questions), np.nan)
        is_used = questions >= 0
        sizes = is_used.sum(axis=1)
        for size in np.unique(sizes):
            rows = np.flatnonzero(sizes == size)
            packed = questions[rows][is_used[rows]].reshape(len(rows), size)
            start = 0
            while start < len(rows) and not self.asker.must_stop():
                some = slice(start, start + self.asker.pace.n_at_once)
                answers = self.asker.ask(packed[some])
                p_value[rows[some]], strength[rows[some]] = answers.p_value, -answers.log_p
                start = some.stop
        return p_value, strength


@dataclass(frozen=True, slots=True)
class LaggedParents:
    """The candidates for the parents of each variable: columns of the lagged table, the strongest first.

    A row of `columns` ends with -1 where a variable has fewer than another. `is_context` says which
    variables are at every step what they are at one.
    """

    columns: Places
    is_context: NDArray[np.bool_]

    @classmethod
    def of(cls, found: Sequence[Iterable[int]], is_context: NDArray[np.bool_]) -> "LaggedParents":
        """From a list for each variable."""
        rows = [list(each) for each in found]
        width = max(map(len, rows), default=0)
        padded = np.full((len(rows), width), -1, dtype=np.int64)
        for row, columns in zip(padded, rows, strict=True):
            row[: len(columns)] = columns
        return cls(padded, is_context)

    def of_variable(self, variable: int) -> list[int]:
        """Those of one variable."""
        return [column for column in self.columns[variable].tolist() if column >= 0]

    def questions(self, links: Places, *, most_of_source: int | None = None) -> Places:
        """Each link, a row (source, lag, target), given the parents of both of its ends but for itself.

        Of the source only the strongest few. The columns of a lag stand as many behind those of the lag
        before as there are variables.
        """
        n, (source, lag, target) = len(self.columns), links.T
        past = lag * n + source
        of_target = self.columns[target]
        of_target = np.where(of_target == past[:, None], -1, of_target)
        of_source = self.columns[source][:, :most_of_source]
        shift = np.where(self.is_context[of_source % n], 0, (lag * n)[:, None])
        of_source = np.where(of_source >= 0, of_source + shift, -1)
        is_twice = (of_source[:, :, None] == of_target[:, None, :]).any(axis=2)
        return np.column_stack([past, target, of_target, np.where(is_twice, -1, of_source)])

    def in_blocks(self, links: Places, **options: Any) -> Iterator[tuple[slice, Places]]:
        """The questions of some links at a time, with where these stand."""
        step = max(MOST_COMPARED // max(self.columns.shape[1], 1) ** 2, 1)
        for start in range(0, len(links), step):
            some = slice(start, start + step)
            yield some, self.questions(links[some], **options)


def most_given(questions: Places) -> int:
    """How many conditions the longest question has."""
    return int((questions >= 0).sum(axis=1).max(initial=2)) - 2

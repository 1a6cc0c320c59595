"""Asking many questions: which, in which order, in which batches."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.links import Links
from structlearn.independence.kernels.subsets import next_questions
from structlearn.independence.protocol import Answers, IndependenceTest, Questions
from structlearn.statistics import Statistics

BATCH_ROWS = 1 << 18


class Asker:
    """A test on given data that counts its questions."""

    def __init__(self, test: IndependenceTest, statistics: Statistics | None) -> None:
        self._test = test
        self._statistics = statistics
        self.n_tests = 0

    def ask(self, questions: Questions) -> Answers:
        """Answer a batch of questions with the same number of conditions."""
        self.n_tests += len(questions)
        return self._test.many(self._statistics, questions)

    @property
    def knows_separators(self) -> bool:
        """Whether the test can name a separating set without a question for each subset."""
        return hasattr(self._test, "separators")

    def separate(self, pairs: NDArray[np.int64], neighbors: Links) -> "SeparatedPairs":
        """Have the test name a set of neighbours of an end that separates each pair, of any size."""
        self.n_tests += len(pairs)
        given = self._test.separators(pairs, neighbors)  # type: ignore[attr-defined]  # asked for above
        separated = np.flatnonzero(given[:, 0] != -2)
        return SeparatedPairs(separated, given[separated], np.ones(len(separated)), np.zeros(len(pairs)))


@dataclass(frozen=True, slots=True)
class SeparatedPairs:
    """The pairs that some subset separates: the first such subset of each, and its p-value.

    `separated` has the positions of these pairs among all; `largest_p` has, for every pair,
    the largest p-value met.
    """

    separated: NDArray[np.int64]
    given: NDArray[np.int64]
    p_value: NDArray[np.float64]
    largest_p: NDArray[np.float64]


def separate_pairs(
    asker: Asker,
    pairs: NDArray[np.int64],
    neighbors: Links,
    size: int,
    *,
    alpha: float,
    must_stop: Callable[[], bool],
) -> SeparatedPairs:
    """Find for each pair the first subset of `size` neighbours of an end that makes it independent.

    Every round asks the pairs that are still open for twice as many subsets as the round before;
    which subset is the first does not depend on that.
    """
    state = _State(pairs, size)
    most = 1
    while state.open.size and not must_stop():
        for block in _blocks(state.open, BATCH_ROWS // most):
            state.ask(asker, block, neighbors, most, alpha)
            if must_stop():
                break
        state.close_answered()
        most = min(2 * most, 1024)
    return state.result()


class _State:
    """How far each pair is."""

    def __init__(self, pairs: NDArray[np.int64], size: int) -> None:
        self.open = np.arange(len(pairs), dtype=np.int64)
        self._pairs = pairs
        self._size = size
        self._side = np.zeros(len(pairs), dtype=np.int64)
        self._places = np.full((len(pairs), size), -1, dtype=np.int64)
        self._given = np.full((len(pairs), size), -1, dtype=np.int64)
        self._p_value = np.full(len(pairs), np.nan)
        self._largest_p = np.zeros(len(pairs))

    def ask(self, asker: Asker, block: NDArray[np.int64], neighbors: Links, most: int, alpha: float) -> None:
        questions = np.empty((len(block) * most, 2 + self._size), dtype=np.int64)
        owners = np.empty(len(questions), dtype=np.int64)
        rows = neighbors.neighbor_rows
        n_asked = next_questions(self._pairs, block, *rows, most, self._side, self._places, questions, owners)
        if n_asked == 0:
            return
        questions, owners = questions[:n_asked], owners[:n_asked]
        p_values = asker.ask(questions).p_value
        np.maximum.at(self._largest_p, owners, p_values)
        independent = np.flatnonzero(p_values > alpha)
        # Questions of one pair are in order, so its first success is its first occurrence.
        separated, first = np.unique(owners[independent], return_index=True)
        self._given[separated] = questions[independent[first], 2:]
        self._p_value[separated] = p_values[independent[first]]

    def close_answered(self) -> None:
        is_open = np.isnan(self._p_value[self.open]) & (self._side[self.open] < 2)
        self.open = self.open[is_open]

    def result(self) -> SeparatedPairs:
        separated = np.flatnonzero(~np.isnan(self._p_value))
        return SeparatedPairs(separated, self._given[separated], self._p_value[separated], self._largest_p)


def _blocks(items: NDArray[np.int64], length: int) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(items), max(length, 1)):
        yield items[start : start + max(length, 1)]

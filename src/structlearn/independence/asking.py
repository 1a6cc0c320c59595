"""Asking many questions: which, in which order, in which batches."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.checked import checked_answers
from structlearn.independence.kernels.subsets import next_questions
from structlearn.independence.protocol import Answers, IndependenceTest, Questions
from structlearn.run import Pace
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.blocks import in_blocks

BATCH_ROWS = 1 << 18  # questions of a batch: 2 MiB for each of their columns
FIRST_BATCH, FEWEST_AT_ONCE = 1 << 7, 1 << 6  # before it is known how long they take, and whatever they do
LONGER_WITH_MORE = 8  # times as long a question may take with a condition more, where tables have many levels
MOST_AT_ONCE = 1024  # of a pair: one that is still open after as many is likely to stay so
ROWS_AT_ONCE = 20_000_000  # what these look at: of many rows there are fewer, as each question takes longer
Positions = NDArray[np.int64]


class ConditionLists(Protocol):
    """What the tests of a pair may be conditioned on, by its ends: the lines of `Links`, or other lists."""

    @property
    def neighbor_rows(self) -> tuple[Positions, Positions]:
        """Where the sorted list of each node starts, and the lists, one after the other."""

    def neighbors(self, node: int) -> Positions:
        """The list of one node."""


Show = Callable[[int, int], None]


class Asker:
    """A test on given data, at a given level, that counts its questions.

    Parameters
    ----------
    test : IndependenceTest
        What answers.
    statistics : Statistics or None
        The data; None where the test is the truth.
    alpha : float
        Independent means a p-value above this level.
    must_stop : callable
        Whether to end early; asked between batches.
    """

    def __init__(
        self,
        test: IndependenceTest,
        statistics: Statistics | None,
        *,
        alpha: float,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.test = test
        self.statistics = statistics
        self.alpha = alpha
        self.must_stop = must_stop
        self.n_tests = 0
        self.pace = Pace(FIRST_BATCH, fewest=FEWEST_AT_ONCE, most=BATCH_ROWS)

    def ask(self, questions: Questions) -> Answers:
        """Answer a batch of questions with the same number of conditions."""
        self.n_tests += len(questions)
        with self.pace.keep(len(questions)):
            return _answers(self.test, self.statistics, questions)

    def p_values(self, questions: Questions) -> NDArray[np.float64]:
        """Answer questions with the same number of conditions, each as dependent that time leaves out."""
        found, start = np.zeros(len(questions)), 0
        self.pace.slow_down(LONGER_WITH_MORE)
        while start < len(questions) and not self.must_stop():
            some = slice(start, start + self.pace.n_at_once)
            found[some] = self.ask(questions[some]).p_value
            start = some.stop
        return found

    def p_values_of_any_size(self, questions: Questions) -> NDArray[np.float64]:
        """As `p_values`, with any number of conditions in each row, -1 in the places that are not used."""
        found, sizes = np.zeros(len(questions)), (questions >= 0).sum(axis=1)
        for size in np.unique(sizes):
            rows = np.flatnonzero(sizes == size)
            packed = questions[rows][questions[rows] >= 0]
            found[rows] = self.p_values(packed.reshape(len(rows), size))
        return found

    def in_order(self, pairs: Positions) -> Positions:
        """The same pairs, one after the other those that the test answers sooner together."""
        return pairs[self.test.order(pairs)] if hasattr(self.test, "order") else pairs

    @property
    def most_of_a_pair(self) -> int:
        """How many questions about a pair are asked before the answers are looked at."""
        n_rows = 1 if self.statistics is None else self.statistics.n_rows
        return max(min(MOST_AT_ONCE, ROWS_AT_ONCE // max(n_rows, 1)), 1)

    @property
    def knows_separators(self) -> bool:
        """Whether the test can name a separating set without a question for each subset."""
        return hasattr(self.test, "separators")

    def separate(self, pairs: Positions, neighbors: ConditionLists) -> "SeparatedPairs":
        """Have the test name a set of neighbours of an end that separates each pair, of any size."""
        self.n_tests += len(pairs)
        given = self.test.separators(pairs, neighbors)  # type: ignore[attr-defined]  # asked for above
        separated = np.flatnonzero(given[:, 0] != -2)
        return SeparatedPairs(separated, given[separated], np.ones(len(separated)), np.zeros(len(pairs)))


def _answers(test: IndependenceTest, statistics: Statistics | None, questions: Questions) -> Answers:
    """What a test says, by threads where it says of itself that they may share it, and they share no rows."""
    is_alone = type(statistics) is not MemoryStatistics or statistics.n_jobs == 1 or statistics.shares_rows
    if is_alone or not getattr(test, "is_for_threads", False):
        return checked_answers(test, statistics, questions)
    assert statistics is not None  # noqa: S101, just seen
    parts: dict[int, Answers] = {}

    def answer(some: slice) -> None:
        parts[some.start] = checked_answers(test, statistics, questions[some])

    cost = float(statistics.n_rows) * len(questions)
    in_blocks(answer, len(questions), cost=cost, n_jobs=statistics.n_jobs)
    return Answers.joined([parts[start] for start in sorted(parts)])


@dataclass(frozen=True, slots=True)
class SeparatedPairs:
    """The pairs that some subset separates: the first such subset of each, and its p-value.

    `separated` has the positions of these pairs among all; `largest_p` has, for every pair,
    the largest p-value met.
    """

    separated: Positions
    given: Positions
    p_value: NDArray[np.float64]
    largest_p: NDArray[np.float64]


class Subsets:
    """The subsets of one size to condition each of many pairs on.

    Parameters
    ----------
    pairs : array of shape (n, 2)
        The pairs to ask about.
    neighbors : Links or other ConditionLists
        Whose lists lead from the ends of a pair to what it may be conditioned on.
    size : int
        How many neighbours to condition on.
    always : array of shape (n,), optional
        A further condition of all questions of a pair; it is never among the subset.
    both_ends : bool
        Whether to go on with the neighbours of the second end after those of the first.
    """

    def __init__(
        self,
        pairs: Positions,
        neighbors: ConditionLists,
        size: int,
        *,
        always: Positions | None = None,
        both_ends: bool = True,
    ) -> None:
        self.pairs = pairs
        self.size = size + (always is not None)
        self._rows = neighbors.neighbor_rows
        self._always = np.full(len(pairs), -1, dtype=np.int64) if always is None else always
        self._n_sides = 1 + both_ends
        self._side = np.zeros(len(pairs), dtype=np.int64)
        self._places = np.full((len(pairs), size), -1, dtype=np.int64)

    def next(self, asking: Positions, most: int) -> tuple[Questions, Positions]:
        """Up to `most` further questions of each pair of `asking`, and which pair each is of."""
        if not self._places.shape[1]:
            return self._only_questions(asking)
        questions = np.empty((len(asking) * most, 2 + self.size), dtype=np.int64)
        owners = np.empty(len(questions), dtype=np.int64)
        n_asked = next_questions(
            self.pairs,
            self._always,
            asking,
            *self._rows,
            self._n_sides,
            most,
            self._side,
            self._places,
            questions,
            owners,
        )
        return questions[:n_asked], owners[:n_asked]

    def _only_questions(self, asking: Positions) -> tuple[Questions, Positions]:
        """The one question of each pair where subsets are empty, without a look at lists of thousands."""
        left = asking[~self.is_exhausted(asking)]
        self._side[left] = self._n_sides
        questions = np.empty((len(left), 2 + self.size), dtype=np.int64)
        questions[:, :2], questions[:, 2:] = self.pairs[left], self._always[left, None]
        return questions, left

    def is_exhausted(self, asking: Positions) -> NDArray[np.bool_]:
        """Whether no subset is left for each pair of `asking`."""
        is_done: NDArray[np.bool_] = self._side[asking] >= self._n_sides
        return is_done

    @property
    def most_of_a_pair(self) -> int:
        """A number of questions that no pair has more of."""
        n_listed = int(np.diff(self._rows[0])[self.pairs].max(initial=0))
        return self._n_sides * comb(n_listed, self._places.shape[1])


class SubsetsToAsk(Protocol):
    """For each of many pairs, sets of one size to condition it on, handed out a few at a time."""

    @property
    def pairs(self) -> Positions:
        """The pairs."""

    @property
    def size(self) -> int:
        """The number of conditions of each question."""

    def next(self, asking: Positions, most: int) -> tuple[Questions, Positions]:
        """Up to `most` further questions of each pair of `asking`, and which pair each is of."""

    def is_exhausted(self, asking: Positions) -> NDArray[np.bool_]:
        """Whether no subset is left for each pair of `asking`."""


def _nobody_looks(_n_done: int, _n_pairs: int) -> None:
    """For callers without a progress bar."""


def separate_pairs(
    asker: Asker, subsets: SubsetsToAsk, show: Show = _nobody_looks, *, n_first: int = 1
) -> SeparatedPairs:
    """Find for each pair the first subset that makes it independent; `show` is told how many are done.

    Every round asks the pairs that are still open for twice as many subsets as the round before, `n_first`
    of them in the first round; which subset separates a pair first does not depend on that.
    """
    n_pairs = len(subsets.pairs)
    given = np.full((n_pairs, subsets.size), -1, dtype=np.int64)
    p_value, largest_p = np.full(n_pairs, np.nan), np.zeros(n_pairs)
    still_open = np.arange(n_pairs, dtype=np.int64)
    asker.pace.slow_down(LONGER_WITH_MORE)
    most = n_first
    while still_open.size and not asker.must_stop():
        n_done = n_pairs - len(still_open)
        for block in _blocks(still_open, asker, most):
            questions, owners = subsets.next(block, most)
            if not len(questions):
                continue
            p = asker.ask(questions).p_value
            np.maximum.at(largest_p, owners, p)
            independent = np.flatnonzero(p > asker.alpha)
            # Questions of one pair are in order, so its first success is its first occurrence.
            separated, first = np.unique(owners[independent], return_index=True)
            given[separated] = questions[independent[first], 2:]
            p_value[separated] = p[independent[first]]
            n_done += int((~np.isnan(p_value[block]) | subsets.is_exhausted(block)).sum())
            show(n_done, n_pairs)
            if asker.must_stop():
                break
        still_open = still_open[np.isnan(p_value[still_open]) & ~subsets.is_exhausted(still_open)]
        most = min(2 * most, asker.most_of_a_pair)
    separated = np.flatnonzero(~np.isnan(p_value))
    return SeparatedPairs(separated, given[separated], p_value[separated], largest_p)


def all_separators(asker: Asker, subsets: Subsets) -> Iterator[tuple[int, Positions, float]]:
    """Every (pair, subset, p-value) that makes a pair independent."""
    still_open = np.arange(len(subsets.pairs), dtype=np.int64)
    most = min(asker.most_of_a_pair, subsets.most_of_a_pair + 1)  # one more, to find that there are no others
    while still_open.size and not asker.must_stop():
        for block in _blocks(still_open, asker, most):
            questions, owners = subsets.next(block, most)
            if not len(questions):
                continue
            p = asker.ask(questions).p_value
            for i in np.flatnonzero(p > asker.alpha):
                yield int(owners[i]), questions[i, 2:], float(p[i])
            if asker.must_stop():
                break
        still_open = still_open[~subsets.is_exhausted(still_open)]


def _blocks(pairs: Positions, asker: Asker, n_of_each: int) -> Iterator[Positions]:
    """The pairs in turn, as many as are to be asked about at once when each has so many questions."""
    start = 0
    while start < len(pairs):
        end = start + max(asker.pace.n_at_once // n_of_each, 1)
        yield pairs[start:end]
        start = end

"""Pairs of continuous columns alone: one correlation is the limit of independence, and no p-value is kept."""

from collections.abc import Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import (
    Asker,
    ConditionLists,
    SeparatedPairs,
    Show,
)
from structlearn.independence.fisher_z import FisherZ
from structlearn.independence.kernels.first_separators import first_separators
from structlearn.learners.constraint.skeletons.correlations import (
    Correlations,
    CorrelationsOfMatrix,
    Numbers,
    Positions,
)
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.rounding import DETERMINED
from structlearn.statistics.blocks import in_blocks

COST_OF_A_PAIR = 1e4  # row visits that the sets of one pair take as long as, or more
COST_OF_A_LOOK = 10.0  # row visits that take as long as to look at one correlation
COLUMNS_AT_ONCE = 32  # whose correlations are looked at: of 5,000 columns they are a megabyte
FEWEST_COLUMNS = 200  # to find the limit takes a millisecond, as do the p-values of as many columns
TESTS_AT_ONCE = 100_000  # between two looks at the clock: with few conditions, some hundredths of a second
PER_THREAD = 8  # blocks of pairs: they share nothing, and some have far more sets than others
Found = list[tuple[Positions, SeparatedPairs]]


class ByCorrelation:
    """The levels of a skeleton by Fisher's z, of which the first needs no test but one of a limit."""

    def __init__(self, asker: Asker, correlations: Correlations) -> None:
        self._asker, self._correlations, self._n_alone = asker, correlations, 0

    @classmethod
    def of(cls, asker: Asker) -> "ByCorrelation | None":
        """That of a wide table without gaps which is tested by Fisher's z; None of another."""
        statistics = asker.statistics
        if statistics is None or not statistics.is_complete or type(asker.test) is not FisherZ:
            return None
        if len(statistics.names) < FEWEST_COLUMNS:
            return None
        matrix = statistics.moments().correlation
        return cls(asker, CorrelationsOfMatrix(statistics.size, asker.alpha, matrix))

    def dependent(self, required: Positions) -> tuple[Positions, Numbers]:
        """The pairs that are dependent as they are or must stay, in order, and their p-values."""
        n_nodes = self._correlations.n_columns
        self._asker.n_tests += n_nodes * (n_nodes - 1) // 2
        pairs, rho = self._beyond(self._correlations.limit_alone)
        self._n_alone = n_nodes * (n_nodes - 1) // 2 - len(pairs)
        more = required[self._correlations.is_independent(*required.T)]
        if len(more):
            pairs = np.concatenate([pairs, more])
            rho = np.concatenate([rho, self._correlations.of(*more.T)])
            order = np.lexsort(pairs.T[::-1])
            pairs, rho = pairs[order], rho[order]
        return pairs, self._correlations.p_values(rho, 0)

    def separate(
        self,
        pairs: Positions,
        must_stay: NDArray[np.bool_],  # noqa: ARG002, a card has to know
        conditions: ConditionLists,
        size: int,
        show: Show,
    ) -> SeparatedPairs:
        """Find for each pair the first set of one size that separates it; threads share the pairs."""
        asker, n_jobs, shape = self._asker, self._n_jobs, (len(pairs), size)
        given, least = np.full(shape, -1, dtype=np.int64), np.full(len(pairs), np.inf)
        rho, n_done = np.full(len(pairs), np.nan), [0]
        sides, portions = np.zeros(len(pairs), dtype=np.int64), np.ones((len(pairs), 2), dtype=np.int64)
        room = sides, np.full(shape, -1, dtype=np.int64), portions
        own = (
            cast("CorrelationsOfMatrix", self._correlations).matrix,
            DETERMINED,
            self._correlations.limit(size),
        )

        def separate(some: slice) -> None:
            lists = pairs[some], *conditions.neighbor_rows, asker.most_of_a_pair
            answers = [each[some] for each in (given, rho, least)]
            at = 0
            while at < some.stop - some.start and not asker.must_stop():
                at, n_tests = first_separators(
                    *own, *lists, at, TESTS_AT_ONCE, tuple(each[some] for each in room), *answers
                )
                n_done.append(n_tests)
                if n_jobs == 1:
                    show(at, len(pairs))

        in_blocks(
            separate, len(pairs), cost=COST_OF_A_PAIR * len(pairs), n_jobs=n_jobs, per_thread=PER_THREAD
        )
        asker.n_tests += sum(n_done)
        separated = np.flatnonzero(~np.isnan(rho))
        p_value = self._correlations.p_values(rho[separated], size)
        largest_p = np.where(least < np.inf, self._correlations.p_values(least, size), 0.0)
        return SeparatedPairs(separated, given[separated], p_value, largest_p)

    @property
    def _n_jobs(self) -> int:
        return 1 if self._asker.statistics is None else self._asker.statistics.n_jobs

    def separators(self, found: Found) -> Separators:
        """The sets that were found, and all pairs that are independent as they are."""
        return _WithIndependent(self._correlations, found, self._n_alone)

    def _beyond(self, limit: float) -> tuple[Positions, Numbers]:
        """The pairs whose correlations are beyond a limit, in order, and these."""
        n_nodes = self._correlations.n_columns
        found: dict[int, tuple[Positions, Numbers]] = {-1: (np.zeros((0, 2), dtype=np.int64), np.zeros(0))}

        def look(some: slice) -> None:
            for start in range(some.start, some.stop, COLUMNS_AT_ONCE):
                own = self._correlations.from_the_diagonal(start, min(start + COLUMNS_AT_ONCE, some.stop))
                i, j = np.nonzero(np.triu(np.abs(own) > limit, k=1))
                found[start] = np.column_stack([i + start, j + start]), own[i, j]

        in_blocks(look, n_nodes, cost=COST_OF_A_LOOK * n_nodes**2, n_jobs=self._n_jobs)
        pairs, rho = zip(*(found[i] for i in sorted(found)), strict=True)
        return np.concatenate(pairs), np.concatenate(rho)


class _WithIndependent(Separators):
    """Sets that were found; the pairs that none is needed for, most of all, are looked up when asked for."""

    def __init__(self, correlations: Correlations, found: Found, n_alone: int) -> None:
        super().__init__(correlations.n_columns, found)
        self._correlations, self._n_alone = correlations, n_alone
        self.given = self._given_and_none

    def __len__(self) -> int:
        return super().__len__() + self._n_alone

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for i, others in enumerate(self._independent()):
            yield from ((i, j) for j in others.tolist())
        yield from super().__iter__()

    def find(self, a: Positions, b: Positions) -> Positions:
        """Where the separator of each pair is, -1 where there is none; the empty set is the last."""
        is_alone = self._correlations.is_independent(a, b)
        return np.where(is_alone, len(self.given) - 1, super().find(a, b))

    def p_values(self, a: Positions, b: Positions) -> Numbers:
        """The p-value of each pair's separator, NaN where there is none."""
        alone = self._correlations.p_values(self._correlations.of(a, b), 0)
        return np.where(self._correlations.is_independent(a, b), alone, super().p_values(a, b))

    def _independent(self) -> Iterator[Positions]:
        for i in range(self.n_nodes):
            yield i + 1 + np.flatnonzero(self._correlations.is_independent(i, slice(i + 1, None)))

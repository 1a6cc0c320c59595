"""The levels of a skeleton on a graphics card: tests of partial correlations by Fisher's z."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.gpu import partial_correlations
from structlearn.gpu.card import Device, takes_card
from structlearn.gpu.partial_correlations import CorrelationsOnCard
from structlearn.independence.asking import Asker, ConditionLists, SeparatedPairs, Subsets, separate_pairs
from structlearn.independence.fisher_z import FisherZ, fisher_z
from structlearn.independence.partial_correlation import PartialCorrelations, clipped
from structlearn.independence.tails import normal_tails
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.rounding import ALMOST_ONE, DETERMINED
from structlearn.run import Run

Positions = NDArray[np.int64]
Numbers = NDArray[np.float64]
Found = list[tuple[Positions, SeparatedPairs]]


@dataclass(frozen=True)
class Correlations:
    """The correlations of a table of so many rows, and what Fisher's z makes of them at a level."""

    matrix: Numbers
    size: float
    alpha: float

    def p_values(self, rho: Numbers, n_given: int) -> Numbers:
        """The p-values of correlations given so many columns."""
        return normal_tails(fisher_z(PartialCorrelations(clipped(rho.copy()), self.size), n_given)[0])

    @cached_property
    def _limit_alone(self) -> float:
        return self.limit(0)

    def limit(self, n_given: int) -> float:
        """The largest correlation that is taken for independence; -1 where none is."""
        last = int(np.array([ALMOST_ONE]).view(np.int64)[0])
        # The bits of numbers from 0 on are in their order, so that halving ends at the very last one.
        low, high = -1, last + 1
        while high - low > 1:
            middle = (low + high) // 2
            p_value = self.p_values(np.array([middle], dtype=np.int64).view(np.float64), n_given)[0]
            low, high = (middle, high) if p_value > self.alpha else (low, middle)
        if low in (-1, last):  # what is beyond the last counts as that
            return -1.0 if low < 0 else math.inf
        return float(np.array([low], dtype=np.int64).view(np.float64)[0])

    def of(self, a: Positions | int, b: Positions) -> Numbers:
        """The correlation of each pair as it is, as the test has it; 0 with a constant column."""
        own = np.diag(self.matrix)
        is_there = (own[a] > DETERMINED) & (own[b] > DETERMINED)
        scale = np.sqrt(np.where(is_there, own[a] * own[b], 1.0))
        return np.asarray(np.where(is_there, self.matrix[a, b], 0.0) / scale)

    def is_independent(self, a: Positions | int, b: Positions) -> NDArray[np.bool_]:
        """Whether pairs are independent as they are."""
        return np.abs(self.of(a, b)) <= self._limit_alone


class OnCard:
    """Tests of pairs, with the correlations in a card's memory."""

    def __init__(self, asker: Asker, correlations: Correlations) -> None:
        self._asker, self._correlations = asker, correlations
        self._card = CorrelationsOnCard(correlations.matrix, DETERMINED)

    def dependent(self, required: Positions) -> tuple[Positions, Numbers]:
        """The pairs that are dependent as they are or must stay, in order, and their p-values."""
        n_nodes = len(self._correlations.matrix)
        self._asker.n_tests += n_nodes * (n_nodes - 1) // 2
        pairs, rho = self._card.dependent(self._correlations.limit(0))
        more = required[self._correlations.is_independent(*required.T)]
        if len(more):
            pairs = np.concatenate([pairs, more])
            rho = np.concatenate([rho, self._correlations.of(*more.T)])
            order = np.lexsort(pairs.T[::-1])
            pairs, rho = pairs[order], rho[order]
        return pairs, self._correlations.p_values(rho, 0)

    def separate(
        self, pairs: Positions, must_stay: NDArray[np.bool_], conditions: ConditionLists, size: int
    ) -> SeparatedPairs:
        """Find for each pair the first set of one size that separates it."""
        asker, limit = self._asker, self._correlations.limit(size)
        found = self._card.separate(pairs, conditions.neighbor_rows, size, limit, asker.must_stop)
        p_value = self._correlations.p_values(found.rho, size)
        largest_p = np.where(found.n_tests > 0, p_value, 0.0)
        # The processor asks some sets behind the first that separates; that shows where the pair must stay.
        again = np.flatnonzero(found.is_separated & must_stay)
        asker.n_tests += int(found.n_tests.sum() - found.n_tests[again].sum())
        if len(again):
            largest_p[again] = separate_pairs(asker, Subsets(pairs[again], conditions, size)).largest_p
        separated = np.flatnonzero(found.is_separated)
        return SeparatedPairs(separated, found.given[separated], p_value[separated], largest_p)

    def separators(self, found: Found) -> Separators:
        """The sets that were found, and all pairs that are independent as they are."""
        return _WithIndependent(self._correlations, found)


class _WithIndependent(Separators):
    """Sets that were found; the pairs that none is needed for, most of all, are looked up when asked for."""

    def __init__(self, correlations: Correlations, found: Found) -> None:
        super().__init__(len(correlations.matrix), found)
        self._correlations = correlations
        self.given = np.pad(self.given, ((0, 1), (0, 0)), constant_values=-1)

    def __len__(self) -> int:
        return super().__len__() + sum(len(others) for others in self._independent())

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
            others = np.arange(i + 1, self.n_nodes)
            yield others[self._correlations.is_independent(i, others)]


def card_for(device: Device, asker: Asker, run: Run, *, is_stable: bool) -> OnCard | None:
    """The card, where one is to do the work of PC; the run has a note where it is not."""
    statistics = asker.statistics
    if device == "cpu":
        return None
    if statistics is None or not (is_stable and statistics.is_complete and type(asker.test) is FisherZ):
        why = (
            "a card tests continuous columns without gaps by Fisher's z, at levels whose conditions stay "
            "(stable=True)"
        )
        if device == "cuda":
            raise OptionError(f"PC(device='cuda'): {why}. Pass device='cpu'.")
        run.note(f"The processor did the work: {why}.")
        return None
    n_columns = len(statistics.names)
    takes, why_not = takes_card(
        device,
        f"the correlations of {n_columns:,} columns",
        partial_correlations.bytes_needed(n_columns),
        "pass device='cpu', or fewer columns",
    )
    if why_not:
        run.note(why_not)
    if not takes:
        return None
    return OnCard(asker, Correlations(statistics.moments().correlation, statistics.size, asker.alpha))

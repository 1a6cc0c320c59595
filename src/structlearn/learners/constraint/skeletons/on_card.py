"""The levels of a skeleton on a graphics card: tests of partial correlations by Fisher's z."""

from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.gpu import partial_correlations
from structlearn.gpu.card import Device, takes_card
from structlearn.gpu.pairs import products_of_rows
from structlearn.gpu.partial_correlations import CorrelationsOnCard
from structlearn.independence.asking import (
    Asker,
    ConditionLists,
    SeparatedPairs,
    Show,
    Subsets,
    separate_pairs,
)
from structlearn.independence.fisher_z import FisherZ
from structlearn.learners.constraint.skeletons.by_correlation import ByCorrelation
from structlearn.learners.constraint.skeletons.correlations import (
    CorrelationsOfMatrix,
    CorrelationsOfUnits,
    Numbers,
    Positions,
)
from structlearn.numerics.information.correlation import unit_rows
from structlearn.rounding import DETERMINED
from structlearn.run import Run
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.experiments import experiments_of


class OnCard(ByCorrelation):
    """Tests of pairs, with the correlations in a card's memory."""

    def __init__(self, asker: Asker, correlations: CorrelationsOfMatrix | CorrelationsOfUnits) -> None:
        super().__init__(asker, correlations)
        if isinstance(correlations, CorrelationsOfMatrix):
            self._card = CorrelationsOnCard(correlations.matrix, DETERMINED)
        else:
            self._card = CorrelationsOnCard(products_of_rows(correlations.units).array, DETERMINED)

    def separate(
        self,
        pairs: Positions,
        must_stay: NDArray[np.bool_],
        conditions: ConditionLists,
        size: int,
        show: Show,  # noqa: ARG002, a level on a card is done in a moment
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

    def _beyond(self, limit: float) -> tuple[Positions, Numbers]:
        return self._card.dependent(limit)


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
        by_cupy=_is_short(statistics),
    )
    if why_not:
        run.note(why_not)
    if not takes:
        return None
    if _is_short(statistics):
        statistics.few_sets_asked = True  # by who directs the edges: the processor needs no matrix of its own
    return OnCard(asker, correlations_of(statistics, asker.alpha))


def correlations_of(statistics: Statistics, alpha: float) -> CorrelationsOfMatrix | CorrelationsOfUnits:
    """Those of a table with fewer rows than columns from the rows, which a card multiplies in no time."""
    if not _is_short(statistics):
        return CorrelationsOfMatrix(statistics.size, alpha, statistics.moments().correlation)
    rows = statistics.rows(range(len(statistics.names))).values
    return CorrelationsOfUnits(statistics.size, alpha, unit_rows(rows.T))


def _is_short(statistics: Statistics) -> TypeGuard[MemoryStatistics]:
    """Whether there are fewer rows than columns, which are in memory and count alike."""
    if not isinstance(statistics, MemoryStatistics) or statistics.weights is not None:
        return False
    return statistics.n_rows < len(statistics.names) and experiments_of(statistics) is None

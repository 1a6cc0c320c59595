"""The network that a threshold and the data processing inequality leave."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.pairs import MatrixOnCard, StrongPairs
from structlearn.numerics.information.columns import Matrix, pairs_where
from structlearn.numerics.information.indirect_edges import mediators_of

ToleranceRule = Literal["share", "difference"]


@dataclass(frozen=True)
class Pruning:
    """What an edge must have, and when a third node explains it."""

    threshold: float
    tolerance: float
    tolerance_rule: ToleranceRule
    is_regulator: NDArray[np.bool_] | None
    n_jobs: int

    def strong(self, information: Matrix) -> Matrix:
        """The information of the pairs that have enough and, with regulators, one of them; 0 elsewhere."""
        is_strong = information > self.threshold
        if self.is_regulator is not None:
            is_strong &= self.is_regulator[:, None] | self.is_regulator
        return np.where(is_strong, information, 0.0)

    @property
    def _margin(self) -> tuple[float, float]:
        """What both others are multiplied by, and what is taken off, before they are compared."""
        return (1.0 - self.tolerance, 0.0) if self.tolerance_rule == "share" else (1.0, self.tolerance)

    def mediators(self, strong: Matrix) -> NDArray[np.int32]:
        """The node that each edge could be indirect through, by the indices of the upper triangle; or -1."""
        factor, difference = self._margin
        return mediators_of(
            strong,
            factor=factor,
            difference=difference,
            may_mediate=self.is_regulator,
            n_jobs=self.n_jobs,
        )

    def judged(self, information: Matrix, on_card: MatrixOnCard | None) -> StrongPairs:
        """The pairs that have enough, and the node that each could be indirect through."""
        if on_card is not None:
            return on_card.strong_pairs(self.threshold, *self._margin, self.is_regulator)
        strong = self.strong(information)
        first, second = pairs_where(np.triu(strong > 0.0, k=1))
        mediators = self.mediators(strong)[first, second]
        return StrongPairs(np.column_stack([first, second]), strong[first, second], mediators)

    def edges(self, information: Matrix) -> NDArray[np.bool_]:
        """Which pairs of the upper triangle are joined."""
        strong = self.strong(information)
        joined: NDArray[np.bool_] = np.triu((strong > 0.0) & (self.mediators(strong) < 0), k=1)
        return joined


def removals(names: tuple[str, ...], judged: StrongPairs) -> dict[str, NDArray[Any]]:
    """The edges that were removed, those with most information first, and the node that explains each."""
    is_out = judged.mediators >= 0
    (first, second), values = judged.pairs[is_out].T, judged.values[is_out]
    order = np.argsort(-values, kind="stable")  # ties stay in the order of their ends
    labels = np.array(names, dtype=object)
    return {
        "source": labels[first[order]],
        "target": labels[second[order]],
        "information": values[order],
        "through": labels[judged.mediators[is_out][order]],
    }

"""The network that a threshold and the data processing inequality leave."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

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

    def mediators(self, strong: Matrix) -> NDArray[np.int32]:
        """The node that each edge could be indirect through, by the indices of the upper triangle; or -1."""
        is_share = self.tolerance_rule == "share"
        return mediators_of(
            strong,
            factor=1.0 - self.tolerance if is_share else 1.0,
            difference=0.0 if is_share else self.tolerance,
            may_mediate=self.is_regulator,
            n_jobs=self.n_jobs,
        )

    def edges(self, information: Matrix) -> NDArray[np.bool_]:
        """Which pairs of the upper triangle are joined."""
        strong = self.strong(information)
        joined: NDArray[np.bool_] = np.triu((strong > 0.0) & (self.mediators(strong) < 0), k=1)
        return joined


def removals(
    names: tuple[str, ...], information: Matrix, mediators: NDArray[np.int32]
) -> dict[str, NDArray[Any]]:
    """The edges that were removed, those with most information first, and the node that explains each."""
    first, second = pairs_where(mediators >= 0)
    values = information[first, second]
    order = np.argsort(-values, kind="stable")  # ties stay in the order of their ends
    labels = np.array(names, dtype=object)
    return {
        "source": labels[first[order]],
        "target": labels[second[order]],
        "information": values[order],
        "through": labels[mediators[first, second][order]],
    }

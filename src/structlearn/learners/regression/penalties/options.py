"""Options about penalties that several methods have."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.penalties.path import penalty_path
from structlearn.options import Between, Configured, Whole, option


class FollowsPath(Configured):
    """Which penalties are tried."""

    n_penalties: int = option(
        Whole(1),
        "How many penalties the path has, for the rules that follow one.",
        default=30,
    )
    smallest_share: float = option(
        # Zero has no logarithm; 1e-12 of the largest penalty is none any more.
        Between(1e-12, 1),
        "The smallest penalty of the path, as a share of the one at which there are no edges.",
        default=0.05,
    )

    def _path_from(self, largest: float) -> NDArray[np.float64]:
        return penalty_path(largest, n_penalties=self.n_penalties, smallest_share=float(self.smallest_share))


class KeepsLevel(Configured):
    """How sure the penalty of theory is."""

    alpha: float = option(
        Between(0, 1),
        'The level of "theory". Unconnected parts of the truth are joined with this probability at most.',
        default=0.05,
    )


class CountsColumns(Configured):
    """How strict the extended BIC is."""

    gamma: float = option(
        Between(0, 1),
        'How much many columns count against edges, for "ebic". 0 is the BIC.',
        default=0.5,
    )

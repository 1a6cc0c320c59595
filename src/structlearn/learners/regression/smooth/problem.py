"""The effects that a smooth optimisation may choose, what they cost, and what they leave of the columns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.learners.regression.precision.covariances import scaled
from structlearn.numerics.acyclic import descends
from structlearn.numerics.dag_losses import LOSSES, Loss
from structlearn.run import MustStop, never
from structlearn.search.space import Space
from structlearn.statistics.units import refuse_other_units

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Where two directions are worth the same the slope is the same as well, and weights that begin at 0 would
# stay halfway between them. So an arc against the order of the names costs a thousandth more.
AGAINST_NAMES = 1e-3


@dataclass(frozen=True, slots=True)
class SmoothProblem:
    """Entry [i, j] of each matrix is about i → j; what is not open has no weight."""

    covariance: Floats
    is_open: Flags
    required: Flags
    penalty: float
    prices: Floats
    loss: Loss

    @classmethod
    def of(
        cls, space: Space, *, penalty: float | None, least: float, standardise: bool, loss: str
    ) -> "SmoothProblem":
        """The problem of a table; without a penalty it is `least`, or what chance reaches in so few rows."""
        statistics, p = space.statistics, space.n_nodes
        if not standardise:
            refuse_other_units(space.owner, statistics, "with standardise=False units matter")
        if penalty == 0.0 and statistics.size <= p:
            raise OptionError(
                f"{space.owner}(penalty=0): {statistics.n_rows} rows are too few for {p} columns without a "
                "penalty. Take a larger one, or fewer columns."
            )
        variances = np.diag(statistics.moments().covariance)
        if penalty is None:  # what the largest of so many correlations with noise comes to
            n_candidates = max(int(np.count_nonzero(variances)), 2)
            penalty = max(least, np.sqrt(2.0 * np.log(n_candidates) / statistics.size))
        required = space.limits.frozen.T
        is_open = ~(space.limits.closed.T | np.eye(p, dtype=np.bool_) | descends(required).T)
        is_open &= np.outer(variances > 0.0, variances > 0.0)
        prices = penalty * (1.0 + AGAINST_NAMES * np.tri(p, k=-1))
        covariance = scaled(statistics.moments().covariance, standardise=standardise)
        prices = np.where(required, 0.0, prices)
        return cls(covariance, is_open, required, float(penalty), prices, LOSSES[loss])

    def at(self, weights: Floats, must_stop: MustStop = never) -> tuple[float, Floats]:
        """The loss of weights, and its slope."""
        return self.loss(weights, self.covariance, must_stop)

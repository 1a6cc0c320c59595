"""The Bayesian information criterion for linear Gaussian networks."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.scores.kernels.gaussian import residual_variances
from structlearn.scores.protocol import Families
from structlearn.statistics import Statistics

COLLINEAR = 1e-12  # the share of a variance below which nothing is left to explain


@dataclass(frozen=True)
class GaussianBIC:
    """Log-likelihood of linear regressions less half a log-size per parameter [1]_.

    A family has a slope per parent, an intercept and a variance. A collinear family has an
    unbounded likelihood and scores minus infinity. A constant column scores zero alone and
    minus infinity in any family with parents.

    References
    ----------
    .. [1] Schwarz (1978), Estimating the dimension of a model, Annals of Statistics 6.
    """

    takes: ClassVar[Kind] = "continuous"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        n_parents = families.shape[1] - 1
        moments = statistics.moments()
        if moments.size <= n_parents + 1:
            return np.full(len(families), -math.inf)
        variances = np.empty(len(families))
        residual_variances(moments.covariance, families, COLLINEAR, variances)
        fits = variances > 0.0
        scores = np.full(len(families), -math.inf)
        scores[fits] = -0.5 * moments.size * (np.log(2.0 * math.pi * variances[fits]) + 1.0)
        scores -= 0.5 * (n_parents + 2) * math.log(moments.size)
        if n_parents == 0:
            scores[~fits] = 0.0
        return scores

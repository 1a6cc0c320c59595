"""Laplace's approximation of the marginal likelihood."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.options import Above, Flag, OneOf, Rules, check_options
from structlearn.scores import bge
from structlearn.scores.family_tables import family_tables
from structlearn.scores.kernels import discrete
from structlearn.scores.protocol import Families
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

DIAGONAL = Flag("whether to take only the diagonal of the Hessian")
RULES: Rules = {
    "prior_count": Above(0, "how many prior rows every cell of a table has"),
    "basis": OneOf(("softmax", "theta"), "the parameters in which the posterior is taken as Gaussian"),
    "diagonal": DIAGONAL,
}
GAUSSIAN_RULES: Rules = {
    "mean_weight": bge.RULES["mean_weight"],
    "degrees": bge.RULES["degrees"],
    "diagonal": DIAGONAL,
}


@dataclass(frozen=True)
class Laplace:
    """Marginal likelihood of tables with a Dirichlet prior, the posterior taken as Gaussian [1]_.

    Not score-equivalent.

    Parameters
    ----------
    prior_count : float, default 1.0
        How many prior rows every cell of a table has.
    basis : "softmax" or "theta", default "softmax"
        The parameters in which the posterior is taken as Gaussian: logarithms of probabilities, or
        the probabilities themselves. A state of the parents in which a level has no more than one
        row, prior rows included, has no mode in the latter and takes the former.
    diagonal : bool, default False
        Whether to take only the diagonal of the Hessian.

    Notes
    -----
    The exact value is that of `K2` for one prior row per cell; the error falls with the number of
    rows. A state of the parents that does not occur adds exactly nothing.

    References
    ----------
    .. [1] Chickering and Heckerman (1997), Efficient approximations for the marginal likelihood of
       Bayesian networks with hidden variables, Machine Learning 29.
    """

    prior_count: float = 1.0
    basis: Literal["softmax", "theta"] = "softmax"
    diagonal: bool = False

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        options = {"prior_count": self.prior_count, "basis": self.basis, "diagonal": self.diagonal}
        check_options("Laplace", RULES, options)

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        tables = family_tables(statistics, families)
        prior, scores = np.full(len(families), float(self.prior_count)), np.empty(len(families))
        discrete.laplace_evidence(*tables, prior, self.basis == "theta", self.diagonal, scores)
        return scores


@dataclass(frozen=True)
class GaussianLaplace:
    """Marginal likelihood of linear regressions, the posterior taken as Gaussian [1]_.

    The prior is that of `BGe` with the means of the data, so the exact value is the score `BGe`.
    The posterior is taken as Gaussian in the coefficients and the logarithm of the precision.
    Score-equivalent with the full Hessian, not with its diagonal.

    Parameters
    ----------
    mean_weight, degrees
        The prior, as in `BGe`.
    diagonal : bool, default False
        Whether to take only the diagonal of the Hessian.

    References
    ----------
    .. [1] Kass and Raftery (1995), Bayes factors, Journal of the American Statistical Association 90.
    """

    mean_weight: float = 1.0
    degrees: float | None = None
    diagonal: bool = False

    takes: ClassVar[Sort] = "continuous"

    def __post_init__(self) -> None:
        options = {"mean_weight": self.mean_weight, "degrees": self.degrees, "diagonal": self.diagonal}
        check_options("GaussianLaplace", GAUSSIAN_RULES, options)

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class score the same."""
        return not self.diagonal

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        prior = bge.prior_of("GaussianLaplace", statistics, self.mean_weight, self.degrees)
        posterior = bge.posterior_scale(statistics, prior, centre="means")
        squares, log_determinants = bge.bordered(posterior, families, prior.scale)
        if self.diagonal:
            log_determinants = np.log(np.diag(posterior))[families[:, 1:]].sum(axis=1)
        size, n_slopes = statistics.size, families.shape[1] - 1
        shape = 0.5 * (prior.degrees - len(statistics.names) + n_slopes + 1)
        # The log posterior is mode·ln τ - τ·squares/2 and a quadratic form in the n_slopes + 1
        # coefficients, with precision τ; its Hessian at the mode has no mixed terms.
        mode = shape + 0.5 * (size + n_slopes + 1)
        log_precision = np.log(2.0 * mode / squares)
        log_prior = 0.5 * (math.log(prior.mean_weight) + n_slopes * math.log(prior.scale))
        log_prior += shape * math.log(0.5 * prior.scale) - math.lgamma(shape)
        log_hessian = (n_slopes + 1) * log_precision + log_determinants
        log_hessian += math.log(size + prior.mean_weight) + math.log(mode)
        at_mode = mode * (log_precision - 1.0) + log_prior - 0.5 * (size - 1.0) * math.log(2.0 * math.pi)
        return np.asarray(at_mode - 0.5 * log_hessian)

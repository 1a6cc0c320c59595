"""The Bayesian score of Gaussian networks."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.options import Between, OneOf, OrNone, Rules, check_options
from structlearn.scores.kernels.gaussian import variances_and_determinants
from structlearn.scores.protocol import Families
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.units import refuse_other_units

Centre = Literal["means", "zero"]

MOST_ROWS = 1e9  # that a prior is worth: differences of its terms are off by a millionth then
RULES: Rules = {
    "mean_weight": Between(1e-100, MOST_ROWS, "how many rows the prior of the means is worth"),
    "degrees": OrNone(
        Between(2, MOST_ROWS, "the degrees of freedom of the Wishart prior"), "columns + mean_weight + 1"
    ),
    "centre": OneOf(("means", "zero"), "where the prior expects the means"),
}


@dataclass(frozen=True)
class BGe:
    """Log marginal likelihood of a Gaussian network under a normal-Wishart prior [1]_ [2]_.

    Score-equivalent. Unlike likelihoods it has no trouble with fewer rows than columns.

    Parameters
    ----------
    mean_weight : float, default 1.0
        How many rows the prior of the means is worth (α_μ).
    degrees : float or None, default None
        The degrees of freedom of the prior precision (α_w), more than the number of columns and 1;
        by default the number of columns + `mean_weight` + 1.
    centre : "means" or "zero", default "means"
        Where the prior expects the means: where the data have them, or at zero.

    Notes
    -----
    The prior scale matrix is t·I with t = α_μ (α_w - p - 1) / (α_μ + 1) for p columns, so the
    units of the columns matter.

    References
    ----------
    .. [1] Geiger and Heckerman (2002), Parameter priors for directed acyclic graphical models and the
       characterization of several probability distributions, Annals of Statistics 30.
    .. [2] Kuipers, Moffa and Heckerman (2014), Addendum on the scoring of Gaussian directed acyclic
       graphical models, Annals of Statistics 42.
    """

    mean_weight: float = 1.0
    degrees: float | None = None
    centre: Centre = "means"

    takes: ClassVar[Sort] = "continuous"
    is_equivalent: ClassVar[bool] = True
    is_quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        options = {"mean_weight": self.mean_weight, "degrees": self.degrees, "centre": self.centre}
        check_options("BGe", RULES, options)

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        prior = prior_of("BGe", statistics, self.mean_weight, self.degrees)
        posterior = posterior_scale(statistics, prior, centre=self.centre)
        variances, log_determinants = bordered(posterior, families, prior.scale)
        size, n_parents = statistics.size, families.shape[1] - 1
        before = prior.degrees - len(statistics.names) + n_parents + 1
        after = before + size
        constant = 0.5 * math.log(prior.mean_weight / (size + prior.mean_weight))
        constant += math.lgamma(after / 2.0) - math.lgamma(before / 2.0) - 0.5 * size * math.log(math.pi)
        constant += 0.5 * (before + n_parents) * math.log(prior.scale)
        return np.asarray(constant - 0.5 * log_determinants - 0.5 * after * np.log(variances))


class NormalWishart(NamedTuple):
    """A prior of means and precisions whose scale matrix is `scale` times the identity."""

    mean_weight: float
    degrees: float
    scale: float


def prior_of(owner: str, statistics: Statistics, mean_weight: float, degrees: float | None) -> NormalWishart:
    """The prior with these options, for as many columns as there are."""
    n_columns = len(statistics.names)
    more = mean_weight if degrees is None else degrees - n_columns - 1.0  # may be too few to change a sum
    if more <= 0.0:
        raise OptionError(
            f"{owner}(degrees={degrees!r}): {n_columns} columns need more than {n_columns + 1} degrees."
        )
    scale = mean_weight * more / (mean_weight + 1.0)
    return NormalWishart(mean_weight, n_columns + 1.0 + more, scale)


def posterior_scale(statistics: Statistics, prior: NormalWishart, *, centre: Centre) -> NDArray[np.float64]:
    """The scale matrix after the data, made once for the same prior."""
    if statistics in _LAST:
        known_prior, known_centre, matrix = _LAST[statistics]
        if (known_prior, known_centre) == (prior, centre):
            return matrix
    matrix = _posterior_scale(statistics, prior, centre)
    _LAST[statistics] = (prior, centre, matrix)
    return matrix


_LAST: WeakKeyDictionary[Statistics, tuple[NormalWishart, Centre, NDArray[np.float64]]] = WeakKeyDictionary()


def _posterior_scale(statistics: Statistics, prior: NormalWishart, centre: Centre) -> NDArray[np.float64]:
    """Prior scale, scatter, and how far the means are off."""
    refuse_other_units("BGe", statistics, "its prior expects variances about 1")
    moments = statistics.moments()
    matrix = moments.size * moments.covariance
    matrix[np.diag_indices_from(matrix)] += prior.scale
    if centre == "zero":
        weight = moments.size * prior.mean_weight / (moments.size + prior.mean_weight)
        matrix += weight * np.outer(moments.mean, moments.mean)
    return matrix


def bordered(
    matrix: NDArray[np.float64], families: Families, least: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the parents leave of each child, at least `least`, and the parents' log-determinants.

    Parents that rounding makes collinear have an infinite one, which rules them out.
    """
    variances, log_determinants = np.empty(len(families)), np.empty(len(families))
    variances_and_determinants(matrix, families, 0.0, variances, log_determinants)
    log_determinants[np.isnan(log_determinants)] = math.inf
    return np.maximum(variances, least), log_determinants

"""A linear regression with Gaussian noise: a continuous node with continuous parents."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError, warn
from structlearn.models.cpds.densities import normal_log_density
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD, sum_in_words
from structlearn.rounding import CONSTANT
from structlearn.statistics.units import origins

VARIANCE_FLOOR = 1e-10  # of its own: densities stay finite, and above what rounding leaves of nothing
RANK_TOLERANCE = 1e-12  # of correlations' eigenvalues, which are off by some 1e-16 for each column


class LinearGaussianCPD(ShownCPD):
    """A normal distribution whose mean is linear in the parents.

    Parameters
    ----------
    intercept : float
        The mean where every parent is 0.
    coefficients : mapping of str to float
        What one unit of each parent adds to the mean.
    variance : float
        The variance around that mean, larger than 0.
    rank : int or None, default None
        How many parents are linearly independent; None where all are.

    Examples
    --------
    >>> from structlearn.models import LinearGaussianCPD
    >>> LinearGaussianCPD(1.0, {"dose": 0.5}, variance=0.25)
    <LinearGaussianCPD: N(1 + 0.5 dose, 0.25)>
    """

    form: ClassVar[str] = "linear-gaussian"
    kind: ClassVar[Kind] = "continuous"
    parent_kind: ClassVar[Kind | None] = "continuous"

    def __init__(
        self, intercept: float, coefficients: Mapping[str, float], *, variance: float, rank: int | None = None
    ) -> None:
        if not isinstance(coefficients, Mapping):
            raise DataError("LinearGaussianCPD: the coefficients are a mapping from each parent to a number.")
        self.intercept = _finite("intercept", intercept)
        self.coefficients = {
            name: _finite(f"coefficient of {name!r}", value) for name, value in coefficients.items()
        }
        self.variance = _finite("variance", variance)
        self.rank = rank
        if self.variance <= 0:
            raise DataError(f"LinearGaussianCPD: the variance must be larger than 0, not {variance!r}.")
        if rank is not None and rank not in range(len(self.coefficients) + 1):
            raise DataError(f"LinearGaussianCPD: the rank is a number of parents, not {rank!r}.")

    @classmethod
    def fit(cls, family: Family, *, smoothing: float = 0.0) -> Self:  # noqa: ARG003, a density has no cells
        """Estimate by maximum likelihood: least squares, and a variance divided by the size.

        Linearly dependent parents get the coefficients of least norm, each parent measured in its
        own standard deviation; the fitted means are those of any least-squares solution. A node
        that its parents determine exactly gets a tiny variance (1e-10 of its own) and a warning.
        """
        moments, name = family.statistics.moments(), family.name
        columns = [*family.parents, family.child]
        mean = (moments.mean + origins(family.statistics))[columns]
        covariance = moments.covariance[np.ix_(columns, columns)]
        deviations = np.sqrt(np.diag(covariance))
        deviations[deviations <= CONSTANT * np.abs(mean)] = 0.0
        if deviations[-1] == 0:
            raise DataError(
                f"Column {name!r} is constant, so it has no normal distribution. Drop it, or pass "
                f'kinds={{{name!r}: "discrete"}}.'
            )
        slopes, unexplained, rank = regress(covariance, deviations)
        return cls(
            float(mean[-1] - slopes @ mean[:-1]),
            dict(zip(family.parent_names, slopes.tolist(), strict=True)),
            variance=float(deviations[-1] ** 2) * _with_floor(unexplained, name),
            rank=None if rank == len(family.parents) else rank,
        )

    @property
    def labels(self) -> tuple[Label, ...]:
        """None: the node is continuous."""
        return ()

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents, in the order of the coefficients."""
        return tuple(self.coefficients)

    @property
    def n_parameters(self) -> int:
        """Intercept, variance, and a coefficient for each independent parent."""
        return 2 + (len(self.coefficients) if self.rank is None else self.rank)

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Any continuous parents will do."""

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log density of each row."""
        return normal_log_density(values - self._mean(parents, len(values)), self.variance)

    def normals(self, parents: Sequence[Rows], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the variance of each row."""
        return self._mean(parents, n), np.full(n, self.variance)

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw around each row's mean."""
        return self._mean(parents, n) + math.sqrt(self.variance) * rng.standard_normal(n)

    def as_table(self) -> None:
        """None: the node is continuous."""

    def to_dict(self) -> dict[str, Any]:
        """Give the parameters as plain numbers."""
        known = {"intercept": self.intercept, "coefficients": self.coefficients, "variance": self.variance}
        return known if self.rank is None else {**known, "rank": self.rank}

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a regression of what `to_dict` gave."""
        return cls(
            known["intercept"], known["coefficients"], variance=known["variance"], rank=known.get("rank")
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LinearGaussianCPD):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def shown(self) -> str:
        """The mean as a sum, and the variance."""
        terms = ((slope, name) for name, slope in self.coefficients.items())
        return f"N({sum_in_words(self.intercept, terms)}, {self.variance:g})"

    def __repr__(self) -> str:
        terms = [f"{self.intercept:g}", *(f"{slope:g} {name}" for name, slope in self.coefficients.items())]
        return f"<LinearGaussianCPD: N({' + '.join(terms)}, {self.variance:g})>"

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.intercept, tuple(self.coefficients.items()), self.variance, self.rank

    def _mean(self, parents: Sequence[Rows], n: int) -> NDArray[np.float64]:
        mean = np.full(n, self.intercept)
        for slope, values in zip(self.coefficients.values(), parents, strict=True):
            mean += slope * values
        return mean


def regress(
    covariance: NDArray[np.float64], deviations: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float, int]:
    """Regress the last column on the others: slopes, share of variance left, rank of the others."""
    # In units of standard deviations the rank does not depend on what a parent is measured in.
    scale = np.where(deviations > 0, deviations, np.inf)
    correlation = covariance / np.outer(scale, scale)
    among, with_child = correlation[:-1, :-1], correlation[:-1, -1]
    strengths, directions = np.linalg.eigh(among)
    kept = strengths > RANK_TOLERANCE * max(len(among), 1)
    directions = directions[:, kept]
    slopes = directions @ (directions.T @ with_child / strengths[kept])
    unexplained = 1 - 2 * slopes @ with_child + slopes @ among @ slopes
    return slopes * scale[-1] / scale[:-1], float(unexplained), int(kept.sum())


def _with_floor(share: float, name: str) -> float:
    if share > VARIANCE_FLOOR:
        return share
    warn(
        f"Column {name!r} is a linear function of its parents (or there are too few rows to tell), so "
        f"its variance was set to {VARIANCE_FLOOR:g} of its own. Drop one of these columns, or an edge."
    )
    return VARIANCE_FLOOR


def _finite(name: str, value: Any) -> float:
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):
            number = float(value)
            if math.isfinite(number):
                return number
    raise DataError(f"LinearGaussianCPD: the {name} must be a finite number, not {value!r}.")

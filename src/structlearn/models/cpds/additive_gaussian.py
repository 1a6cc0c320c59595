"""A linear regression on measurements and states: a continuous node with parents of any kind."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import checked_mapping, finite, finite_array, refuse_other_levels
from structlearn.models.cpds.densities import normal_log_density
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.linear_gaussian import VARIANCE_FLOOR
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD
from structlearn.rounding import CONSTANT
from structlearn.shown import Listing


class AdditiveGaussianCPD(ShownCPD):
    """A normal distribution whose mean adds up: a slope for each measurement, a shift for each state.

    `ConditionalGaussianCPD` has a regression for every joint state of the discrete parents instead, whose
    number is their product.

    Parameters
    ----------
    intercept : float
        The mean where every continuous parent is 0 and every discrete one in its first state.
    coefficients : mapping of str to float
        What one unit of each continuous parent adds to the mean.
    shifts : mapping of str to sequence of float
        What each state of each discrete parent adds to it; all are taken relative to the first.
    variance : float
        The variance around that mean, larger than 0.

    Examples
    --------
    >>> from structlearn.models import AdditiveGaussianCPD
    >>> AdditiveGaussianCPD(1.0, {"dose": 0.5}, shifts={"sex": [0.0, 2.0]}, variance=0.25)
    <AdditiveGaussianCPD: N(1 + [0, 2] sex + 0.5 dose, 0.25)>
    """

    form: ClassVar[str] = "additive-gaussian"
    kind: ClassVar[Kind] = "continuous"
    parent_kind: ClassVar[Kind | None] = None

    def __init__(
        self,
        intercept: float,
        coefficients: Mapping[str, float],
        *,
        shifts: Mapping[str, ArrayLike],
        variance: float,
    ) -> None:
        owner = type(self).__name__
        slopes, states = (checked_mapping(owner, "coefficients", m) for m in (coefficients, shifts))
        self.coefficients = {
            name: finite(owner, f"slope of {name!r}", slope) for name, slope in slopes.items()
        }
        given = {name: finite_array(owner, f"shifts of {name!r}", values) for name, values in states.items()}
        if set(given) & set(slopes) or any(values.ndim != 1 or not len(values) for values in given.values()):
            raise DataError(f"{owner}: a discrete parent has a shift for each state, and no coefficient.")
        first = sum(float(values[0]) for values in given.values())
        self.shifts = {name: tuple((values - values[0]).tolist()) for name, values in given.items()}
        self.intercept = finite(owner, "intercept", intercept) + first
        self.variance = finite(owner, "variance", variance)
        if self.variance <= 0:
            raise DataError(f"{owner}: the variance must be larger than 0, not {variance!r}.")

    @classmethod
    def fit(cls, family: Family, *, smoothing: float = 0.0) -> Self:  # noqa: ARG003, a density has no cells
        """Estimate by least squares; parents that say the same share what they explain."""
        rows = family.rows()
        weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
        response = rows.values[:, -1]
        mean = float(np.average(response, weights=weights))
        spread = float(np.average((response - mean) ** 2, weights=weights))
        if math.sqrt(spread) <= CONSTANT * abs(mean):
            raise DataError(
                f"Column {family.name!r} is constant, so it has no normal distribution. Drop it, or pass "
                f'kinds={{{family.name!r}: "discrete"}}.'
            )
        parents = list(zip(family.parent_names, family.parent_levels, rows.values.T, strict=False))
        units = {name: _centre_and_unit(values, weights) for name, levels, values in parents if not levels}
        blocks = {
            name: (values[:, None] == np.arange(1, levels))
            if levels
            else (values[:, None] - units[name][0]) / units[name][1]
            for name, levels, values in parents
        }
        design = np.hstack([np.ones((len(response), 1)), *blocks.values()])
        root = np.sqrt(weights)
        solved = np.linalg.lstsq(design * root[:, None], response * root, rcond=None)[0]
        left = float(np.average((response - design @ solved) ** 2, weights=weights))
        ends = np.cumsum([1, *(block.shape[1] for block in blocks.values())])
        parts = {name: solved[ends[k] : ends[k + 1]] for k, name in enumerate(blocks)}
        slopes = {name: float(parts[name][0] / unit) for name, (_, unit) in units.items()}
        return cls(
            float(solved[0]) - sum(slope * units[name][0] for name, slope in slopes.items()),
            slopes,
            shifts={name: [0.0, *part] for name, part in parts.items() if name not in units},
            variance=max(left, VARIANCE_FLOOR * spread),
        )

    @property
    def labels(self) -> tuple[Label, ...]:
        """None: the node is continuous."""
        return ()

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents: the discrete ones, then the continuous ones."""
        return (*self.shifts, *self.coefficients)

    @property
    def parent_levels(self) -> dict[str, int]:
        """The number of states of each parent; 0 for continuous ones."""
        return {name: len(values) for name, values in self.shifts.items()} | dict.fromkeys(
            self.coefficients, 0
        )

    @property
    def n_parameters(self) -> int:
        """Intercept, variance, slopes, and the shifts of all states but the first."""
        return 2 + len(self.coefficients) + sum(len(values) - 1 for values in self.shifts.values())

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents whose number of states is not that of their shifts."""
        refuse_other_levels(self.form, child, self.parent_levels, levels)

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log density of each row."""
        mean, variance = self.normals(parents, len(values))
        return normal_log_density(values - mean, variance)

    def normals(self, parents: Sequence[Rows], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the variance of each row."""
        mean = np.full(n, self.intercept)
        for shifts, codes in zip(self.shifts.values(), parents, strict=False):
            mean += np.array(shifts)[np.asarray(codes, dtype=np.int64)]
        for slope, values in zip(self.coefficients.values(), parents[len(self.shifts) :], strict=True):
            mean += slope * values
        return mean, np.full(n, self.variance)

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw around each row's mean."""
        mean, _ = self.normals(parents, n)
        return mean + math.sqrt(self.variance) * rng.standard_normal(n)

    def as_table(self) -> None:
        """None: the node is continuous."""

    def to_dict(self) -> dict[str, Any]:
        """Give the parameters as plain numbers."""
        shifts = {name: list(values) for name, values in self.shifts.items()}
        return {
            "intercept": self.intercept,
            "coefficients": dict(self.coefficients),
            "shifts": shifts,
            "variance": self.variance,
        }

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a regression of what `to_dict` gave."""
        return cls(
            known["intercept"], known["coefficients"], shifts=known["shifts"], variance=known["variance"]
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AdditiveGaussianCPD):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def shown(self) -> Listing:
        """What each state of each discrete parent, and each unit of the others, adds to the mean."""
        added = {"(always)": self.intercept}
        for name, shifts in self.shifts.items():
            states = zip(self.states_of(name, len(shifts)), shifts, strict=True)
            added |= {f"{name} = {state}": shift for state, shift in states}
        rows = [[name, f"{value:.4g}"] for name, value in (added | self.coefficients).items()]
        return Listing.of(["part", "adds to the mean"], [*rows, ["(variance)", f"{self.variance:.4g}"]])

    def __repr__(self) -> str:
        shifts = [
            f"[{', '.join(f'{value:g}' for value in values)}] {name}" for name, values in self.shifts.items()
        ]
        slopes = [f"{slope:g} {name}" for name, slope in self.coefficients.items()]
        mean = " + ".join([f"{self.intercept:g}", *shifts, *slopes])
        return f"<AdditiveGaussianCPD: N({mean}, {self.variance:g})>"

    @property
    def _identity(self) -> tuple[Any, ...]:
        parts = tuple(self.shifts.items()), tuple(self.coefficients.items())
        return self.intercept, parts, self.variance


def _centre_and_unit(values: Rows, weights: NDArray[np.float64]) -> tuple[float, float]:
    """The mean and the deviation of a parent: numbers far from 0 or 1 would hide what the others explain."""
    centre = float(np.average(values, weights=weights))
    unit = math.sqrt(np.average((values - centre) ** 2, weights=weights))
    return centre, unit if unit > CONSTANT * abs(centre) else 1.0

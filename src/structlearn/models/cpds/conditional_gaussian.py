"""A regression for each joint state of the discrete parents: a continuous node with parents of both kinds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import checked_mapping, finite_array, refuse_other_levels
from structlearn.models.cpds.conditional_gaussian_fit import fit_regimes
from structlearn.models.cpds.densities import normal_log_density
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD, sum_in_words
from structlearn.models.cpds.table import refuse_large_table
from structlearn.options import Flag, check_options
from structlearn.shown import first_lines


class ConditionalGaussianCPD(ShownCPD):
    """A normal distribution whose mean is linear in the continuous parents, by regime.

    A regime is a joint state of the discrete parents. Each has its own intercept, coefficients and
    variance.

    Parameters
    ----------
    intercepts : array of shape (levels of discrete parent 1, …, levels of discrete parent k)
        The mean in each regime where every continuous parent is 0; a number without discrete parents.
    coefficients : mapping of str to array of that shape
        What one unit of each continuous parent adds to the mean.
    variances : array of that shape
        The variance around that mean, larger than 0.
    regimes : mapping of str to states, or iterable of str
        The discrete parents, one for each axis, with their states; without them states are shown by number.
    pooled_variance : bool, default False
        Whether the variance is one parameter, the same in all regimes.
    is_pooled : array of that shape, optional
        The regimes that had too few rows of their own, and took the regression on all rows.

    References
    ----------
    .. [1] Lauritzen and Wermuth (1989), Graphical models for associations between variables, some of
       which are qualitative and some quantitative, Annals of Statistics 17.

    Examples
    --------
    >>> from structlearn.models import ConditionalGaussianCPD
    >>> slopes = {"dose": [0.5, -1.0]}
    >>> regimes = {"drug": ["no", "yes"]}
    >>> cpd = ConditionalGaussianCPD([1.0, 5.0], slopes, variances=[0.25, 1.0], regimes=regimes)
    >>> print(cpd)
    drug = no: N(1 + 0.5 dose, 0.25)
    drug = yes: N(5 - 1 dose, 1)
    """

    form: ClassVar[str] = "conditional-gaussian"
    kind: ClassVar[Kind] = "continuous"
    parent_kind: ClassVar[Kind | None] = None

    def __init__(
        self,
        intercepts: ArrayLike,
        coefficients: Mapping[str, ArrayLike],
        *,
        variances: ArrayLike,
        regimes: Mapping[str, Iterable[Label]] | Iterable[str],
        pooled_variance: bool = False,
        is_pooled: ArrayLike | None = None,
    ) -> None:
        self.regimes = _checked_names(regimes)
        self.intercepts = finite_array("ConditionalGaussianCPD", "intercepts", intercepts)
        known = checked_mapping("ConditionalGaussianCPD", "coefficients", coefficients)
        self.coefficients = {name: self._array(f"coefficients of {name!r}", known[name]) for name in known}
        self.variances = self._array("variances", variances)
        self.pooled_variance = bool(pooled_variance)
        flags = np.zeros(self.intercepts.shape) if is_pooled is None else self._array("flags", is_pooled)
        self.is_pooled: NDArray[np.bool_] = flags != 0
        self._check()
        self.states = self._checked_states(regimes)

    @classmethod
    def fit(cls, family: Family, *, smoothing: float = 0.0, pooled_variance: bool = False) -> Self:  # noqa: ARG003, a density has no cells
        """Estimate each regime by maximum likelihood: least squares, and a variance divided by the size.

        A regime with fewer rows than coefficients and one more, or with none, takes the
        regression on all rows; `is_pooled` says which. Linearly dependent parents are treated as
        `LinearGaussianCPD` does. A regime that the parents determine exactly gets a tiny variance (1e-10 of
        the node's own) and a warning.

        Parameters
        ----------
        family : Family
            The node and its parents in the data.
        smoothing : float, default 0.0
            Not used: there are no cells.
        pooled_variance : bool, default False
            Whether all regimes have one variance, that of all rows around the means of their regimes.
        """
        rules = {"pooled_variance": Flag("whether all regimes have one variance")}
        check_options("ConditionalGaussianCPD.fit", rules, {"pooled_variance": pooled_variance})
        discrete = [levels > 0 for levels in family.parent_levels]
        shape = tuple(levels for levels in family.parent_levels if levels)
        refuse_large_table(family.name, shape)
        found = fit_regimes(family, pooled_variance=pooled_variance)
        names = family.parent_names
        continuous = [name for name, is_discrete in zip(names, discrete, strict=True) if not is_discrete]
        return cls(
            found.intercepts.reshape(shape),
            {name: found.slopes[:, place].reshape(shape) for place, name in enumerate(continuous)},
            variances=found.variances.reshape(shape),
            regimes=_discrete_parents(family),
            pooled_variance=pooled_variance,
            is_pooled=found.is_pooled.reshape(shape),
        )

    @property
    def labels(self) -> tuple[Label, ...]:
        """None: the node is continuous."""
        return ()

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents: the discrete ones, then the continuous ones."""
        return (*self.regimes, *self.coefficients)

    @property
    def parent_levels(self) -> dict[str, int]:
        """The number of states of each parent; 0 for continuous ones."""
        discrete = dict(zip(self.regimes, self.intercepts.shape, strict=True))
        return {**discrete, **dict.fromkeys(self.coefficients, 0)}

    @property
    def n_parameters(self) -> int:
        """Intercept, coefficients and variance of each regime; one variance where it is pooled."""
        n_regimes = self.intercepts.size
        n_variances = 1 if self.pooled_variance else n_regimes
        return n_regimes * (1 + len(self.coefficients)) + n_variances

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents whose number of states is not the size of their axis."""
        refuse_other_levels(self.form, child, self.parent_levels, levels)

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log density of each row."""
        regimes, means = self._regimes_and_means(parents, len(values))
        return normal_log_density(values - means, self.variances.ravel()[regimes])

    def normals(self, parents: Sequence[Rows], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the variance of each row."""
        regimes, means = self._regimes_and_means(parents, n)
        return means, self.variances.ravel()[regimes]

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw around each row's mean."""
        regimes, means = self._regimes_and_means(parents, n)
        drawn: Rows = means + np.sqrt(self.variances.ravel()[regimes]) * rng.standard_normal(n)
        return drawn

    def as_table(self) -> None:
        """None: the node is continuous."""

    def to_dict(self) -> dict[str, Any]:
        """Give the parameters as lists."""
        known: dict[str, Any] = {
            "regimes": {name: list(states) for name, states in self.states.items()},
            "intercepts": self.intercepts.tolist(),
            "coefficients": {name: values.tolist() for name, values in self.coefficients.items()},
            "variances": self.variances.tolist(),
        }
        if self.pooled_variance:
            known["pooled_variance"] = True
        return {**known, "is_pooled": self.is_pooled.tolist()} if self.is_pooled.any() else known

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make regressions of what `to_dict` gave."""
        return cls(
            known["intercepts"],
            known["coefficients"],
            variances=known["variances"],
            regimes=known["regimes"],
            pooled_variance=known.get("pooled_variance", False),
            is_pooled=known.get("is_pooled"),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConditionalGaussianCPD):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        regimes = "1 regime" if self.intercepts.size == 1 else f"{self.intercepts.size} regimes"
        return f"<ConditionalGaussianCPD: {regimes}{given}, {self.n_parameters} parameters>"

    def shown(self) -> str:
        """The lines of the regimes."""
        return first_lines(map(self._line, np.ndindex(self.intercepts.shape)), self.intercepts.size)

    @property
    def _identity(self) -> tuple[Any, ...]:
        arrays = [self.intercepts, *self.coefficients.values(), self.variances, self.is_pooled]
        numbers = tuple((values.shape, values.tobytes()) for values in arrays)
        return self.parents, tuple(self.states.items()), numbers, self.pooled_variance

    def _line(self, regime: tuple[int, ...]) -> str:
        states = zip(self.states.items(), regime, strict=True)
        when = ", ".join(f"{name} = {labels[code]}" for (name, labels), code in states)
        terms = [(float(slopes[regime]), name) for name, slopes in self.coefficients.items()]
        mean = sum_in_words(float(self.intercepts[regime]), terms)
        return f"{when or 'always'}: N({mean}, {self.variances[regime]:g})"

    def _regimes_and_means(
        self, parents: Sequence[Rows], n: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        codes, values = parents[: len(self.regimes)], parents[len(self.regimes) :]
        regimes = np.zeros(n, dtype=np.int64)
        for code, size in zip(codes, self.intercepts.shape, strict=True):
            regimes = regimes * size + np.asarray(code, dtype=np.int64)
        means = self.intercepts.ravel()[regimes]
        for slopes, of_parent in zip(self.coefficients.values(), values, strict=True):
            means = means + slopes.ravel()[regimes] * of_parent
        return regimes, means

    def _array(self, what: str, values: ArrayLike) -> NDArray[np.float64]:
        numbers = finite_array("ConditionalGaussianCPD", what, values)
        if numbers.shape == self.intercepts.shape:
            return numbers
        raise DataError(
            f"ConditionalGaussianCPD: the {what} have the shape {numbers.shape} and the intercepts "
            f"{self.intercepts.shape}."
        )

    def _checked_states(self, regimes: Any) -> dict[str, tuple[Label, ...]]:
        found: dict[str, tuple[Label, ...]] = {}
        for name, n_states in zip(self.regimes, self.intercepts.shape, strict=True):
            given = regimes[name] if isinstance(regimes, Mapping) else range(n_states)
            states = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else ()
            are_labels = all(isinstance(state, Label) for state in states)
            if not are_labels or len(states) != n_states or len(set(states)) != n_states:
                raise DataError(f"ConditionalGaussianCPD: {name!r} needs {n_states} states, not {given!r}.")
            found[name] = states
        return found

    def _check(self) -> None:
        if len(self.regimes) != self.intercepts.ndim or not self.intercepts.size:
            raise DataError(
                f"ConditionalGaussianCPD: {len(self.regimes)} discrete parents need an array of intercepts "
                f"with an axis for each, not the shape {self.intercepts.shape}."
            )
        if set(self.regimes) & set(self.coefficients):
            raise DataError("ConditionalGaussianCPD: a parent is discrete or has coefficients, not both.")
        if not (self.variances > 0).all():
            raise DataError("ConditionalGaussianCPD: every variance must be larger than 0.")
        if self.pooled_variance and np.ptp(self.variances) > 0:
            raise DataError("ConditionalGaussianCPD: a pooled variance is the same in all regimes.")
        for array in (self.intercepts, *self.coefficients.values(), self.variances, self.is_pooled):
            array.setflags(write=False)


def _discrete_parents(family: Family) -> dict[str, tuple[Label, ...]]:
    """The states of each discrete parent; their codes where no labels are known."""
    labels = family.parent_labels or tuple(tuple(range(levels)) for levels in family.parent_levels)
    known = zip(family.parent_names, family.parent_levels, labels, strict=True)
    return {name: states for name, levels, states in known if levels}


def _checked_names(regimes: Any) -> tuple[str, ...]:
    if isinstance(regimes, Iterable) and not isinstance(regimes, str):
        names = tuple(regimes)
        if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
            return names
    raise DataError(f"ConditionalGaussianCPD: regimes are the different names of nodes, not {regimes!r}.")

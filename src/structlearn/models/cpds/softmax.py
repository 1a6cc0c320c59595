"""A softmax regression: a discrete node whose log odds add up over its parents."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import (
    checked_labels,
    checked_mapping,
    finite_array,
    refuse_other_levels,
)
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.observed_cells import observed_cells
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD, states_shown
from structlearn.models.cpds.softmax_fit import fit_softmax
from structlearn.models.cpds.table import refuse_large_table
from structlearn.models.kernels.drawing import draw_states
from structlearn.options import Between, OrNone, Rules, check_options
from structlearn.shown import Listing

RULES: Rules = {
    "penalty": OrNone(
        Between(0, 1e12, "what half the sum of squared weights costs"), "a millionth of the number of rows"
    )
}


class SoftmaxCPD(ShownCPD):
    """The probability of a state is proportional to the exponential of a sum over the parents.

    A discrete parent has a weight for each of its states but the first, a continuous one a weight for
    each unit. Only differences between states of the node matter: the first is the base, its numbers
    are subtracted from those of the others and become 0.

    Parameters
    ----------
    intercepts : array of shape (states,)
        The sum where discrete parents are in their first state and continuous ones are 0.
    weights : mapping of str to array
        What each parent adds: an array (states of the parent - 1, states) where it is discrete, and
        (states,) where it is continuous.
    labels : iterable of str, int, float or bool
        The states of the node.
    separated : bool, default False
        Whether only the penalty kept the weights finite when this was fitted.

    Notes
    -----
    A table of q joint states of the parents has q (r - 1) parameters, a softmax one (r - 1) for each
    state of each parent but the first and for each continuous parent, and r - 1 more. The survey prints
    the sum without its intercept, and over state numbers; indicators of states take the place of those.

    Examples
    --------
    >>> from structlearn.models import SoftmaxCPD
    >>> cpd = SoftmaxCPD([0.0, 1.0], {"dose": [0.0, -0.5]}, labels=["well", "ill"])
    >>> cpd
    <SoftmaxCPD: 2 states given dose, 2 parameters>
    >>> cpd.log_probability([0, 1], [[2.0, 2.0]]).round(4)
    array([-0.6931, -0.6931])
    """

    form: ClassVar[str] = "softmax"
    kind: ClassVar[Kind] = "discrete"
    parent_kind: ClassVar[Kind | None] = None

    def __init__(
        self,
        intercepts: ArrayLike,
        weights: Mapping[str, ArrayLike],
        *,
        labels: Iterable[Label],
        separated: bool = False,
    ) -> None:
        self.labels = checked_labels("SoftmaxCPD", labels)
        self.intercepts = self._checked("intercepts", intercepts, {(len(self.labels),)})
        known = checked_mapping("SoftmaxCPD", "weights", weights)
        self.weights = {name: self._checked_weights(name, values) for name, values in known.items()}
        self.separated = bool(separated)

    @classmethod
    def fit(cls, family: Family, *, smoothing: float = 0.0, penalty: float | None = None) -> Self:
        """Estimate by maximum likelihood, less `penalty` times half the sum of squared weights.

        Parameters
        ----------
        family : Family
            The node and its parents in the data.
        smoothing : float, default 0.0
            Pseudo-rows, with the parents as in the data and the states of the node all alike.
        penalty : float, optional
            The ridge. By default a millionth of the number of rows, which a fit does not show unless
            rows leave no doubt about the node. Continuous parents are measured in their standard
            deviations for it; the intercepts are free. With 0 the estimate is that of maximum
            likelihood.

        Warns
        -----
        DataWarning
            A state never occurs, or the likelihood grows without limit with the weights; `separated`
            is then True.
        """
        check_options("SoftmaxCPD.fit", RULES, {"penalty": penalty})
        cells = observed_cells(family).smoothed(smoothing)
        found = fit_softmax(family, cells, penalty=1e-6 * cells.size if penalty is None else penalty)
        return cls(found.intercepts, found.weights, labels=family.labels, separated=found.separated)

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents, in the order of the weights."""
        return tuple(self.weights)

    @property
    def parent_levels(self) -> dict[str, int]:
        """The number of states of each parent; 0 for continuous ones."""
        return {name: len(values) + 1 if values.ndim == 2 else 0 for name, values in self.weights.items()}

    @property
    def n_parameters(self) -> int:
        """The numbers of all states but the first."""
        columns = 1 + sum(levels - 1 if levels else 1 for levels in self.parent_levels.values())
        return (len(self.labels) - 1) * columns

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents whose number of states does not fit their weights."""
        refuse_other_levels(self.form, child, self.parent_levels, levels)

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log probability of each row."""
        logs = log_softmax(self._sums(parents, len(values)), axis=1)
        found: NDArray[np.float64] = logs[np.arange(len(values)), values]
        return found

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw codes by inverting the cumulative distribution of each row."""
        cumulative = np.cumsum(np.exp(log_softmax(self._sums(parents, n), axis=1)), axis=1)
        cumulative /= cumulative[:, -1:]
        states: Rows = draw_states(cumulative, np.arange(n), rng.random(n))
        return states

    def as_table(self) -> NDArray[np.float64] | None:
        """Give each probability where all parents are discrete, None elsewhere."""
        levels = tuple(self.parent_levels.values())
        if 0 in levels:
            return None
        shape = (*levels, len(self.labels))
        refuse_large_table("a softmax CPD", shape)
        n_cells = math.prod(levels)
        states = np.indices(levels).reshape(len(levels), n_cells)
        sums = self._sums(list(states), n_cells)
        table: NDArray[np.float64] = np.exp(log_softmax(sums, axis=1)).reshape(shape)
        return table

    def to_dict(self) -> dict[str, Any]:
        """Give labels, intercepts and weights as lists."""
        known: dict[str, Any] = {
            "labels": list(self.labels),
            "intercepts": self.intercepts.tolist(),
            "weights": {name: values.tolist() for name, values in self.weights.items()},
        }
        return {**known, "separated": True} if self.separated else known

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a softmax regression of what `to_dict` gave."""
        return cls(
            known["intercepts"],
            known["weights"],
            labels=known["labels"],
            separated=known.get("separated", False),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SoftmaxCPD):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def shown(self) -> Listing:
        """What each state of each parent, or each unit, adds to the log odds against the first state."""
        heads, n_shown = states_shown(self.labels[1:])
        numbers = {"(always)": self.intercepts}
        for name, values in self.weights.items():
            if values.ndim == 1:
                numbers[name] = values
            else:
                states = self.states_of(name, len(values) + 1)[1:]
                numbers |= {f"{name} = {state}": row for state, row in zip(states, values, strict=True)}
        cut = [""] * (len(heads) - n_shown)
        rows = [
            [name, *(f"{value:.4g}" for value in row[1 : n_shown + 1]), *cut] for name, row in numbers.items()
        ]
        return Listing.of([f"log odds against {self.labels[0]}", *heads], rows)

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        return f"<SoftmaxCPD: {len(self.labels)} states{given}, {self.n_parameters} parameters>"

    @property
    def _identity(self) -> tuple[Any, ...]:
        numbers = tuple((name, values.shape, values.tobytes()) for name, values in self.weights.items())
        return self.labels, self.intercepts.tobytes(), numbers, self.separated

    def _sums(self, parents: Sequence[Rows], n: int) -> NDArray[np.float64]:
        sums = np.tile(self.intercepts, (n, 1))
        for weights, values in zip(self.weights.values(), parents, strict=True):
            if weights.ndim == 1:
                sums += np.multiply.outer(np.asarray(values, dtype=np.float64), weights)
            else:
                sums += np.vstack([np.zeros(len(self.labels)), weights])[values]
        return sums

    def _checked_weights(self, name: str, values: ArrayLike) -> NDArray[np.float64]:
        """The weights of a parent; those of a parent with one state are an empty list in JSON."""
        r, numbers = len(self.labels), finite_array("SoftmaxCPD", f"weights of {name!r}", values)
        if not numbers.size:
            numbers = np.zeros((0, r))
        shapes = {(r,), (len(numbers) if numbers.ndim else 0, r)}
        return self._checked(f"weights of {name!r}", numbers, shapes)

    def _checked(self, what: str, values: ArrayLike, shapes: set[tuple[int, ...]]) -> NDArray[np.float64]:
        numbers = finite_array("SoftmaxCPD", what, values)
        if numbers.shape not in shapes:
            raise DataError(
                f"SoftmaxCPD: the {what} need a number for each of the {len(self.labels)} states along the "
                f"last axis, and have the shape {numbers.shape}."
            )
        numbers = numbers - numbers[..., :1]
        numbers.setflags(write=False)
        return numbers

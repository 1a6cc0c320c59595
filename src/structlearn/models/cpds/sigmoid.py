"""A sigmoid unit: a node that is off or on, with log odds linear in its parents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.models.cpds.arguments import (
    checked_mapping,
    checked_names,
    finite,
    refuse_other_levels,
    two_labels,
)
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD, sum_in_words
from structlearn.models.cpds.softmax import SoftmaxCPD
from structlearn.models.cpds.switches import refuse_other_than_switches, switch_states, table_of_switches


class SigmoidCPD(ShownCPD):
    """A node of two states that is on with probability 1 / (1 + exp(-z)), z linear in the parents.

    The second state is on. A discrete parent has two states and counts as 0 or 1, a continuous one as
    its number. A network of such nodes is a sigmoid belief network.

    Parameters
    ----------
    bias : float
        The log odds of being on where every parent is off, or 0.
    weights : mapping of str to float
        What each parent adds to the log odds when it is on, or for each unit.
    labels : iterable of str, int, float or bool
        The two states of the node, off before on.
    continuous : iterable of str, default ()
        The parents that are continuous.
    separated : bool, default False
        Whether only the penalty kept the weights finite when this was fitted.

    References
    ----------
    .. [1] R. M. Neal. Connectionist learning of belief networks. Artificial Intelligence, 1992.

    Examples
    --------
    >>> from structlearn.models import SigmoidCPD
    >>> cpd = SigmoidCPD(-1.0, {"rain": 2.0}, labels=["dry", "wet"])
    >>> cpd
    <SigmoidCPD: log odds -1 + 2 rain>
    >>> cpd.as_table().round(4)
    array([[0.7311, 0.2689],
           [0.2689, 0.7311]])
    """

    form: ClassVar[str] = "sigmoid"
    kind: ClassVar[Kind] = "discrete"
    parent_kind: ClassVar[Kind | None] = None

    def __init__(
        self,
        bias: float,
        weights: Mapping[str, float],
        *,
        labels: Iterable[Label],
        continuous: Iterable[str] = (),
        separated: bool = False,
    ) -> None:
        self.labels = two_labels("SigmoidCPD", labels)
        self.bias = finite("SigmoidCPD", "bias", bias)
        known = checked_mapping("SigmoidCPD", "weights", weights)
        self.weights = {
            name: finite("SigmoidCPD", f"weight of {name!r}", value) for name, value in known.items()
        }
        self.continuous = checked_names("SigmoidCPD", "continuous", continuous, self.weights)
        self.separated = bool(separated)

    @classmethod
    def fit(cls, family: Family, *, smoothing: float = 0.0, penalty: float | None = None) -> Self:
        """Estimate by logistic regression: `SoftmaxCPD.fit` with two states, and its options."""
        refuse_other_than_switches(cls.form, family, continuous=True)
        found = SoftmaxCPD.fit(family, smoothing=smoothing, penalty=penalty)
        return cls(
            float(found.intercepts[1]),
            {name: float(values[..., 1].item()) for name, values in found.weights.items()},
            labels=family.labels,
            continuous=[name for name, levels in found.parent_levels.items() if not levels],
            separated=found.separated,
        )

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents, in the order of the weights."""
        return tuple(self.weights)

    @property
    def n_parameters(self) -> int:
        """The bias and the weights."""
        return 1 + len(self.weights)

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse discrete parents that do not have two states."""
        expected = {name: 0 if name in self.continuous else 2 for name in self.parents}
        refuse_other_levels(self.form, child, expected, levels)

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log probability of each row."""
        against = np.where(np.asarray(values) == 1, -1.0, 1.0) * self._log_odds(parents, len(values))
        return -np.logaddexp(0.0, against)

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw codes: on where a logistic draw lies below the log odds."""
        drawn: Rows = (rng.logistic(size=n) < self._log_odds(parents, n)).astype(np.int64)
        return drawn

    def as_table(self) -> NDArray[np.float64] | None:
        """Give each probability where all parents are discrete, None elsewhere."""
        if self.continuous:
            return None
        states = switch_states(self.form, len(self.weights))
        shares_on = np.exp(self.log_probability(np.ones(states.shape[1]), list(states)))
        return table_of_switches(shares_on, len(self.weights))

    def to_dict(self) -> dict[str, Any]:
        """Give labels, bias and weights as plain numbers."""
        known: dict[str, Any] = {"labels": list(self.labels), "bias": self.bias, "weights": self.weights}
        if self.continuous:
            known["continuous"] = list(self.continuous)
        return {**known, "separated": True} if self.separated else known

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a sigmoid unit of what `to_dict` gave."""
        return cls(
            known["bias"],
            known["weights"],
            labels=known["labels"],
            continuous=known.get("continuous", ()),
            separated=known.get("separated", False),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SigmoidCPD):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def shown(self) -> str:
        """The log odds of being on, as a sum."""
        terms = [(weight, self._term(name)) for name, weight in self.weights.items()]
        return f"log odds of {self.labels[1]}: {sum_in_words(self.bias, terms)}"

    def _term(self, name: str) -> str:
        return name if name in self.continuous else f"[{name} = {self.states_of(name, 2)[1]}]"

    def __repr__(self) -> str:
        terms = [f"{self.bias:g}", *(f"{weight:g} {name}" for name, weight in self.weights.items())]
        return f"<SigmoidCPD: log odds {' + '.join(terms)}>"

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.labels, self.bias, tuple(self.weights.items()), frozenset(self.continuous), self.separated

    def _log_odds(self, parents: Sequence[Rows], n: int) -> NDArray[np.float64]:
        sums = np.full(n, self.bias)
        for weight, values in zip(self.weights.values(), parents, strict=True):
            sums += weight * np.asarray(values, dtype=np.float64)
        return sums

"""What a query gives back: tables of probabilities, normal distributions, mixtures, most probable states."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.inference.states import code_of
from structlearn.shown import Listed, Listing

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Listed):
    """The probability of each joint state of some discrete nodes.

    `probabilities` has an axis per name, in the order asked, with the states in the order of `labels`.
    `answer["yes"]`, or `answer["yes", "no"]` for two names, is one of them. `error` has, for approximate
    methods that know it, the standard error of each.

    Examples
    --------
    >>> import structlearn as sl
    >>> answer = sl.example("asia").query("lung", {"smoke": "yes"})
    >>> answer["yes"]
    0.1
    >>> print(answer)
    lung  probability
    yes        0.1000
    no         0.9000
    """

    names: tuple[str, ...]
    labels: dict[str, tuple[Label, ...]]
    probabilities: Floats
    method: str = "exact"
    error: Floats | None = None
    find_log_evidence: Callable[[], float] | None = None

    @cached_property
    def log_evidence(self) -> float | None:
        """The natural logarithm of the probability of the evidence; found when first asked for."""
        return None if self.find_log_evidence is None else self.find_log_evidence()

    def __getitem__(self, states: Any) -> float:
        wanted = states if isinstance(states, tuple) and len(self.names) != 1 else (states,)
        if len(wanted) != len(self.names):
            raise DataError(f"answer[…] takes a state of each of {', '.join(self.names)}, not {states!r}.")
        cell = tuple(
            code_of(name, self.labels[name], state) for name, state in zip(self.names, wanted, strict=True)
        )
        return float(self.probabilities[cell])

    def to_dict(self) -> dict[Any, float]:
        """Give the probability of each state; the keys are tuples unless there is one name."""
        states = product(*(self.labels[name] for name in self.names))
        keys: list[Any] = [state[0] for state in states] if len(self.names) == 1 else list(states)
        return dict(zip(keys, self.probabilities.ravel().tolist(), strict=True))

    def listing(self) -> Listing:
        """The table that is shown."""
        states = product(*(map(str, self.labels[name]) for name in self.names))
        rows = ([*state, f"{p:.4f}"] for state, p in zip(states, self.probabilities.flat, strict=True))
        n_left = len(self.names)
        return Listing.of([*self.names, "probability"], rows, n_left=n_left, n_rows=self.probabilities.size)

    def __repr__(self) -> str:
        return f"<Answer: {self.method}>\n{self}"


@dataclass(frozen=True, eq=False, repr=False)
class GaussianAnswer(Listed):
    """The joint normal distribution of some continuous nodes.

    `covariance` is in the order of `names`. A node that is known has the variance 0.
    """

    names: tuple[str, ...]
    mean: Floats
    covariance: Floats
    method: str = "exact"
    log_evidence: float | None = None

    @property
    def weights(self) -> Floats:
        """The weight of the one component."""
        return np.ones(1)

    @property
    def means(self) -> Floats:
        """The mean of the one component, (1, names)."""
        return self.mean[None]

    @property
    def covariances(self) -> Floats:
        """The covariance of the one component, (1, names, names)."""
        return self.covariance[None]

    def listing(self) -> Listing:
        """The table that is shown."""
        return moments_listed(self.names, self.mean, self.covariance)

    def __repr__(self) -> str:
        return f"<GaussianAnswer: {self.method}>\n{self}"


@dataclass(frozen=True, eq=False, repr=False)
class MixtureAnswer(Listed):
    """A mixture of normal distributions: continuous nodes of a network that has discrete ones too.

    `weights` has a number per component, `means` is (components, names) and `covariances`
    (components, names, names). `mean` and `covariance` are those of the whole mixture. Where discrete nodes
    are asked for as well, `discrete` is their `Answer`, and `states` has their joint state by component.
    """

    names: tuple[str, ...]
    weights: Floats
    means: Floats
    covariances: Floats
    method: str = "exact"
    log_evidence: float | None = None
    discrete: Answer | None = None
    states: tuple[tuple[Label, ...], ...] | None = None

    @cached_property
    def mean(self) -> Floats:
        """The mean of the mixture."""
        mean: Floats = self.weights @ self.means
        return mean

    @cached_property
    def covariance(self) -> Floats:
        """The covariance of the mixture: within the components and between them."""
        apart = self.means - self.mean
        within = np.einsum("k,kij->ij", self.weights, self.covariances)
        covariance: Floats = within + np.einsum("k,ki,kj->ij", self.weights, apart, apart)
        return covariance

    def listing(self) -> Listing:
        """The table that is shown."""
        return moments_listed(self.names, self.mean, self.covariance)

    def __repr__(self) -> str:
        return f"<MixtureAnswer: {self.method}, {len(self.weights)} components>\n{self}"


@dataclass(frozen=True, eq=False, repr=False)
class MostProbable(Listed):
    """The most probable joint state of some nodes; of a continuous one the number.

    `log_probability` is the natural logarithm of the probability (density) of these states together with the
    evidence; take `log_evidence` off for the probability given the evidence.
    """

    states: dict[str, Any]
    log_probability: float
    find_log_evidence: Callable[[], float] | None = None

    @property
    def probability(self) -> float:
        """The probability (density) of these states together with the evidence."""
        with np.errstate(over="ignore"):
            return float(np.exp(self.log_probability))

    @cached_property
    def log_evidence(self) -> float | None:
        """The natural logarithm of the probability of the evidence; found when first asked for."""
        return None if self.find_log_evidence is None else self.find_log_evidence()

    def listing(self) -> Listing:
        """The table that is shown."""
        shown = {n: f"{s:.12g}" if isinstance(s, float) else str(s) for n, s in self.states.items()}
        rows = [[name, state] for name, state in shown.items()]
        return Listing.of(["node", "state"], rows, n_left=2)

    def __repr__(self) -> str:
        return f"<MostProbable: log probability {self.log_probability:.6g}>\n{self}"


def moments_listed(names: tuple[str, ...], mean: Floats, covariance: Floats) -> Listing:
    """A small table of means and standard deviations."""
    deviations = np.sqrt(np.maximum(np.diag(covariance), 0.0)).tolist()
    numbers = zip(names, mean.tolist(), deviations, strict=True)
    return Listing.of(
        ["node", "mean", "deviation"], [[name, f"{m:.4g}", f"{d:.4g}"] for name, m, d in numbers]
    )

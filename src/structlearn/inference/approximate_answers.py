"""Answers of approximate methods: with how far off they may be, and whether the method ran well."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from structlearn.inference.answers import Answer, Floats, moments_listed
from structlearn.shown import Listed, Listing


@dataclass(frozen=True, eq=False, repr=False)
class WeightedAnswer(Answer):
    """Probabilities from weighted rows.

    `effective_size` is how many rows of equal weight would be as good, of the `n_rows` that were drawn.

    Examples
    --------
    >>> import structlearn as sl
    >>> answer = sl.example("asia").query("lung", {"smoke": "yes"}, method="weighting", random_state=0)
    >>> bool(abs(answer["yes"] - 0.1) < 4 * answer.standard_error[0]), answer.n_rows
    (True, 100000)
    """

    n_rows: int = 0
    effective_size: float = 0.0

    @property
    def standard_error(self) -> Floats | None:
        """The standard error of each probability."""
        return self.error


@dataclass(frozen=True, eq=False, repr=False)
class SampleAnswer(Listed):
    """Continuous nodes by weighted rows: `values` is (rows, names), and `weights` sums to 1.

    `standard_error` is that of each mean. Where discrete nodes are asked for as well, `discrete` is their
    answer, from the same rows.
    """

    names: tuple[str, ...]
    values: Floats
    weights: Floats
    mean: Floats
    covariance: Floats
    standard_error: Floats
    effective_size: float
    log_evidence: float | None = None
    discrete: Answer | None = None
    method: str = "weighting"

    @property
    def n_rows(self) -> int:
        """How many rows were drawn."""
        return len(self.weights)

    def listing(self) -> Listing:
        """The table that is shown."""
        return moments_listed(self.names, self.mean, self.covariance)

    def __repr__(self) -> str:
        return f"<SampleAnswer: {self.method}>\n{self}"


@dataclass(frozen=True, eq=False, repr=False)
class GibbsAnswer(Answer):
    """Probabilities from Markov chains.

    `r_hat` is near 1 for each name where the chains agree, and `effective_size` how many independent draws
    they are worth. `blocks` are the names that were drawn together because zeros bind them.

    Examples
    --------
    >>> import structlearn as sl
    >>> model = sl.example("asia")
    >>> answer = model.query("lung", {"xray": "yes"}, method="gibbs", sweeps=1000, random_state=0)
    >>> answer.blocks, answer.r_hat["lung"] < 1.1
    ((('tub', 'lung', 'either'),), True)
    """

    r_hat: Mapping[str, float] = field(default_factory=dict)
    effective_size: Mapping[str, float] = field(default_factory=dict)
    n_chains: int = 0
    n_sweeps: int = 0
    blocks: tuple[tuple[str, ...], ...] = ()

    @property
    def standard_error(self) -> Floats | None:
        """The Monte Carlo standard error of each probability; None where there are very many."""
        return self.error


@dataclass(frozen=True, eq=False, repr=False)
class PseudoGibbsAnswer(GibbsAnswer):
    """Probabilities from the ordered pseudo-Gibbs sampler of a dependency network.

    `order` is that in which a sweep drew the nodes that the names depend on; where the local distributions
    do not agree the answer depends on it. It is empty where no chain was needed, `method` is then "direct".
    """

    order: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class LoopyAnswer(Answer):
    """Probabilities from messages: exact on a tree, approximate where there are cycles.

    `log_z` is Bethe's approximation of the logarithm of the sum over all states that agree with the evidence.
    Where the messages did not settle (`converged` is False) the numbers mean little.

    Examples
    --------
    >>> import structlearn as sl
    >>> answer = sl.example("cancer").query("Cancer", {"Dyspnoea": "True"}, method="loopy")
    >>> answer.converged, round(answer["True"], 4)  # a tree: 0.65 · 0.01163 / 0.3040705
    (True, 0.0249)
    """

    converged: bool = False
    n_sweeps: int = 0
    damping: float = 0.0
    log_z: float = np.nan

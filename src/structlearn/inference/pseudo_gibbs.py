"""The ordered pseudo-Gibbs sampler of dependency networks.

Heckerman, Chickering, Meek, Rounthwaite and Kadie (2000), Dependency networks for inference, collaborative
filtering, and data visualization.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.errors import warn, within_memory
from structlearn.models.codes import drawn_column
from structlearn.models.cpds import Rows
from structlearn.options import Rules, Whole, check_options
from structlearn.options.seeds import generator_of

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel

Floats = NDArray[np.float64]
SAMPLE_RULES: Rules = {
    "n": Whole(1, "the number of rows to draw"),
    "sweeps": Whole(1, "how often each chain draws every node before it gives a row"),
}


class Sampler:
    """Chains side by side, with the evidence held fixed; only what the watched nodes depend on is drawn.

    Nodes that no watched node depends on, not even through others, cannot change their distribution.
    """

    def __init__(
        self,
        model: "DependencyModel",
        known: Mapping[str, float],
        watched: Sequence[str],
        *,
        chains: int,
        rng: np.random.Generator,
    ) -> None:
        needed = needed_for(model, known, watched)
        self.order = tuple(node for node in model.order if node in needed)
        self.watched, self._n, self._rng, self._model = tuple(watched), chains, rng, model
        self._state: dict[str, Rows] = {name: np.full(chains, value) for name, value in known.items()}
        self._state |= {node: self._start(node) for node in self.order}

    def run(self, sweeps: int) -> Mapping[str, Rows]:
        """Draw every node so often, in the order, and give the values in all chains."""
        for _ in range(sweeps):
            for node in self.order:
                self._state[node] = self._model.conditionals[node].draw(self._state, self._n, self._rng)
        return self._state

    def watch(self, sweeps: int) -> "Seen":
        """Make so many sweeps, and keep what the watched nodes draw, and from which probabilities."""
        size = (self._n, sweeps)
        drawn = {node: np.zeros(size, dtype=self._state[node].dtype) for node in self.watched}
        shares = {node: np.zeros((*size, len(self._model.cpds[node].labels))) for node in self.watched}
        for sweep in range(sweeps):
            for node in self.order:
                here = self._model.conditionals[node]
                if node in shares and here.is_discrete:
                    shares[node][:, sweep] = here.shares(self._state, self._n)
                self._state[node] = here.draw(self._state, self._n, self._rng)
                if node in drawn:
                    drawn[node][:, sweep] = self._state[node]
        return Seen(drawn, shares)

    def _start(self, node: str) -> Rows:
        if node in self._model.labels:
            return self._rng.integers(0, len(self._model.labels[node]), self._n)
        mean, spread = self._model.starts[node]
        return mean + spread * self._rng.standard_normal(self._n)


@dataclass(frozen=True, eq=False)
class Seen:
    """What nodes drew, (chains, sweeps) each, and the probabilities behind it, (chains, sweeps, states).

    Those are of the moment at which a sweep drew the node: where the distributions do not agree, its parents
    may since have moved on to others.
    """

    drawn: Mapping[str, Rows]
    shares: Mapping[str, Floats]

    def and_then(self, later: "Seen") -> "Seen":
        """These sweeps, and those that followed."""
        return Seen(
            {node: np.concatenate([rows, later.drawn[node]], axis=1) for node, rows in self.drawn.items()},
            {node: np.concatenate([rows, later.shares[node]], axis=1) for node, rows in self.shares.items()},
        )


def needed_for(model: "DependencyModel", known: Mapping[str, float], names: Iterable[str]) -> set[str]:
    """The nodes that some depend on and they themselves, as far as the evidence leaves them open."""
    found: set[str] = set()
    waiting = [name for name in names if name not in known]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += [parent for parent in model.cpds[node].parents if parent not in known]
    return found


def warn_of_zeros(owner: str, model: "DependencyModel", nodes: Iterable[str]) -> None:
    """Warn where a probability is zero: the sampler may then end in different distributions."""
    for node in nodes:
        table = model.conditionals[node].table
        if table is None:
            table = getattr(model.cpds[node], "probabilities", None)
        if table is not None and (np.asarray(table) == 0.0).any():
            warn(
                f"{owner}: a probability of {node!r} is zero, so that chains may not reach every state and "
                "where they end may depend on where they begin. Smooth the distributions."
            )
            return


@within_memory("sample: so many rows do not fit in memory. Draw fewer at a time.")
def drawn_rows(
    model: "DependencyModel",
    n: int,
    *,
    sweeps: int = 100,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Rows from as many chains, each after so many sweeps."""
    check_options("sample", SAMPLE_RULES, {"n": n, "sweeps": sweeps})
    warn_of_zeros("sample", model, model.nodes)
    rng = generator_of("sample", random_state)
    state = Sampler(model, {}, model.nodes, chains=n, rng=rng).run(sweeps)
    return Dataset.from_columns([drawn_column(node, cpd, state[node]) for node, cpd in model.cpds.items()])

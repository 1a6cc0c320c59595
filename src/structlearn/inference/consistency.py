"""How far the local distributions of a dependency network are from those of one joint distribution."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from structlearn.data import Dataset, DiscreteColumn
from structlearn.errors import DataError, OptionError
from structlearn.inference.answers import Floats
from structlearn.inference.parts import Integers as Codes
from structlearn.inference.pseudo_gibbs import SAMPLE_RULES, drawn_rows
from structlearn.inference.stationary import MOST_STATES, local_table, n_joint_states, stationary
from structlearn.options import check_options
from structlearn.options.seeds import generator_of

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel


@dataclass(frozen=True, slots=True)
class Consistency:
    """The divergence of each node, in nats, and how it was found: "exact", or a bound by "pairs" of nodes."""

    by_node: Mapping[str, float]
    method: str

    @property
    def total(self) -> float:
        """The sum over all nodes."""
        return float(sum(self.by_node.values()))

    @property
    def worst(self) -> str:
        """The node whose distribution agrees least with the joint."""
        return max(self.by_node, key=lambda node: self.by_node[node])

    def __str__(self) -> str:
        return f"{self.total:.4g} nats over {len(self.by_node)} nodes ({self.method}), most at {self.worst!r}"


def consistency_of(
    model: "DependencyModel",
    method: str | None = None,
    *,
    n: int = 10_000,
    sweeps: int = 100,
    random_state: int | np.random.Generator | None = 0,
) -> Consistency:
    """Compare the joint that the sampler ends in with what it is after one more draw of each node.

    The joint π has the conditionals of all nodes exactly if no such draw changes it. For node i the measure
    is KL(π ‖ π after a draw of i), the expected log ratio of π(x_i | all others) and p_i(x_i | its parents).
    """
    check_options("consistency", SAMPLE_RULES, {"n": n, "sweeps": sweeps})
    rng = generator_of("consistency", random_state)
    if model.labels.keys() != set(model.nodes):
        raise DataError("consistency takes a network of discrete nodes.")
    usual = "exact" if n_joint_states(model, model.nodes) <= MOST_STATES else "pairs"
    chosen = method or usual
    if chosen == "exact":
        return Consistency(_exactly(model), "exact")
    if chosen == "pairs":
        rows = drawn_rows(model, n, sweeps=sweeps, random_state=rng)
        return Consistency(_by_pairs(model, rows), "pairs")
    raise OptionError(f"consistency(method={method!r}): method is 'exact', 'pairs' or None.")


def _exactly(model: "DependencyModel") -> dict[str, float]:
    order, joint = stationary(model, {}, model.nodes)
    found = {}
    for axis, node in enumerate(order):
        redrawn = joint.sum(axis=axis, keepdims=True) * local_table(model, node, order, {})
        found[node] = _divergence(joint, redrawn)
    return {node: found[node] for node in model.nodes}


def _by_pairs(model: "DependencyModel", rows: Dataset) -> dict[str, float]:
    """The largest divergence of a node beside one that it depends on or that depends on it."""
    state = {c.name: c.codes.astype(np.int64) for c in rows.columns if isinstance(c, DiscreteColumn)}
    found = {}
    for node in model.nodes:
        shares = model.conditionals[node].shares(state, rows.n_rows)
        others = model.graph.adjacent(node)
        pairs = [_pair_divergence(state[node], shares, state[other]) for other in others]
        found[node] = max(pairs, default=0.0)
    return found


def _pair_divergence(codes: Codes, shares: Floats, other: Codes) -> float:
    n, n_states = len(shares), int(shares.shape[1])
    drawn, expected = np.zeros((2, int(other.max()) + 1, n_states))
    np.add.at(drawn, (other, codes), 1.0 / n)
    np.add.at(expected, other, shares / n)
    # What chance alone makes of it on average: half a chi-square of the cells that are free.
    by_chance = len(drawn) * (n_states - 1) / (2.0 * n)
    return max(_divergence(drawn, expected) - by_chance, 0.0)


def _divergence(one: Floats, other: Floats) -> float:
    is_there = one > 0.0
    with np.errstate(divide="ignore"):
        logs = np.log(one[is_there] / other[is_there])
    return max(float(one[is_there] @ logs), 0.0)

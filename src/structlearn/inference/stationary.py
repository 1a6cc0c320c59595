"""What the ordered pseudo-Gibbs sampler ends in, found without sampling where states are few."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.inference.pseudo_gibbs import needed_for

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel

Floats = NDArray[np.float64]
MOST_STATES = 2**12  # twelve binary nodes: the matrix of a sweep takes 128 MiB, and solving some seconds


def n_joint_states(model: "DependencyModel", nodes: Sequence[str]) -> int:
    """How many joint states some nodes have; more than any number where one is continuous."""
    if any(node not in model.labels for node in nodes):
        return MOST_STATES + 1
    return math.prod(len(model.labels[node]) for node in nodes)


def stationary(
    model: "DependencyModel", known: Mapping[str, float], names: Sequence[str]
) -> tuple[tuple[str, ...], Floats]:
    """The nodes that some names depend on, and the distribution of their joint states: an axis each.

    It is the row vector that the product of the nodes' transition matrices, in the order, leaves as it is.
    """
    needed = needed_for(model, known, names)
    order = tuple(node for node in model.order if node in needed)
    _refuse_many(model, order)
    tables = [local_table(model, node, order, known) for node in order]
    shape = [len(model.labels[node]) for node in order]
    n_states = math.prod(shape)
    swept = np.eye(n_states).reshape(n_states, *shape)
    for axis, table in enumerate(tables, start=1):
        swept = swept.sum(axis=axis, keepdims=True) * table
    return order, _left_fixed(swept.reshape(n_states, n_states)).reshape(shape)


def local_table(
    model: "DependencyModel", node: str, axes: Sequence[str], known: Mapping[str, float]
) -> Floats:
    """The probabilities of a node: an axis for each of these names, of size 1 where it does not matter."""
    here = model.conditionals[node]
    shape = [len(model.labels[name]) if name in {node, *here.cpd.parents} else 1 for name in axes]
    places = np.indices(shape).reshape(len(axes), -1)
    state = {name: places[k] for k, name in enumerate(axes)}
    state |= {name: np.full(places.shape[1], value) for name, value in known.items()}
    shares = here.shares(state, places.shape[1])
    found: Floats = shares[np.arange(places.shape[1]), state[node]].reshape(shape)
    return found


def _left_fixed(sweep: Floats) -> Floats:
    """The distribution that a matrix of transitions leaves as it is; refused where there are several."""
    if (sweep == 0.0).any() and _n_ends(sweep) > 1:
        raise DataError(
            "query(method='exact'): probabilities of zero leave the sampler several distributions to end in, "
            "depending on where it begins. Smooth the local distributions."
        )
    equations = sweep.T - np.eye(len(sweep))
    equations[-1] = 1.0  # one of them follows from the others, and the probabilities sum to 1
    wanted = np.zeros(len(sweep))
    wanted[-1] = 1.0
    found = np.maximum(np.linalg.solve(equations, wanted), 0.0)
    return np.asarray(found / found.sum())


def _n_ends(sweep: Floats) -> int:
    """How many sets of states there are that a chain does not leave any more, and goes through wholly."""
    from scipy.sparse import csr_array  # noqa: PLC0415, slow to load, and only for zeros
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415, as above

    n_classes, classes = connected_components(csr_array(sweep > 0.0), connection="strong")
    source, target = np.nonzero(sweep)
    leaves = classes[source][classes[source] != classes[target]]
    return int(n_classes - len(np.unique(leaves)))


def _refuse_many(model: "DependencyModel", nodes: Sequence[str]) -> None:
    for node in nodes:
        if node not in model.labels:
            raise DataError(f"method='exact' takes discrete nodes, and {node!r} is continuous; use 'gibbs'.")
    n_states = n_joint_states(model, nodes)
    if n_states > MOST_STATES:
        raise DataError(
            f"method='exact' takes up to {MOST_STATES:,} joint states, and what is asked for depends on "
            f"{len(nodes)} nodes with {n_states:,}. Use method='gibbs'."
        )

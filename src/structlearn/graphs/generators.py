"""Random graphs for tests, benchmarks and examples."""

from collections.abc import Sequence

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs.graph import Graph
from structlearn.graphs.links import Positions

Seed = int | np.random.Generator | None


def random_dag(
    n_nodes: int,
    *,
    expected_degree: float = 2.0,
    random_state: Seed = None,
    names: Sequence[str] | None = None,
) -> Graph:
    """Draw a DAG: a random order of the nodes, and each forward arrow with the same probability.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    expected_degree : float, default 2.0
        How many edges a node has on average; from `n_nodes - 1` on the graph is complete.
    random_state : int, numpy Generator or None, default None
        Reproduces a draw.
    names : sequence of str, optional
        The names of the nodes; x0, x1, … without.

    Examples
    --------
    >>> random_dag(4, expected_degree=3, random_state=0).is_dag
    True
    """
    generator = np.random.default_rng(random_state)
    pairs = _random_pairs(n_nodes, expected_degree, generator)
    order = generator.permutation(n_nodes)
    nodes = _names(n_nodes, names)
    return Graph(nodes, directed=[(nodes[i], nodes[j]) for i, j in order[pairs].tolist()])


def random_undirected(
    n_nodes: int,
    *,
    expected_degree: float = 2.0,
    random_state: Seed = None,
    names: Sequence[str] | None = None,
) -> Graph:
    """Draw an undirected graph, each edge with the same probability; see `random_dag`."""
    pairs = _random_pairs(n_nodes, expected_degree, np.random.default_rng(random_state))
    nodes = _names(n_nodes, names)
    return Graph(nodes, undirected=[(nodes[i], nodes[j]) for i, j in pairs.tolist()])


def _random_pairs(n_nodes: int, expected_degree: float, generator: np.random.Generator) -> Positions:
    """Draw each pair (low, high) alike, in time and memory of the pairs drawn."""
    if n_nodes < 0 or not expected_degree >= 0:
        raise OptionError(
            f"A random graph needs n_nodes ≥ 0 and expected_degree ≥ 0, not {n_nodes} and {expected_degree}."
        )
    offsets = np.arange(n_nodes, dtype=np.int64) * (np.arange(n_nodes, dtype=np.int64) - 1) // 2
    n_pairs = n_nodes * (n_nodes - 1) // 2
    n_drawn = generator.binomial(n_pairs, min(1.0, expected_degree / max(n_nodes - 1, 1)))
    drawn = (
        np.sort(generator.choice(n_pairs, n_drawn, replace=False, shuffle=False)) if n_drawn else offsets[:0]
    )
    high = np.searchsorted(offsets, drawn, side="right") - 1
    return np.column_stack([drawn - offsets[high], high])


def _names(n_nodes: int, names: Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        return tuple(f"x{i}" for i in range(n_nodes))
    if len(names) != n_nodes:
        raise OptionError(f"A random graph of {n_nodes} nodes needs as many names, not {len(names)}.")
    return tuple(names)

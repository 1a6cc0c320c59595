"""DAGs as the parents of every node, by position."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.graphs.equivalence import compelled_parents
from structlearn.graphs.links import Links
from structlearn.graphs.separation import topological_order

Parents = Sequence[Sequence[int]]


def graph_of(names: tuple[str, ...], parents: Parents) -> Graph:
    """A DAG with the names of its nodes."""
    arcs = [(names[u], names[v]) for v, members in enumerate(parents) for u in members]
    return Graph(names, directed=arcs)


def parents_first(parents: Parents) -> tuple[int, ...]:
    """The nodes in an order in which parents come before their children."""
    arrows = [(u, v) for v, members in enumerate(parents) for u in members]
    order = topological_order(Links(len(parents), arrows=arrows))
    assert order is not None, "a DAG has such an order"  # noqa: S101, an invariant
    return order


def usual_member(parents: Parents) -> NDArray[np.bool_]:
    """The arcs of an equivalent DAG, the same one whichever of its class is given: a row per child.

    Where lines of the class leave a choice, a node with the fewest lines becomes a sink of those left.
    """
    n = len(parents)
    chosen = compelled_parents([set(members) for members in parents], parents_first(parents))
    lines: list[set[int]] = [set() for _ in parents]
    for v, members in enumerate(parents):
        for u in set(members) - chosen[v]:
            lines[u].add(v)
            lines[v].add(u)
    left = sorted(range(n), key=lambda node: (len(lines[node]), -node))
    while left:
        # Lines make up chordal graphs, in which some node's neighbours are always joined to each other.
        sink = next(node for node in left if all(lines[node] <= lines[u] | {u} for u in lines[node]))
        left.remove(sink)
        chosen[sink] = chosen[sink] | lines[sink]
        for u in lines[sink]:
            lines[u].remove(sink)
    arcs = np.zeros((n, n), dtype=np.bool_)
    for node, into in enumerate(chosen):
        arcs[node, list(into)] = True
    return arcs

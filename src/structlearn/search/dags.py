"""DAGs as the parents of every node, by position."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.graphs.equivalence import consistent_extension, cpdag
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

    Where lines of the class leave a choice, arcs lead from nodes with more lines to those with fewer.
    """
    n = len(parents)
    arrows = [(u, v) for v, members in enumerate(parents) for u in members]
    shared = cpdag(Links(n, arrows=arrows))
    nodes = np.argsort(-np.bincount(shared.lines.ravel(), minlength=n), kind="stable")
    place = np.argsort(nodes)
    member = consistent_extension(Links(n, arrows=place[shared.arrows], lines=place[shared.lines]))
    assert member is not None, "a class has a member"  # noqa: S101, an invariant
    arcs = np.zeros((n, n), dtype=np.bool_)
    arcs[nodes[member[:, 1]], nodes[member[:, 0]]] = True
    return arcs

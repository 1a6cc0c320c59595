"""DAGs as the parents of every node, by position."""

from collections.abc import Sequence

from structlearn.graphs import Graph
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

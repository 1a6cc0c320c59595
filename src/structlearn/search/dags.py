"""DAGs as the parents of every node, by position."""

from collections.abc import Sequence

from structlearn.graphs import Graph, separation
from structlearn.graphs.equivalence import compelled_parents

Parents = Sequence[Sequence[int]]


def graph_of(names: tuple[str, ...], parents: Parents) -> Graph:
    """A DAG with the names of its nodes."""
    arcs = [(names[u], names[v]) for v, members in enumerate(parents) for u in members]
    return Graph(names, directed=arcs)


def parents_first(parents: Parents) -> tuple[int, ...]:
    """The nodes in an order in which parents come before their children."""
    order = separation.parents_first(parents)
    assert order is not None, "a DAG has such an order"  # noqa: S101, an invariant
    return order


def usual_member(parents: Parents) -> list[list[int]]:
    """The parents in an equivalent DAG, the same one whichever of its class is given.

    Where lines of the class leave a choice, a node with the fewest lines becomes a sink of those left.
    """
    chosen = compelled_parents([set(members) for members in parents], parents_first(parents))
    lines: list[set[int]] = [set() for _ in parents]
    for v, members in enumerate(parents):
        for u in set(members) - chosen[v]:
            lines[u].add(v)
            lines[v].add(u)
    left = sorted(range(len(parents)), key=lambda node: (len(lines[node]), -node))
    while left:
        # Lines make up chordal graphs, in which some node's neighbours are always joined to each other.
        sink = next(node for node in left if all(lines[node] <= lines[u] | {u} for u in lines[node]))
        left.remove(sink)
        chosen[sink] = chosen[sink] | lines[sink]
        for u in lines[sink]:
            lines[u].remove(sink)
    return [sorted(members) for members in chosen]

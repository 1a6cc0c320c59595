"""The graph of an undirected model, checked."""

from collections.abc import Sequence

from structlearn.errors import DataError
from structlearn.graphs import Graph


def checked_graph(graph: Graph, owner: str) -> Graph:
    """Refuse what is not an undirected graph."""
    if not isinstance(graph, Graph):
        raise DataError(f"{owner} takes a Graph, not a {type(graph).__name__}; see Graph.from_networkx.")
    if graph.directed:
        source, target = graph.directed[0]
        raise DataError(
            f"{owner} takes an undirected graph, and {source} → {target} has a direction. Use "
            "graph.moral(), or graph.skeleton()."
        )
    return graph


def refuse_unjoined(graph: Graph, names: Sequence[str], what: str) -> None:
    """Refuse names that are no nodes, or nodes that are not all joined."""
    for i, name in enumerate(names):
        if name not in graph:
            raise DataError(f"{what} has {name!r}, which is no node of the graph.")
        for other in names[:i]:
            if graph.edge(other, name) is None:
                raise DataError(
                    f"{what} has {other!r} and {name!r}, which the graph does not join. Add that edge, or "
                    "split it into parts."
                )

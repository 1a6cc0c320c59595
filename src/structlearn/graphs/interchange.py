"""Graphs to and from networkx."""

from typing import TYPE_CHECKING

from structlearn.graphs.edge import Edge

if TYPE_CHECKING:
    import networkx as nx

    from structlearn.graphs.graph import Graph

KNOWN = ("weight", "p_value", "confidence")


def to_networkx(graph: "Graph") -> "nx.Graph":
    """A DiGraph, or a Graph where no edge is directed; undirected edges go both ways."""
    import networkx as nx  # noqa: PLC0415, slow to load and not needed to learn

    made = nx.Graph() if graph.is_undirected else nx.DiGraph()
    made.add_nodes_from(graph.nodes)
    for edge in graph.edges:
        known = {name: getattr(edge, name) for name in KNOWN if getattr(edge, name) is not None}
        made.add_edge(edge.source, edge.target, **known)
        if edge.kind == "undirected":
            made.add_edge(edge.target, edge.source, **known)
    return made


def edges_of_networkx(graph: "nx.Graph") -> list[Edge]:
    """The edges of a networkx graph; those of a DiGraph in both directions become one undirected edge."""
    edges: dict[object, Edge] = {}
    for source, target, attributes in graph.edges(data=True):
        known = {name: attributes.get(name) for name in KNOWN}
        if graph.is_directed() and not graph.has_edge(target, source):
            edges[source, target] = Edge(source, target, "directed", **known)
        else:
            edges.setdefault(frozenset((source, target)), Edge(source, target, "undirected", **known))
    return list(edges.values())

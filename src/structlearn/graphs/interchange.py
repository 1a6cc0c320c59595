"""Graphs to and from networkx."""

from typing import TYPE_CHECKING, Any

from structlearn.errors import DataError, DataTypeError, needing
from structlearn.graphs.edge import ARROWS_AND_LINES, FORMS, SYMMETRIC, Edge
from structlearn.graphs.facts import NOTHING, is_plain, plain
from structlearn.graphs.kinds import KINDS, GraphKind

if TYPE_CHECKING:
    import networkx as nx

    from structlearn.graphs.graph import Graph

KNOWN = ("weight", "p_value", "confidence")


def refuse_no_networkx(graph: object) -> None:
    """Refuse what has no nodes and edges."""
    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise DataTypeError(f"from_networkx: the graph is one of networkx, not a {type(graph).__name__}.")


def to_networkx(graph: "Graph") -> "nx.Graph":
    """A DiGraph, a Graph where all edges are undirected, a MultiDiGraph where an arrow and ↔ join two nodes.

    Edges with the same mark at both ends go both ways. An edge has an attribute `kind` where the
    directions alone would tell another; nodes have their facts as attributes.
    """
    with needing("networkx", "to_networkx"):
        import networkx as nx  # noqa: PLC0415, slow to load and not needed to learn

    arrows = set(graph.directed)
    has_bows = any(edge.kind == "bidirected" and arrows & _both_ways(edge) for edge in graph.edges)
    made = nx.Graph() if graph.is_undirected else nx.MultiDiGraph() if has_bows else nx.DiGraph()
    if graph.given_kind is not None:
        made.graph["kind"] = graph.given_kind
    made.add_nodes_from((node, plain(graph.facts.get(node, NOTHING))) for node in graph.nodes)
    for edge in graph.edges:
        known = {name: getattr(edge, name) for name in KNOWN if getattr(edge, name) is not None}
        if edge.kind not in ARROWS_AND_LINES or (
            edge.kind == "directed" and graph.edge(edge.target, edge.source) is not None
        ):
            known["kind"] = edge.kind
        made.add_edge(edge.source, edge.target, **known)
        if edge.kind in SYMMETRIC:
            made.add_edge(edge.target, edge.source, **known)
    return made


def edges_of_networkx(graph: "nx.Graph") -> list[Edge]:
    """The edges of a networkx graph; those in both directions that say no kind become one undirected edge."""
    edges: dict[object, Edge] = {}
    for source, target, attributes in graph.edges(data=True):
        known = {name: attributes.get(name) for name in KNOWN}
        is_arrow = graph.is_directed() and (source == target or not graph.has_edge(target, source))
        kind = attributes.get("kind", "directed" if is_arrow else "undirected")
        if kind not in [*FORMS]:  # nor what has no hash
            raise DataError(
                f"The edge of {source!r} and {target!r} has kind {kind!r}; kinds are {', '.join(FORMS)}."
            )
        ends = frozenset((source, target)) if kind in SYMMETRIC else (source, target)
        edge = Edge(source, target, kind, **known)
        first = edges.setdefault((kind, ends), edge)
        if any(getattr(first, name) != known[name] for name in KNOWN):
            raise DataError(
                f"{source!r} and {target!r} are joined by several edges, which differ in weight, p_value or "
                f"confidence, and one {kind} edge has one of each. Leave one of them, or give arrows in both "
                'directions the attribute kind="directed".'
            )
    return list(edges.values())


def kind_of_networkx(graph: "nx.Graph") -> GraphKind | None:
    """The kind that the graph's own attributes say, if they say one of ours."""
    return next((kind for kind in KINDS if graph.graph.get("kind") == kind), None)


def facts_of_networkx(graph: "nx.Graph") -> dict[str, dict[str, Any]]:
    """The attributes of nodes that are plain values."""
    return {
        node: {name: value for name, value in attributes.items() if isinstance(name, str) and is_plain(value)}
        for node, attributes in graph.nodes(data=True)
        if attributes
    }


def _both_ways(edge: Edge) -> set[tuple[str, str]]:
    return {(edge.source, edge.target), (edge.target, edge.source)}

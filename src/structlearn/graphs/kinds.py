"""Which kind of graph some edges make, and why they are not of another kind."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from structlearn.errors import DataError
from structlearn.graphs import ancestral, equivalence
from structlearn.graphs.edge import WITH_CIRCLES, EdgeKind
from structlearn.graphs.links import Links
from structlearn.graphs.separation import reachable, topological_order

if TYPE_CHECKING:
    from structlearn.graphs.structure import Structure

GraphKind = Literal["DAG", "CPDAG", "PDAG", "undirected", "ADMG", "MAG", "PAG", "cyclic"]

KINDS: tuple[GraphKind, ...] = get_args(GraphKind)

_ALLOWED: Mapping[GraphKind, frozenset[EdgeKind]] = {
    "DAG": frozenset({"directed"}),
    "CPDAG": frozenset({"directed", "undirected"}),
    "PDAG": frozenset({"directed", "undirected"}),
    "undirected": frozenset({"undirected"}),
    "ADMG": frozenset({"directed", "bidirected"}),
    "MAG": frozenset({"directed", "undirected", "bidirected"}),
    "PAG": frozenset(get_args(EdgeKind)),
    "cyclic": frozenset({"directed", "undirected", "bidirected"}),
}
_ACYCLIC = frozenset({"DAG", "CPDAG", "PDAG", "ADMG", "MAG"})
_ONE_EDGE_A_PAIR = frozenset({"MAG", "PAG"})


def inferred_kind(graph: "Structure") -> GraphKind:
    """The kind that the edges alone allow; the first that fits of a list.

    PAG with a circle anywhere; cyclic with a directed cycle; DAG with arrows only, or without
    edges; undirected with lines only; of arrows and lines CPDAG if they are one, else PDAG; with ↔
    MAG if they are one, else ADMG, or PAG where there are lines too.
    """
    kinds = graph.edge_kinds
    if kinds & WITH_CIRCLES:
        return "PAG"
    if topological_order(graph.links) is None:
        return "cyclic"
    if "bidirected" in kinds:
        otherwise: GraphKind = "PAG" if "undirected" in kinds else "ADMG"
        return "MAG" if _why_no_mag(graph) is None else otherwise
    if len(kinds) < len(_ALLOWED["PDAG"]):
        return "undirected" if kinds == {"undirected"} else "DAG"
    return "CPDAG" if _why_no_cpdag(graph) is None else "PDAG"


def refuse_another_kind(graph: "Structure", kind: GraphKind) -> None:
    """Raise a DataError that names an edge which a graph of this kind cannot have."""
    if kind not in tuple(_ALLOWED):
        raise DataError(f"kind={kind!r}: a graph is one of {', '.join(_ALLOWED)}.")
    reason = _why_not(graph, kind)
    if reason is not None:
        raise DataError(
            f"This is no {kind} graph: {reason}." if kind == "undirected" else f"This is no {kind}: {reason}."
        )


def _why_not(graph: "Structure", kind: GraphKind) -> str | None:
    wrong = next((edge for edge in graph.edges if edge.kind not in _ALLOWED[kind]), None)
    if wrong is not None:
        return f"{wrong} is {wrong.kind}"
    reason = _why_cyclic(graph) if kind in _ACYCLIC else None
    if reason is None and kind in _ONE_EDGE_A_PAIR:
        reason = _why_two_edges(graph)
    if reason is None and kind == "CPDAG":
        reason = _why_no_cpdag(graph)
    if reason is None and kind == "MAG":
        reason = _why_no_mag(graph)
    return reason


def _why_cyclic(graph: "Structure") -> str | None:
    links = graph.links
    if topological_order(links) is not None:
        return None
    source, target = next(
        (source, target)
        for source, target in links.arrows.tolist()
        if source == target or source in reachable(links.children, [target])
    )
    return f"{graph.nodes[source]} → {graph.nodes[target]} is on a directed cycle"


def _why_two_edges(graph: "Structure") -> str | None:
    ends = [tuple(sorted((edge.source, edge.target))) for edge in graph.edges]
    n_edges = Counter(ends)
    for edge, pair in zip(graph.edges, ends, strict=True):
        if edge.source == edge.target:
            return f"{edge} runs from a node to itself"
        if n_edges[pair] > 1:
            return f"there are two edges between {edge.source!r} and {edge.target!r}"
    return None


def _why_no_cpdag(graph: "Structure") -> str | None:
    links, nodes = graph.links, graph.nodes
    arrows = equivalence.consistent_extension(links)
    if arrows is None:
        return "no DAG has its v-structures and no others"
    pattern = equivalence.cpdag(Links(links.n_nodes, arrows=arrows))
    should_be = set(map(tuple, pattern.arrows.tolist()))
    for source, target in links.arrows.tolist():
        if (source, target) not in should_be:
            return f"equivalent DAGs differ in the direction of {nodes[source]} → {nodes[target]}"
    for a, b in links.lines.tolist():
        if (a, b) in should_be or (b, a) in should_be:
            return f"equivalent DAGs all direct {nodes[a]} — {nodes[b]} the same way"
    return None


def _why_no_mag(graph: "Structure") -> str | None:
    links, nodes = graph.links, graph.nodes
    reason = _why_two_edges(graph)
    if reason is not None:
        return reason
    if (met := ancestral.line_with_an_arrow(links)) is not None:
        (a, b), (other, end) = met
        return f"{nodes[a]} — {nodes[b]} is undirected, and {nodes[other]!r} has an arrow into {nodes[end]!r}"
    if (arc := ancestral.almost_directed_cycle(links)) is not None:
        return f"{nodes[arc[0]]} ↔ {nodes[arc[1]]} joins {nodes[arc[1]]!r} and its ancestor {nodes[arc[0]]!r}"
    if (pair := ancestral.inseparable_pair(links)) is not None:
        return f"no edge joins {nodes[pair[0]]!r} and {nodes[pair[1]]!r}, and no set separates them"
    return None

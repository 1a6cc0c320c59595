"""Nodes in time: a variable some steps ago, and graphs of them folded to one node for each variable."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from structlearn.errors import DataError
from structlearn.graphs.edge import Edge
from structlearn.options import Whole, check_options

if TYPE_CHECKING:
    from structlearn.graphs.graph import Graph


N_STEPS, N_SLICES = Whole(1, "the number of steps"), Whole(0, "the number of steps")


def lagged_name(variable: str, lag: int) -> str:
    """The name of a variable so many steps ago, or later.

    Examples
    --------
    >>> lagged_name("x", 0), lagged_name("x", 2), lagged_name("x", -1)
    ('x[t]', 'x[t-2]', 'x[t+1]')
    """
    return f"{variable}[t{-lag:+d}]" if lag else f"{variable}[t]"


def slice_name(variable: str, step: int) -> str:
    """The name of a variable at a step, counted from the beginning.

    Examples
    --------
    >>> slice_name("x", 3)
    'x[3]'
    """
    return f"{variable}[{step}]"


def unrolled(graph: "Graph", beginning: "Graph", n_slices: int, *, context: Collection[str] = ()) -> "Graph":
    """The graph of so many steps, from one in time and that of its first steps.

    The first steps have the arcs of their own graph; each later one has those of the graph in time. A
    variable that is context, and never changes, has the node of the first step only, which acts at all.
    """
    check_options("unrolled", {"n_slices": N_SLICES}, {"n_slices": n_slices})
    facts = {node: (known["variable"], known["lag"]) for node, known in graph.facts.items()}
    variables = [variable for variable, lag in facts.values() if lag == 0]
    n_first = max((lag for _, lag in facts.values()), default=0)
    arcs = [(edge.source, edge.target) for edge in beginning.edges]
    for step in range(n_first, n_slices):
        for edge in graph.edges:
            source, lag = facts[edge.source]
            arcs.append((slice_name(source, step - lag), slice_name(facts[edge.target][0], step)))
    later = {slice_name(each, step): slice_name(each, 0) for each in context for step in range(1, n_slices)}
    nodes = [slice_name(variable, step) for step in range(n_slices) for variable in variables]
    there = set(nodes)
    kept = {(later.get(a, a), b): None for a, b in arcs if there.issuperset((a, b)) and b not in later}
    return type(graph)([node for node in nodes if node not in later], directed=kept)


def lag_facts(variables: Sequence[str], lags: Iterable[int]) -> dict[str, dict[str, str | int]]:
    """The facts of the nodes of these variables at these lags, the furthest back first."""
    return {
        lagged_name(variable, lag): {"variable": variable, "lag": lag}
        for lag in sorted(set(lags), reverse=True)
        for variable in variables
    }


def summary_of(graph: "Graph") -> "Graph":
    """One node for each variable, and an edge wherever there is one at some lag.

    An edge has the weight that is largest in size, the smallest p-value and the largest confidence of those
    that it stands for. A line within one time is dropped where an arrow of another joins the same two; else
    it is two arrows where others form a cycle, as that from the past of a variable to itself does.
    """
    variable = {node: facts["variable"] for node, facts in graph.facts.items() if "lag" in facts}
    if len(variable) < len(graph):
        raise DataError(
            "summary: only graphs in time are folded, whose nodes have the facts 'variable' and 'lag', and "
            "this one has others."
        )
    arrows: dict[tuple[str, str], list[Edge]] = {}
    lines: dict[tuple[str, str], list[Edge]] = {}
    for edge in graph.edges:
        ends = variable[edge.source], variable[edge.target]
        (arrows if edge.kind == "directed" else lines).setdefault(ends, []).append(edge)
    kept = {ends: found for ends, found in lines.items() if ends not in arrows and ends[::-1] not in arrows}
    if any(ends[::-1] in arrows for ends in arrows):  # no line can stand beside a cycle
        turned = {ends[::-1]: found for ends, found in kept.items()}
        arrows, kept = arrows | _as_arrows(kept | turned), {}
    edges = [_joined(*ends, found) for ends, found in (arrows | kept).items()]
    return type(graph)(dict.fromkeys(variable.values()), edges=edges)


def _as_arrows(lines: dict[tuple[str, str], list[Edge]]) -> dict[tuple[str, str], list[Edge]]:
    return {ends: [replace(edge, kind="directed") for edge in found] for ends, found in lines.items()}


def _joined(source: str, target: str, edges: Sequence[Edge]) -> Edge:
    weights = [edge.weight for edge in edges if edge.weight is not None]
    p_values = [edge.p_value for edge in edges if edge.p_value is not None]
    shares = [edge.confidence for edge in edges if edge.confidence is not None]
    return Edge(
        source,
        target,
        edges[0].kind,
        max(weights, key=abs, default=None),
        min(p_values, default=None),
        max(shares, default=None),
    )

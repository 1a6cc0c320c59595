"""The answer to `graph.why(a, b)`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from structlearn.errors import OptionError
from structlearn.graphs import Edge, Graph
from structlearn.statistics import opened
from structlearn.why.by_data import said_by_scores, said_by_tests
from structlearn.why.by_graph import said_of_absence, said_of_direction, separator
from structlearn.why.by_marks import said_of_causes, said_of_no_causes, said_of_rules
from structlearn.why.by_record import said_of_edge, said_of_pair
from structlearn.why.in_time import InTime
from structlearn.why.record import Record

if TYPE_CHECKING:
    from structlearn.scores import Score


@dataclass(frozen=True)
class Why:
    """What speaks for and against an edge between two nodes, in sentences."""

    pair: tuple[str, str]
    edges: tuple[Edge, ...]
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in self.sentences)}</ul>"


def why(graph: Graph, a: str, b: str, *, data: Any = None, score: "str | Score | None" = None) -> Why:
    """Say why two nodes of a graph are joined, or are not; see `Graph.why`."""
    if a == b:
        raise OptionError(f"why: {a!r} is named twice; name two nodes.")
    record, in_time = graph.record or Record(""), InTime.of(graph)
    edges = edges_between(graph, a, b)
    pair = (a, b) if in_time is None else in_time.moved(a, b)
    sentences = []
    if pair != (a, b):
        sentences.append(f"What holds of {a} and {b} holds at any time: of {pair[0]} and {pair[1]}, too.")
        edges = tuple(edge for edge in graph.edges if {edge.source, edge.target} == {*pair})
    sentences += _said(graph, pair, edges, record)
    if not edges:
        sentences += said_of_absence(graph, a, b) if in_time is None else in_time.said_of_absence(a, b)
        sentences += said_of_no_causes(graph, a, b)
    if data is not None:
        table = opened(data, aside={"targets": record.targets} if isinstance(record.targets, str) else {})
        _refuse_other_times(in_time, table.names)
        sentences += said_by_tests((a, b), _conditions(graph, a, b), table)
        sentences += said_by_scores(graph, (a, b), table, score, record)
    return Why((a, b), edges, tuple(sentences))


def edges_between(graph: Graph, a: str, b: str) -> tuple[Edge, ...]:
    """Every edge between two nodes: none, one, or a few of a graph with cycles or hidden causes."""
    graph.adjacent(a), graph.adjacent(b)  # refuses names that are no nodes
    return tuple(edge for edge in graph.edges if {edge.source, edge.target} == {a, b})


def _refuse_other_times(in_time: InTime | None, columns: Sequence[str]) -> None:
    lacking = [] if in_time is None else [node for node in in_time.moments if node not in columns]
    if lacking:
        raise OptionError(
            f"why(data=…): {lacking[0]} is a column at some time, and the table has columns of all times. "
            "Leave data out."
        )


def _said(graph: Graph, pair: tuple[str, str], edges: tuple[Edge, ...], record: Record) -> Iterator[str]:
    by = f", learned by {record.method}," if record.method else ""
    if not edges:
        yield f"The graph{by} has no edge between {pair[0]} and {pair[1]}."
    for edge in edges:
        yield f"The graph{by} has {edge}."
        yield from said_of_edge(edge, record)
    yield from said_of_pair(pair, record, joined=bool(edges))
    for edge in edges:
        yield from said_of_direction(graph, edge, record)
        yield from said_of_causes(graph, edge)
        yield from said_of_rules(edge, record)


def _conditions(graph: Graph, a: str, b: str) -> tuple[str, ...]:
    """What should separate two nodes, were they not joined."""
    others = [edge for edge in graph.edges if {edge.source, edge.target} != {a, b}]
    return separator(Graph(graph.nodes, edges=others), a, b) or ()

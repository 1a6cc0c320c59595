"""What the graph itself says of a pair: which directions are open, what separates, how one gets across."""

from collections.abc import Iterator, Sequence
from functools import partial

from structlearn.errors import DataError
from structlearn.graphs import Edge, Graph
from structlearn.why.in_time import InTime
from structlearn.why.record import Record
from structlearn.why.ways import said_apart, shortest_way, turned

CLASSES = ("DAG", "CPDAG")


def said_of_direction(graph: Graph, edge: Edge, record: Record) -> Iterator[str]:
    """Whether equivalent graphs turn an edge, and what holds it if not."""
    in_time = InTime.of(graph)
    if in_time is not None and in_time.orders(edge.source, edge.target):
        yield f"Time tells its direction: {edge.source} comes before {edge.target}."
        return
    if record.direction and edge.kind == "directed":
        yield record.direction
        return
    if graph.kind not in CLASSES:
        return
    sets = [{*names} & {*graph.nodes} for names in record.experiments]
    of_class = graph.to_cpdag()
    settled = graph.to_cpdag(targets=sets) if sets else of_class
    settled = settled if in_time is None else in_time.ordered(settled)
    if _is_open(settled, edge):
        yield (
            "The data cannot tell its direction: equivalent graphs, which fit as well, have "
            f"{edge.source} → {edge.target} and {edge.target} → {edge.source}."
        )
    elif _is_open(of_class, edge):
        yield from _said_of_more_than_the_class(edge, sets)
    elif other := _other_causes(graph, edge):
        yield (
            f"Every equivalent graph has this direction: {' and '.join(other)} also point"
            f"{'' if len(other) > 1 else 's'} at {edge.target} without being joined to {edge.source}, and "
            "such a collider shows in the data."
        )
    else:
        yield (
            "Every equivalent graph has this direction: turned round it would make a collider that the data "
            "do not have, or a cycle."
        )


def _said_of_more_than_the_class(edge: Edge, sets: Sequence[set[str]]) -> Iterator[str]:
    """What directs an edge that plain rows leave open: experiments, or arrows that they or time direct."""
    for names in sets:
        for changed, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if changed in names and other not in names:
                yield f"Rows in which {changed} was set or changed, and {other} was not, tell its direction."
                return
    what = "what was set or changed in some rows directs" if sets else "time directs"
    yield f"Every graph that fits as well has this direction, as {what} others."


def _is_open(graph: Graph, edge: Edge) -> bool:
    found = graph.edge(edge.source, edge.target)
    return found is None or found.kind == "undirected"


def said_of_absence(graph: Graph, a: str, b: str) -> Iterator[str]:
    """What makes two nodes independent in the graph, and the shortest way between them."""
    yield from said_apart(shortest_way(a, b, partial(_steps, graph)), separator(graph, a, b))


def _other_causes(graph: Graph, edge: Edge) -> list[str]:
    joined = {*graph.adjacent(edge.source), edge.source}
    return [node for node in graph.parents(edge.target) if node not in joined]


def separator(graph: Graph, a: str, b: str) -> tuple[str, ...] | None:
    """A set without a member too many that separates two nodes; None where the graph does not say."""
    try:
        plain = graph.to_dag() if graph.kind in (*CLASSES, "PDAG") else graph
    except DataError:
        return None  # no DAG has these arrows and lines
    if plain.kind == "undirected":
        kept = list(plain.neighbors(a))
    elif plain.kind == "DAG":
        first, last = (b, a) if b in plain.ancestors(a) else (a, b)
        kept = [node for node in plain.parents(last) if node != first]
    else:
        return None
    for node in tuple(kept):
        without = [other for other in kept if other != node]
        if plain.d_separated(a, b, given=without):
            kept = without
    return tuple(kept)


def _steps(graph: Graph, here: str) -> Iterator[tuple[str, str]]:
    for there in graph.adjacent(here):
        edge, back = graph.edge(here, there), graph.edge(there, here)
        if edge is not None:
            yield there, edge.sign
        else:
            yield there, "" if back is None else turned(back.sign)

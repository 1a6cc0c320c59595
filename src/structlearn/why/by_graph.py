"""What the graph itself says of a pair: which directions are open, what separates, how one gets across."""

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from structlearn.errors import DataError
from structlearn.graphs import Edge, Graph

CLASSES = ("DAG", "CPDAG")


def said_of_direction(graph: Graph, edge: Edge) -> Iterator[str]:
    """Whether equivalent graphs turn an edge, and what holds it if not."""
    if graph.kind not in CLASSES:
        return
    of_class = graph.to_cpdag().edge(edge.source, edge.target)
    if of_class is None or of_class.kind == "undirected":
        yield (
            "The data cannot tell its direction: equivalent graphs, which fit as well, have "
            f"{edge.source} → {edge.target} and {edge.target} → {edge.source}."
        )
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


def said_of_absence(graph: Graph, a: str, b: str) -> Iterator[str]:
    """What makes two nodes independent in the graph, and the shortest way between them."""
    path = _shortest_path(graph, a, b)
    if path is None:
        yield "No path joins them: the graph takes them as independent."
        return
    between = separator(graph, a, b)
    if between is not None:
        given = f"given {', '.join(between)}" if between else "as long as nothing else is known"
        yield f"By the graph they are independent {given}."
    yield f"The shortest way between them is {path}."


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


def _shortest_path(graph: Graph, a: str, b: str) -> str | None:
    came_from: dict[str, str] = {a: a}
    waiting = deque([a])
    while waiting and b not in came_from:
        here = waiting.popleft()
        for node in graph.adjacent(here):
            if node not in came_from:
                came_from[node] = here
                waiting.append(node)
    if b not in came_from:
        return None
    steps = [b]
    while steps[-1] != a:
        steps.append(came_from[steps[-1]])
    steps.reverse()
    words = [steps[0]]
    for here, there in pairwise(steps):
        words += [_sign(graph, here, there), there]
    return " ".join(words)


def _sign(graph: Graph, here: str, there: str) -> str:
    edge = graph.edge(here, there)
    if edge is not None:
        return edge.sign
    turned = graph.edge(there, here)
    return "" if turned is None else turned.sign.translate(str.maketrans("→", "←"))[::-1]

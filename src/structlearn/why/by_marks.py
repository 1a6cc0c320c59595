"""What the marks of a MAG or PAG say of causes, and which rule set each."""

from collections.abc import Iterator

from structlearn.graphs import Edge, Graph
from structlearn.graphs.causes import is_visible, possible_descendants, possible_links
from structlearn.why.record import Record

WITH_HIDDEN_CAUSES = ("MAG", "PAG")
SELECTION = "what decided which rows there are"
MARKS = {"-": "tail", ">": "arrow"}
RULES = {
    "knowledge": "what was known beforehand",
    "R0": "R0, a collider that shows in the tests",
    "R1": "R1, which makes no further collider",
    "R2": "R2, which closes no cycle",
    "R3": "R3, which makes no cycle and no further collider",
    "R4": "R4, a path that discriminates",
    "R5": "R5, a cycle without colliders",
    "R6": "R6, an undirected edge beside it",
    "R7": "R7, which makes no further collider",
    "R8": "R8, which closes no cycle",
    "R9": "R9, a path that can only run one way",
    "R10": "R10, two paths of which one can only run one way",
}


def said_of_causes(graph: Graph, edge: Edge) -> Iterator[str]:
    """What an edge of a graph with hidden causes says of its ends."""
    if graph.kind not in WITH_HIDDEN_CAUSES:
        return
    a, b = edge.source, edge.target
    if edge.kind == "directed":
        place = {name: i for i, name in enumerate(graph.nodes)}
        hidden = "no hidden common cause joins them"
        if not is_visible(graph.links, place[a], place[b]):
            hidden = "a hidden common cause is possible besides"
        yield f"{a} is a cause of {b}, directly or through others; {b} is not a cause of {a}; {hidden}."
    elif edge.kind == "bidirected":
        yield f"{a} is not a cause of {b}, and {b} is not a cause of {a}: they share a hidden common cause."
    elif edge.kind == "partially directed":
        yield f"{b} is not a cause of {a}. {a} may be a cause of {b}; a hidden common cause is possible."
    elif edge.kind == "nondirected":
        yield f"{a} may be a cause of {b}, or {b} of {a}; a hidden common cause is possible."
    elif edge.kind == "partially undirected":
        yield f"{a} is a cause of {b} or of {SELECTION}."
    else:
        yield f"Both are causes of {SELECTION}."


def said_of_rules(edge: Edge, record: Record) -> Iterator[str]:
    """Which rule set each mark of an edge, and what it looked at."""
    for other, node in ((edge.target, edge.source), (edge.source, edge.target)):
        found = record.marks.get((other, node))
        if found is not None:
            yield (
                f"The {MARKS[edge.mark_at(node)]} at {node} comes from {RULES[found.rule]}: "
                f"{', '.join(found.nodes)}."
            )


def said_of_no_causes(graph: Graph, a: str, b: str) -> Iterator[str]:
    """Which of two nodes that no edge joins cannot be a cause of the other."""
    if graph.kind not in WITH_HIDDEN_CAUSES:
        return
    place = {name: i for i, name in enumerate(graph.nodes)}
    possible = possible_links(graph.links, lines_are_open=False)
    for cause, effect in ((a, b), (b, a)):
        if place[effect] not in possible_descendants(possible, [place[cause]]):
            yield f"{cause} is not a cause of {effect}: no path may be directed from one to the other."
        else:
            yield f"{cause} may be a cause of {effect}, through others."

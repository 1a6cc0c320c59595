"""How Graphviz draws the marks of an edge, in pictures and in DOT files."""

from collections.abc import Mapping

from structlearn.graphs.edge import Edge, Mark

HEADS: Mapping[Mark, str] = {"-": "none", ">": "normal", "o": "odot"}


def looks(edge: Edge) -> dict[str, str]:
    """The attributes that draw the marks of an edge from source to target; an arrow needs none."""
    at_source, at_target = edge.marks
    if (at_source, at_target) == ("-", "-"):
        return {"dir": "none"}
    tail = {} if at_source == "-" else {"dir": "both"}
    tail |= {"arrowtail": HEADS["o"]} if at_source == "o" else {}
    return tail | ({"arrowhead": HEADS["o"]} if at_target == "o" else {})


def mark_of(head: str | None) -> Mark:
    """The mark that an arrow head or tail shows; any head that we do not draw is an arrow."""
    return next((mark for mark, drawn in HEADS.items() if drawn == head), ">")

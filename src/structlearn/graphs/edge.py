"""One edge of a graph: a mark at each end, and what is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Mark = Literal["-", ">", "o"]
EdgeKind = Literal[
    "directed", "undirected", "bidirected", "partially directed", "nondirected", "partially undirected"
]


class Form(NamedTuple):
    """How a kind of edge is made: its marks at source and target, as it is typed, as it is printed."""

    marks: tuple[Mark, Mark]
    typed: str
    printed: str


FORMS: Mapping[EdgeKind, Form] = {
    "directed": Form(("-", ">"), "-->", "→"),
    "undirected": Form(("-", "-"), "---", "—"),
    "bidirected": Form((">", ">"), "<->", "↔"),
    "partially directed": Form(("o", ">"), "o->", "o→"),
    "nondirected": Form(("o", "o"), "o-o", "o–o"),
    "partially undirected": Form(("-", "o"), "--o", "–o"),
}
SYMMETRIC: frozenset[EdgeKind] = frozenset({"undirected", "bidirected", "nondirected"})
ARROWS_AND_LINES: frozenset[EdgeKind] = frozenset({"directed", "undirected"})
WITH_CIRCLES: frozenset[EdgeKind] = frozenset({"partially directed", "nondirected", "partially undirected"})


_KINDS: Mapping[tuple[Mark, Mark], EdgeKind] = {form.marks: kind for kind, form in FORMS.items()}


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between two named nodes, with a mark at each end.

    A mark is "-" (tail), ">" (arrow) or "o" (circle: tail or arrow, nobody knows). The kind and the
    order of the ends say both marks. Where both are the same, the order is that of the graph's nodes.
    `weight`, `p_value` and `confidence` are None where they are not known.

    Examples
    --------
    >>> edge = Edge("a", "b", "partially directed")
    >>> print(edge)
    a o→ b
    >>> edge.marks, edge.mark_at("b")
    (('o', '>'), '>')
    """

    source: str
    target: str
    kind: EdgeKind = "directed"
    weight: float | None = None
    p_value: float | None = None
    confidence: float | None = None

    @classmethod
    def of_marks(cls, first: str, at_first: Mark, at_second: Mark, second: str) -> "Edge":
        """Make the edge between two nodes with these marks at its ends."""
        kind = _KINDS.get((at_first, at_second))
        return cls(second, first, _KINDS[at_second, at_first]) if kind is None else cls(first, second, kind)

    @property
    def marks(self) -> tuple[Mark, Mark]:
        """The marks at the source and at the target."""
        return FORMS[self.kind].marks

    def mark_at(self, node: str) -> Mark:
        """The mark at one of the ends; of an edge from a node to itself, that at the target."""
        at_source, at_target = FORMS[self.kind].marks
        if node == self.target:
            return at_target
        if node == self.source:
            return at_source
        raise KeyError(node)

    @property
    def sign(self) -> str:
        """The edge as it is printed, without its ends: → — ↔ o→ o–o –o."""
        return FORMS[self.kind].printed

    def __str__(self) -> str:
        return f"{self.source} {self.sign} {self.target}"

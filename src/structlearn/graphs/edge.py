"""One edge of a graph: a mark at each end, and what is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from numbers import Real
from typing import Any, Literal, NamedTuple

from structlearn.errors import DataError
from structlearn.naming import meant
from structlearn.rounding import TIE

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
# What is known about an edge: the smallest and the largest number that it may be.
_RANGES: Mapping[str, tuple[float, float]] = {
    "weight": (-inf, inf),
    "p_value": (0.0, 1.0),
    "confidence": (0.0, 1.0),
}
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

    def __post_init__(self) -> None:
        # Graphs have edges by the hundred thousand, most with nothing known: no loop over names.
        if (
            isinstance(self.kind, str)
            and self.kind in FORMS
            and (self.weight is None or _is_within(self.weight, "weight"))
            and (self.p_value is None or _is_within(self.p_value, "p_value"))
            and (self.confidence is None or _is_within(self.confidence, "confidence"))
        ):
            return
        raise DataError(f"The edge of {self.source!r} and {self.target!r} has {self._wrong()}.")

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

    def _wrong(self) -> str:
        """What cannot be known about it, and what it may be."""
        if not isinstance(self.kind, str) or self.kind not in FORMS:
            return f"kind {self.kind!r}{meant(self.kind, FORMS)}; kinds are {', '.join(FORMS)}"
        known = {name: getattr(self, name) for name in _RANGES}
        name = next(
            name for name, value in known.items() if value is not None and not _is_within(value, name)
        )
        low, high = _RANGES[name]
        allowed = "a number" if low == -inf else f"a number from {low:g} to {high:g}"
        return f"{name} {known[name]!r}; {name} is {allowed}, or None where it is not known"

    def __str__(self) -> str:
        return f"{self.source} {self.sign} {self.target}"


def _is_within(value: Any, name: str) -> bool:
    low, high = _RANGES[name]
    is_number = isinstance(value, (float, Real)) and not isinstance(value, bool)
    return is_number and low - TIE <= value <= high + TIE  # sums of probabilities may end a rounding above 1

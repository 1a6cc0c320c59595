"""One edge of a graph, with what is known about it."""

from dataclasses import dataclass
from typing import Literal

EdgeKind = Literal["directed", "undirected"]


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between two named nodes; an undirected one keeps the order of the graph's nodes.

    `weight`, `p_value` and `confidence` are None where they are not known.
    """

    source: str
    target: str
    kind: EdgeKind = "directed"
    weight: float | None = None
    p_value: float | None = None
    confidence: float | None = None

    def __str__(self) -> str:
        arrow = "→" if self.kind == "directed" else "—"
        return f"{self.source} {arrow} {self.target}"

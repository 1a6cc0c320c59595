"""The edges of a PAG while its marks are found: a mark at each end, and which rule set it."""

from collections.abc import Iterable, Iterator
from enum import IntEnum

import numpy as np

from structlearn.graphs import Edge
from structlearn.graphs.edge import Mark as Sign
from structlearn.graphs.links import Positions

Triple = tuple[int, int, int]


class Mark(IntEnum):
    """What stands at an end of an edge."""

    CIRCLE = 0
    ARROW = 1
    TAIL = 2


Path = tuple[int, ...]
Wanted = tuple[int, int, Mark]  # (a, b, mark at b)
Proposal = tuple[list[Wanted], Path]
Reason = tuple[str, Path]
SIGNS: dict[Mark, Sign] = {Mark.CIRCLE: "o", Mark.ARROW: ">", Mark.TAIL: "-"}
CIRCLE, ARROW, TAIL = Mark.CIRCLE, Mark.ARROW, Mark.TAIL


class MarkedEdges:
    """Edges whose marks are circles at first; a circle may become an arrow or a tail, once.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    edges : array of shape (n, 2)
        The joined pairs.
    ambiguous : iterable of triples
        Unshielded triples (a, b, c), a < c, of which nobody knows whether b is a collider.

    Attributes
    ----------
    at : list of dicts
        `at[a][b]` is the mark at b of the edge between a and b.
    reasons : dict
        By (a, b), which rule set that mark, and the nodes that it looked at.
    conflicts : dict
        What rules asked for against marks that were there, each once: the keys, in order.
    """

    def __init__(self, n_nodes: int, edges: Positions, ambiguous: Iterable[Triple] = ()) -> None:
        ends = np.concatenate([edges, edges[:, ::-1]])
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        around = np.split(ends[:, 1], np.searchsorted(ends[:, 0], np.arange(1, n_nodes)))
        self.at: list[dict[int, Mark]] = [dict.fromkeys(nodes.tolist(), CIRCLE) for nodes in around]
        self.reasons: dict[tuple[int, int], Reason] = {}
        self.conflicts: dict[Reason, None] = {}
        self._ambiguous = frozenset(ambiguous)

    def is_parent(self, a: int, b: int) -> bool:
        """Whether a → b."""
        return self.at[a].get(b) is ARROW and self.at[b][a] is TAIL

    def is_open(self, a: int, b: int, c: int) -> bool:
        """Whether a, b, c, joined in this order, is unshielded and known to be a collider or not."""
        return c != a and c not in self.at[a] and (min(a, c), b, max(a, c)) not in self._ambiguous

    def with_marks(self, at_source: Mark, at_target: Mark) -> Iterator[tuple[int, int]]:
        """The edges (source, target) that have these marks now; they may change on the way."""
        for a, around in enumerate(self.at):
            for b, mark in around.items():
                if mark is at_target and self.at[b][a] is at_source:
                    yield a, b

    def put(self, rule: str, wanted: list[Wanted], nodes: Path) -> bool:
        """Set the marks that a rule asks for, all or, where one contradicts, none; whether any was new."""
        reason = rule, nodes
        if any(self.at[a][b] not in (CIRCLE, mark) for a, b, mark in wanted):
            self.conflicts[reason] = None
            return False
        fresh = [(a, b, mark) for a, b, mark in wanted if self.at[a][b] is CIRCLE]
        for a, b, mark in fresh:
            self.at[a][b] = mark
            self.reasons[a, b] = reason
        return bool(fresh)

    def named(self, names: tuple[str, ...]) -> list[Edge]:
        """The edges by name."""
        return [
            Edge.of_marks(names[a], SIGNS[self.at[b][a]], SIGNS[mark], names[b])
            for a, around in enumerate(self.at)
            for b, mark in around.items()
            if a < b
        ]

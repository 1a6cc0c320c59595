"""The edges of a graph as they are given, checked and put in order."""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NoReturn, TypeAlias

from structlearn.errors import DataError
from structlearn.graphs.edge import SYMMETRIC, Edge, EdgeKind
from structlearn.graphs.edge_text import edge_of_parts, edge_of_text
from structlearn.naming import each_of, has_no

Pair: TypeAlias = "tuple[str, str] | str | Edge"  # a text: two names of one letter, as "ab"
MarkedEdge: TypeAlias = "Edge | str | tuple[str, str, str]"

_WITH_HEADS: frozenset[EdgeKind] = frozenset({"directed", "bidirected"})
_WITHOUT_CIRCLES: frozenset[EdgeKind] = _WITH_HEADS | {"undirected"}
# What stands between two nodes, a bit each: arrows and ↔ may stand together, all else stands alone.
_FORWARD, _BACKWARD, _BOTH_HEADS, _ALONE = 1, 2, 4, 8


class EdgeList:
    """Gathers the edges between known nodes."""

    def __init__(self, nodes: tuple[str, ...], index: Mapping[str, int]) -> None:
        self._nodes = nodes
        self._index = index
        self._edges: list[Edge] = []
        # The ends of each edge as one number, and each pair that is joined: numbers are quick to sort, and
        # nobody looks for garbage among them.
        self._ends: list[int] = []
        self._pairs: set[int] = set()

    def add_pairs(self, pairs: Iterable[Pair], kind: EdgeKind) -> None:
        """Add edges of one kind, each a pair of names or an Edge."""
        for pair in each_of(pairs):
            edge = pair if isinstance(pair, Edge) else _edge_of_pair(pair, kind)
            self._add(edge if edge.kind == kind else replace(edge, kind=kind))

    def add_marked(self, edges: Iterable[MarkedEdge]) -> None:
        """Add edges that say their own marks: an Edge, a text, or two names with a sign between them."""
        for edge in each_of(edges):
            if isinstance(edge, Edge):
                self._add(edge)
            elif isinstance(edge, str):
                self._add(edge_of_text(edge, self._index))
            elif isinstance(edge, tuple) and len(edge) == 3:
                self._add(edge_of_parts(*edge))
            else:
                raise DataError(
                    f"An edge is an Edge, a text such as 'a --> b' or (name, sign, name), not {edge!r}."
                )

    def in_order(self) -> tuple[Edge, ...]:
        """Every edge, by the positions of its ends; refuse two where only one can be."""
        keys = [
            2 * ends + (edge.kind != "directed") for ends, edge in zip(self._ends, self._edges, strict=True)
        ]
        edges = tuple(self._edges[at] for at in sorted(range(len(keys)), key=keys.__getitem__))
        if len(self._pairs) < len(edges):  # else every edge stands alone
            for special, beside in self._special(edges).items():
                _refuse_beside(special, beside, edges)
        return edges

    def _add(self, edge: Edge) -> None:
        try:
            source, target = self._index[edge.source], self._index[edge.target]
        except (KeyError, TypeError):
            self._refuse_unknown(edge)
        if type(edge.source) is not str or type(edge.target) is not str:  # texts of NumPy
            edge = replace(edge, source=self._nodes[source], target=self._nodes[target])
        if source == target and edge.kind != "directed":
            raise DataError(f"An edge from {edge.source!r} to itself can only be directed.")
        if source > target and edge.kind in SYMMETRIC:
            # Not by `replace`, which takes ten times as long.
            edge = Edge(edge.target, edge.source, edge.kind, edge.weight, edge.p_value, edge.confidence)
            source, target = target, source
        self._edges.append(edge)
        n_nodes = len(self._nodes)
        self._ends.append(source * n_nodes + target)
        if source < target:
            self._pairs.add(source * n_nodes + target)
        elif source > target:
            self._pairs.add(target * n_nodes + source)

    def _refuse_unknown(self, edge: Edge) -> NoReturn:
        unknown = next(node for node in (edge.source, edge.target) if node not in self._nodes)
        raise DataError(has_no("The graph", "node", unknown, self._nodes)) from None

    def _special(self, edges: tuple[Edge, ...]) -> dict[Edge, frozenset[EdgeKind]]:
        """Refuse what cannot stand between two nodes; give edges that not every kind may stand beside."""
        found: dict[Edge, frozenset[EdgeKind]] = {}
        between: dict[tuple[int, int], int] = {}
        index = self._index
        for edge in edges:
            i, j = index[edge.source], index[edge.target]
            ends = (i, j) if i < j else (j, i)
            before, way = between.get(ends, 0), _way(edge.kind, is_forward=i <= j)
            if before and (before & way or (before | way) & _ALONE):
                raise DataError(f"There are two edges between {edge.source!r} and {edge.target!r}.")
            between[ends] = before | way
            if i == j or (before and (before | way) & _BOTH_HEADS):
                found[edge] = _WITH_HEADS
            elif before:
                found[edge] = _WITHOUT_CIRCLES
        return found


def _way(kind: EdgeKind, *, is_forward: bool) -> int:
    if kind == "directed":
        return _FORWARD if is_forward else _BACKWARD
    return _BOTH_HEADS if kind == "bidirected" else _ALONE


def _edge_of_pair(pair: tuple[str, str] | str, kind: EdgeKind) -> Edge:
    if type(pair) is tuple and len(pair) == 2:  # nearly all; to ask on takes as long as an edge
        return Edge(*pair, kind)
    if not isinstance(pair, Collection) or isinstance(pair, AbstractSet | Mapping) or len(pair) != 2:
        raise DataError(f"An edge is a pair of names (source, target), not {pair!r}.")
    return Edge(pair[0], pair[1], kind)


def _refuse_beside(special: Edge, allowed: frozenset[EdgeKind], edges: tuple[Edge, ...]) -> None:
    other = next((edge for edge in edges if edge.kind not in allowed), None)
    if other is None:
        return
    what = (
        f"an edge from {special.source!r} to itself"
        if special.source == special.target
        else f"two edges between {special.source!r} and {special.target!r}"
    )
    raise DataError(f"A graph with {what} cannot have {other}, which is {other.kind}.")

"""What a graph is made of: nodes, edges with a mark at each end, and facts about nodes."""

import copy
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from structlearn.errors import DataError
from structlearn.graphs import separation
from structlearn.graphs.edge import ARROWS_AND_LINES, SYMMETRIC, Edge, EdgeKind
from structlearn.graphs.edge_list import EdgeList, MarkedEdge, Pair
from structlearn.graphs.facts import Facts, checked_facts
from structlearn.graphs.kinds import GraphKind, inferred_kind, refuse_another_kind
from structlearn.graphs.links import Links, Positions
from structlearn.graphs.names import checked_names, counted
from structlearn.naming import as_names, has_no

if TYPE_CHECKING:
    from structlearn.why import Record

SHOWN_EDGES = 12


class Structure:
    """Named nodes, the edges between them, and who is joined to whom; never changes once made."""

    # How it was learned, where a learner says so: for `why`. Equal graphs may have different ones.
    record: "Record | None" = None

    def __init__(
        self,
        nodes: Iterable[str],
        directed: Iterable[Pair] = (),
        undirected: Iterable[Pair] = (),
        *,
        edges: Iterable[MarkedEdge] = (),
        kind: GraphKind | None = None,
        facts: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._nodes = checked_names(nodes)
        self._index = {name: i for i, name in enumerate(self._nodes)}
        gathered = EdgeList(self._nodes, self._index)
        gathered.add_pairs(directed, "directed")
        gathered.add_pairs(undirected, "undirected")
        gathered.add_marked(edges)
        self._edges = gathered.in_order()
        self._facts = checked_facts(facts, self._index)
        self._given_kind = kind
        if kind is not None:
            refuse_another_kind(self, kind)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names, in the order given."""
        return self._nodes

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge, ordered by the positions of its source and target."""
        return self._edges

    @property
    def facts(self) -> Facts:
        """What is known about nodes, by node and name; only nodes of which something is known."""
        return self._facts

    @property
    def given_kind(self) -> GraphKind | None:
        """The kind that was given, or None where `kind` follows from the edges."""
        return self._given_kind

    @cached_property
    def kind(self) -> GraphKind:
        """DAG, CPDAG, PDAG, undirected, ADMG, MAG, PAG or cyclic: as given, or as the edges allow.

        Without a kind given, a circle makes a PAG, a directed cycle a cyclic graph; arrows alone are a
        DAG, lines alone undirected, both a CPDAG if they are one, else a PDAG; with ↔ it is a
        MAG if it is ancestral and maximal, else an ADMG, or a PAG where there are lines too.
        """
        return self._given_kind or inferred_kind(self)

    @cached_property
    def edge_kinds(self) -> frozenset[EdgeKind]:
        """The kinds of the edges."""
        return frozenset(edge.kind for edge in self._edges)

    @property
    def directed(self) -> tuple[tuple[str, str], ...]:
        """The directed edges as (source, target)."""
        return tuple((e.source, e.target) for e in self._edges if e.kind == "directed")

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """The undirected edges as pairs."""
        return tuple((e.source, e.target) for e in self._edges if e.kind == "undirected")

    def edge(self, source: str, target: str) -> Edge | None:
        """The edge from source to target or, with the same mark at both ends, between them; or None.

        Of an arrow and ↔ between the same two nodes, the arrow.
        """
        return self._edge_of.get((self._known(source), self._known(target)))

    def parents(self, node: str) -> tuple[str, ...]:
        """The nodes with an arrow into `node`."""
        return self._names(self.links.parents(self._known(node)))

    def children(self, node: str) -> tuple[str, ...]:
        """The nodes that `node` has an arrow into."""
        return self._names(self.links.children(self._known(node)))

    def neighbors(self, node: str) -> tuple[str, ...]:
        """The nodes joined to `node` by an undirected edge."""
        return self._names(self.links.neighbors(self._known(node)))

    def spouses(self, node: str) -> tuple[str, ...]:
        """The nodes joined to `node` by a bidirected edge."""
        return self._names(self.links.spouses(self._known(node)))

    def adjacent(self, node: str) -> tuple[str, ...]:
        """The nodes joined to `node` by any edge."""
        return self._names(self.links.adjacent(self._known(node)))

    def ancestors(self, node: str) -> tuple[str, ...]:
        """The nodes with a directed path into `node`, itself left out unless on a cycle."""
        return self._names(separation.reachable(self.links.parents, [self._known(node)]))

    def descendants(self, node: str) -> tuple[str, ...]:
        """The nodes that `node` has a directed path into, itself left out unless on a cycle."""
        return self._names(separation.reachable(self.links.children, [self._known(node)]))

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Parents, children, the children's other parents, and undirected neighbours.

        With ↔ or circles, the nodes at the end of a path whose inner nodes all have arrows from
        both sides.
        """
        return self._names(separation.markov_blanket(self.links, self._known(node)))

    def with_record(self, record: "Record") -> Self:
        """The same graph with what its method found out beside it."""
        made = copy.copy(self)
        made.record = record
        return made

    @cached_property
    def links(self) -> Links:
        """The edges by position: who points at whom, for algorithms."""
        place = self._index
        ends = np.array([(place[e.source], place[e.target]) for e in self._edges], dtype=np.int64).reshape(
            -1, 2
        )
        kinds = [e.kind for e in self._edges]
        is_arrow = np.array([kind == "directed" for kind in kinds], dtype=bool)
        if self.edge_kinds <= ARROWS_AND_LINES:
            return Links(len(place), arrows=ends[is_arrow], lines=ends[~is_arrow])

        def of(*chosen: EdgeKind) -> Positions:
            return ends[[i for i, kind in enumerate(kinds) if kind in chosen]]

        return Links(
            len(place),
            arrows=ends[is_arrow],
            lines=of("undirected"),
            arcs=of("bidirected"),
            half_arrows=of("partially directed"),
            half_lines=of("partially undirected"),
            open_lines=of("nondirected"),
        )

    def __contains__(self, node: object) -> bool:
        return isinstance(node, str) and node in self._index

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Structure):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __str__(self) -> str:
        shown = [f"  {edge}" for edge in self._edges[:SHOWN_EDGES]]
        rest = len(self._edges) - len(shown)
        more = [f"  … and {rest} more"] if rest else []
        size = f"{counted(len(self), 'node')} and {counted(len(self._edges), 'edge')}"
        return "\n".join([f"Graph with {size}", *shown, *more])

    @cached_property
    def _identity(self) -> tuple[frozenset[str], frozenset[Any], Facts]:
        edges = frozenset(
            (e.kind, frozenset((e.source, e.target)) if e.kind in SYMMETRIC else (e.source, e.target))
            for e in self._edges
        )
        return frozenset(self._nodes), edges, self._facts

    @cached_property
    def _edge_of(self) -> Mapping[tuple[int, int], Edge]:
        found = {}
        for e in sorted(self._edges, key=lambda e: e.kind == "directed"):
            i, j = self._index[e.source], self._index[e.target]
            found[i, j] = e
            if e.kind in SYMMETRIC:
                found[j, i] = e
        return found

    def _names(self, positions: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._nodes[i] for i in positions)

    def _known(self, node: str) -> int:
        try:
            return self._index[node]
        except (KeyError, TypeError):
            raise DataError(has_no("The graph", "node", node, self._nodes)) from None

    def _positions(self, nodes: str | Iterable[str]) -> set[int]:
        return {self._known(node) for node in as_names(nodes)}


def refuse_no_graph(owner: str, truth: object) -> None:
    """Refuse what is no graph in the place of the true one."""
    if not isinstance(truth, Structure):
        hint = "; give its .graph" if isinstance(getattr(truth, "graph", None), Structure) else ""
        raise DataError(f"{owner}: the truth is a Graph, not a {type(truth).__name__}{hint}.")

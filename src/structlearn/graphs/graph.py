"""The one graph of the library: directed, undirected, partially directed or cyclic."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.graphs import equivalence, interchange, members, separation
from structlearn.graphs.compare import Comparison, compare
from structlearn.graphs.edge import Edge, EdgeKind
from structlearn.graphs.links import Links, Positions
from structlearn.graphs.names import checked_names, counted, listed

if TYPE_CHECKING:
    import networkx as nx

    from structlearn.plots import Picture

SHOWN_EDGES = 12


class Graph:
    """Nodes with directed and undirected edges between them; never changes once made.

    Two graphs are equal when they have the same nodes and the same edges, whatever the order
    of the nodes and whatever is known about the edges. Both `a → b` and `b → a` may be there
    (a dependency network has such cycles); a directed and an undirected edge between the same
    two nodes may not.

    Parameters
    ----------
    nodes : iterable of str
        The names of the nodes. Their order is kept.
    directed, undirected : iterable of (str, str) or of Edge
        The edges. An `Edge` keeps its weight, p-value and confidence.

    Examples
    --------
    >>> import structlearn as sl
    >>> g = sl.Graph(["a", "b", "c"], directed=[("a", "b")], undirected=[("b", "c")])
    >>> print(g)
    Graph with 3 nodes and 2 edges
      a → b
      b — c
    >>> g.neighbors("b")
    ('c',)
    """

    def __init__(
        self,
        nodes: Iterable[str],
        directed: Iterable[tuple[str, str] | Edge] = (),
        undirected: Iterable[tuple[str, str] | Edge] = (),
    ) -> None:
        self._nodes = checked_names(nodes)
        self._index = {name: i for i, name in enumerate(self._nodes)}
        edges = [self._as_edge(pair, "directed") for pair in directed]
        edges += [self._as_edge(pair, "undirected") for pair in undirected]
        self._edges = tuple(sorted(edges, key=self._position))
        self._refuse_repeats()

    @classmethod
    def from_edges(cls, nodes: Iterable[str], edges: Iterable[Edge]) -> Self:
        """Make a graph of `Edge` objects, each with its own kind."""
        edges = tuple(edges)
        return cls(
            nodes,
            directed=[e for e in edges if e.kind == "directed"],
            undirected=[e for e in edges if e.kind == "undirected"],
        )

    @classmethod
    def from_adjacency(cls, nodes: Iterable[str], adjacency: NDArray[Any]) -> Self:
        """Make a graph of a square matrix: `[i, j]` alone is i → j, with `[j, i]` it is i — j."""
        nodes = tuple(nodes)
        present = np.asarray(adjacency) != 0
        if present.shape != (len(nodes), len(nodes)):
            raise DataError(f"{len(nodes)} nodes need a square matrix of that size, not {present.shape}.")
        both = present & present.T
        arrows = np.argwhere(present & ~both).tolist()
        lines = np.argwhere(np.triu(both)).tolist()
        return cls(
            nodes,
            directed=[(nodes[i], nodes[j]) for i, j in arrows],
            undirected=[(nodes[i], nodes[j]) for i, j in lines],
        )

    @classmethod
    def from_networkx(cls, graph: "nx.Graph") -> Self:
        """Make a graph of a networkx one; a DiGraph edge in both directions becomes undirected.

        Edge attributes `weight`, `p_value` and `confidence` are kept.
        """
        return cls.from_edges(graph.nodes, interchange.edges_of_networkx(graph))

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names, in the order given."""
        return self._nodes

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge, ordered by the positions of its source and target."""
        return self._edges

    @property
    def directed(self) -> tuple[tuple[str, str], ...]:
        """The directed edges as (source, target)."""
        return tuple((e.source, e.target) for e in self._edges if e.kind == "directed")

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """The undirected edges as pairs."""
        return tuple((e.source, e.target) for e in self._edges if e.kind == "undirected")

    def edge(self, source: str, target: str) -> Edge | None:
        """The edge source → target or source — target, or None."""
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
        """Parents, children, the children's other parents, and undirected neighbours."""
        return self._names(separation.markov_blanket(self.links, self._known(node)))

    def d_separated(
        self, x: str | Iterable[str], y: str | Iterable[str], *, given: str | Iterable[str] = ()
    ) -> bool:
        """Whether `given` blocks every path between `x` and `y`, each a node or several.

        In an undirected graph this is separation. A graph that mixes both kinds of edge has
        the answer of its `to_dag()`.
        """
        xs, ys, zs = (self._positions(nodes) for nodes in (x, y, given))
        shared = (xs & ys) | (xs & zs) | (ys & zs)
        if shared:
            names = ", ".join(repr(name) for name in self._names(sorted(shared)))
            raise DataError(f"d_separated: {names} appears in more than one of x, y and given.")
        if self.is_undirected:
            return separation.separated(self.links, xs, ys, given=zs)
        dag = self if self.is_dag else self.to_dag()
        return separation.d_separated(dag.links, xs, ys, given=zs)

    @cached_property
    def is_undirected(self) -> bool:
        """Whether no edge has a direction."""
        return not self.directed

    @cached_property
    def is_dag(self) -> bool:
        """Whether every edge is directed and there is no directed cycle."""
        return not self.undirected and self._order is not None

    def topological_order(self) -> tuple[str, ...]:
        """The nodes with every arrow pointing forward; ties in the order of the nodes."""
        if self._order is None:
            raise DataError("This graph has a directed cycle, so its nodes have no topological order.")
        return self._names(self._order)

    def to_cpdag(self) -> "Graph":
        """Direct just the edges that every equivalent DAG directs the same way.

        A partially directed graph is first extended to a DAG.
        """
        dag = self if self.is_dag else self.to_dag()
        return self._directed_as(equivalence.cpdag(dag.links))

    def to_dag(self) -> "Graph":
        """Direct the undirected edges without a new v-structure or cycle (Dor and Tarsi, 1992)."""
        if self.is_dag:
            return self
        if self._order is None:
            raise DataError("This graph has a directed cycle, so no DAG has its arrows; remove one of them.")
        arrows = equivalence.consistent_extension(self.links)
        if arrows is None:
            raise DataError(
                "The undirected edges cannot be directed without a cycle or a new v-structure, so no DAG "
                "has this skeleton and these v-structures; remove or direct some edges."
            )
        return self._directed_as(Links(len(self), arrows=arrows))

    def members(self) -> Iterator["Graph"]:
        """Every DAG with these arrows and v-structures and no others, one after the other.

        Of a CPDAG that is its whole equivalence class; arrows that are known besides are kept. The
        class of a DAG is `dag.to_cpdag().members()`. A graph that no DAG extends has no members.
        """
        return (self._directed_as(links) for links in members.members(self.links))

    def n_members(self) -> int:
        """How many graphs `members` would give, without making them all."""
        return members.n_members(self.links)

    def meek_closure(self) -> "Graph":
        """Direct what follows from the directed edges by Meek's four rules."""
        return self._directed_as(equivalence.meek_closure(self.links))

    def skeleton(self) -> "Graph":
        """The same edges without directions."""
        return self._joined(self.links.pairs())

    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """Each (a, b, c) with a → b ← c and a, c not adjacent."""
        triples = equivalence.v_structures(self.links)
        return tuple((self._nodes[a], self._nodes[b], self._nodes[c]) for a, b, c in triples)

    def moral(self) -> "Graph":
        """The undirected graph in which each node is joined to its Markov blanket."""
        return self._joined(separation.moral_edges(self.links))

    def compare(self, truth: "Graph") -> Comparison:
        """Count what this graph has right and wrong beside `truth`."""
        return compare(self, truth)

    def subgraph(self, nodes: Iterable[str]) -> "Graph":
        """The given nodes and the edges between them."""
        kept = [self._nodes[i] for i in sorted(self._positions(nodes))]
        return Graph.from_edges(kept, (e for e in self._edges if {e.source, e.target} <= set(kept)))

    def reordered(self, nodes: Sequence[str]) -> "Graph":
        """The same graph with its nodes in another order."""
        if Counter(nodes) != Counter(self._nodes):
            raise DataError(f"reordered: each of the {len(self)} nodes is needed once, not {listed(nodes)}.")
        return Graph.from_edges(nodes, self._edges)

    def adjacency(self) -> NDArray[np.int8]:
        """A matrix with 1 at `[i, j]` for i → j, and at both ends for i — j."""
        matrix = np.zeros((len(self._nodes), len(self._nodes)), dtype=np.int8)
        for e in self._edges:
            i, j = self._index[e.source], self._index[e.target]
            matrix[i, j] = 1
            if e.kind == "undirected":
                matrix[j, i] = 1
        return matrix

    def to_networkx(self) -> "nx.Graph":
        """A DiGraph, or a Graph where no edge is directed; undirected edges go both ways."""
        return interchange.to_networkx(self)

    def plot(self, path: str | Path | None = None, *, truth: "Graph | None" = None) -> "Picture":
        """Draw the graph; see `structlearn.plots.plot_graph`."""
        from structlearn.plots import plot_graph  # noqa: PLC0415, a door to a later layer

        return plot_graph(self, path, truth=truth)

    def save(self, path: str | Path) -> None:
        """Write the graph to a file whose ending says the format, such as .json, .graphml or .dot."""
        from structlearn.formats import save  # noqa: PLC0415, a door to a later layer

        save(self, path)

    def _repr_svg_(self) -> str:
        from structlearn.plots import svg  # noqa: PLC0415, a door to a later layer

        return svg(self)

    @cached_property
    def links(self) -> Links:
        """The edges by position: who points at whom, for algorithms."""
        ends = np.array(
            [(self._index[e.source], self._index[e.target]) for e in self._edges], dtype=np.int64
        ).reshape(-1, 2)
        is_arrow = np.array([e.kind == "directed" for e in self._edges], dtype=bool)
        return Links(len(self._nodes), arrows=ends[is_arrow], lines=ends[~is_arrow])

    def __contains__(self, node: object) -> bool:
        return node in self._index

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        directed, undirected = len(self.directed), len(self.undirected)
        return f"<Graph: {len(self)} nodes, {directed} directed and {undirected} undirected edges>"

    def __str__(self) -> str:
        shown = [f"  {edge}" for edge in self._edges[:SHOWN_EDGES]]
        rest = len(self._edges) - len(shown)
        more = [f"  … and {rest} more"] if rest else []
        size = f"{counted(len(self), 'node')} and {counted(len(self._edges), 'edge')}"
        return "\n".join([f"Graph with {size}", *shown, *more])

    @cached_property
    def _identity(self) -> tuple[frozenset[str], frozenset[Any]]:
        arrows = frozenset(self.directed)
        lines = frozenset(frozenset(pair) for pair in self.undirected)
        return frozenset(self._nodes), arrows | lines

    @cached_property
    def _order(self) -> tuple[int, ...] | None:
        return separation.topological_order(self.links)

    @cached_property
    def _edge_of(self) -> Mapping[tuple[int, int], Edge]:
        found = {}
        for e in self._edges:
            i, j = self._index[e.source], self._index[e.target]
            found[i, j] = e
            if e.kind == "undirected":
                found[j, i] = e
        return found

    def _directed_as(self, links: Links) -> "Graph":
        """The same edges, each with what is known about it, under other directions."""
        return Graph(
            self._nodes,
            directed=[self._turned(i, j, "directed") for i, j in links.arrows.tolist()],
            undirected=[self._turned(i, j, "undirected") for i, j in links.lines.tolist()],
        )

    def _joined(self, pairs: Positions) -> "Graph":
        return Graph(self._nodes, undirected=[(self._nodes[i], self._nodes[j]) for i, j in pairs.tolist()])

    def _turned(self, i: int, j: int, kind: EdgeKind) -> Edge:
        known = self._edge_of.get((i, j)) or self._edge_of[j, i]
        return replace(known, source=self._nodes[i], target=self._nodes[j], kind=kind)

    def _names(self, positions: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._nodes[i] for i in positions)

    def _known(self, node: str) -> int:
        try:
            return self._index[node]
        except (KeyError, TypeError):
            raise DataError(f"The graph has no node {node!r}; its nodes are {listed(self._nodes)}.") from None

    def _positions(self, nodes: str | Iterable[str]) -> set[int]:
        return {self._known(node) for node in ([nodes] if isinstance(nodes, str) else nodes)}

    def _position(self, edge: Edge) -> tuple[int, int]:
        return self._index[edge.source], self._index[edge.target]

    def _as_edge(self, pair: tuple[str, str] | Edge, kind: EdgeKind) -> Edge:
        edge = pair if isinstance(pair, Edge) else _edge_of_pair(pair, kind)
        source, target = self._known(edge.source), self._known(edge.target)
        if source == target:
            raise DataError(f"An edge from {edge.source!r} to itself is not allowed.")
        if kind == "undirected" and source > target:
            return replace(edge, source=edge.target, target=edge.source, kind=kind)
        return edge if edge.kind == kind else replace(edge, kind=kind)

    def _refuse_repeats(self) -> None:
        seen: dict[tuple[int, int], EdgeKind] = {}
        for e in self._edges:
            i, j = self._position(e)
            if (i, j) in seen or (seen.get((j, i), e.kind) != e.kind):
                raise DataError(f"There are two edges between {e.source!r} and {e.target!r}.")
            seen[i, j] = e.kind


def _edge_of_pair(pair: tuple[str, str], kind: EdgeKind) -> Edge:
    if len(pair) != 2:
        raise DataError(f"An edge is a pair of names (source, target), not {pair!r}.")
    return Edge(pair[0], pair[1], kind)

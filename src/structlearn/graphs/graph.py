"""The one graph of the library: directed, undirected or mixed, with a mark at each end of an edge."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.graphs import adjacency, equivalence, members, projection, separation
from structlearn.graphs.compare import Comparison, compare
from structlearn.graphs.doors import Doors
from structlearn.graphs.edge import ARROWS_AND_LINES, Edge, EdgeKind
from structlearn.graphs.edge_list import MarkedEdge, Pair
from structlearn.graphs.exchanged import Exchanged
from structlearn.graphs.kinds import GraphKind, refuse_another_kind
from structlearn.graphs.links import Links, Positions
from structlearn.graphs.ranking import RankedPair, RankingComparison, compare_ranking, ranking
from structlearn.naming import as_names, each_of, listed
from structlearn.options import Whole, check_options
from structlearn.options.seeds import generator_of

N_DRAWN = Whole(0, "the number of graphs to draw")


class Graph(Doors, Exchanged):
    """Nodes with edges between them, a mark at each end of an edge; never changes once made.

    Two graphs are equal when they have the same nodes, edges and facts, whatever the order of the
    nodes, whatever is known about the edges and whatever kind was given. Both `a → b` and `b → a` may be
    there (a dependency network has such cycles), and `a ↔ b` beside them; no other two edges between
    the same nodes. A directed edge may run from a node to itself.

    Parameters
    ----------
    nodes : iterable of str
        The names of the nodes. Their order is kept.
    directed, undirected : iterable of (str, str) or of Edge
        Edges of one kind. An `Edge` keeps its weight, p-value and confidence.
    edges : iterable of str, of (str, str, str) or of Edge
        Edges of any kind, typed as `"a o-> b"` or `("a", "o->", "b")`. The signs are `-->` (or `->`), `---`
        (or `--`), `<->`, `o->`, `o-o` and `--o`, read from either side: a tail, an arrow or a circle
        at each end. A name with such a sign between spaces is better given in three parts.
    kind : str, optional
        What the graph is: DAG, CPDAG, PDAG, undirected, ADMG, MAG, PAG or cyclic. Edges that such a graph
        cannot have are refused. If not given, the edges decide; see `kind`.
    facts : mapping of str to mapping, optional
        What is known about nodes: by node and name, text, numbers, truth values, lists and dicts.
        Pictures box nodes with the same "group" (or "module", "lag").

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
    >>> sl.Graph("abcd", edges=["a o-> b", "b <-> c", "c o-o d"]).kind
    'PAG'
    """

    @classmethod
    def from_edges(
        cls,
        nodes: Iterable[str],
        edges: Iterable[MarkedEdge],
        *,
        kind: GraphKind | None = None,
        facts: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Self:
        """Make a graph of `Edge` objects, each with its own kind."""
        return cls(nodes, edges=edges, kind=kind, facts=facts)

    @classmethod
    def from_adjacency(cls, nodes: Iterable[str], matrix: NDArray[Any]) -> Self:
        """Make a graph of a square matrix: `[i, j]` alone is i → j, with `[j, i]` it is i — j.

        Whole numbers are read as `adjacency` writes them; of others only what is zero and what is not.
        """
        nodes = tuple(nodes)
        return cls(nodes, edges=adjacency.edges_of_matrix(nodes, matrix))

    def d_separated(
        self, x: str | Iterable[str], y: str | Iterable[str], *, given: str | Iterable[str] = ()
    ) -> bool:
        """Whether `given` blocks every path between `x` and `y`, each a node or several.

        In an undirected graph this is separation, with ↔ it is m-separation. A graph of arrows and lines
        has the answer of its `to_dag()`, a PAG that of its `to_mag()`.
        """
        xs, ys, zs = (self._positions(nodes) for nodes in (x, y, given))
        shared = (xs & ys) | (xs & zs) | (ys & zs)
        if shared:
            names = ", ".join(repr(name) for name in self._names(sorted(shared)))
            raise DataError(f"Separation: {names} appears in more than one of x, y and given.")
        if self.is_undirected:
            return separation.separated(self.links, xs, ys, given=zs)
        dag, selected = self.canonical_links()
        return separation.d_separated(dag, xs, ys, given=[*zs, *selected.tolist()])

    def m_separated(
        self, x: str | Iterable[str], y: str | Iterable[str], *, given: str | Iterable[str] = ()
    ) -> bool:
        """Whether `given` m-separates `x` and `y`: what `d_separated` is in graphs with hidden causes.

        A path is open if none of its colliders (nodes with an arrow from both sides) lacks a descendant
        in `given`, itself counted, and no other inner node is in `given`.
        """
        return self.d_separated(x, y, given=given)

    @cached_property
    def is_undirected(self) -> bool:
        """Whether no edge has an arrow or a circle."""
        return self.edge_kinds <= {"undirected"}

    @cached_property
    def is_dag(self) -> bool:
        """Whether every edge is directed and there is no directed cycle."""
        return self.edge_kinds <= {"directed"} and self._order is not None

    def topological_order(self) -> tuple[str, ...]:
        """The nodes with every arrow pointing forward; ties in the order of the nodes."""
        if self._order is None:
            raise DataError("This graph has a directed cycle, so its nodes have no topological order.")
        return self._names(self._order)

    def to_cpdag(self, *, targets: Iterable[str | Iterable[str]] = ()) -> "Graph":
        """Direct just the edges that every equivalent DAG directs the same way.

        A partially directed graph is first extended to a DAG.

        Parameters
        ----------
        targets : iterable of str or of iterables of str
            Nodes that experiments set, one or several in each, beside rows where none was. Then fewer
            DAGs are equivalent, and more edges directed: the interventional essential graph of a DAG.

        Examples
        --------
        >>> print(Graph("abc", directed=["ab", "bc"]).to_cpdag(targets=["c"]))
        Graph with 3 nodes and 2 edges
          a — b
          b → c
        """
        sets = [self._positions(nodes) for nodes in as_names(targets)]
        if not sets:
            return self._directed_as(equivalence.cpdag(self.to_dag().links), "CPDAG")
        if not self.is_dag:
            raise DataError("to_cpdag(targets=…): experiments tell directions of a DAG, and this is none.")
        return self._directed_as(equivalence.interventional_cpdag(self.links, sets))

    def to_dag(self) -> "Graph":
        """Direct the undirected edges without a new v-structure or cycle (Dor and Tarsi, 1992)."""
        if self.is_dag:
            return self if self.given_kind in {None, "DAG"} else self._remade(edges=self._edges, kind="DAG")
        self._refuse_hidden_causes()
        if self._order is None:
            raise DataError("This graph has a directed cycle, so no DAG has its arrows; remove one of them.")
        arrows = equivalence.consistent_extension(self.links)
        if arrows is None:
            raise DataError(
                "The undirected edges cannot be directed without a cycle or a new v-structure, so no DAG "
                "has this skeleton and these v-structures; remove or direct some edges."
            )
        return self._directed_as(Links(len(self), arrows=arrows), "DAG")

    def to_mag(self, latent: Iterable[str] = (), selected: Iterable[str] = ()) -> "Graph":
        """The maximal ancestral graph of what is left when some nodes are hidden or selected.

        Of a PAG, one MAG of its class is taken first (Zhang, 2008).

        Parameters
        ----------
        latent : iterable of str
            The nodes that nobody observes.
        selected : iterable of str
            The nodes whose values decided which rows there are.

        Examples
        --------
        >>> hidden = Graph("abcu", directed=["ab", "ub", "uc"])
        >>> print(hidden.to_mag(latent=["u"]))
        Graph with 3 nodes and 2 edges
          a → b
          b ↔ c
        """
        hidden, chosen = self._positions(latent), self._positions(selected)
        if hidden & chosen:
            both = listed(self._names(sorted(hidden & chosen)))
            raise DataError(f"to_mag: {both} cannot be both latent and selected.")
        observed = [i for i in range(len(self)) if i not in hidden | chosen]
        if not observed:
            raise DataError("to_mag: every node is latent or selected; leave at least one.")
        dag, given = self.canonical_links()
        mag = projection.maximal_ancestral_graph(
            dag, np.array(observed), np.array([*sorted(chosen), *given], dtype=np.int64)
        )
        return self._of_links(mag, self._names(observed), "MAG")

    def to_admg(self, latent: Iterable[str]) -> "Graph":
        """What a DAG or ADMG says of the nodes that are left, with ↔ for each hidden common cause.

        The latent projection keeps what acts on what: x → y where x acts on y by hidden nodes alone, and
        x ↔ y, besides or instead, where a hidden node acts on both by hidden nodes alone. `to_mag` says which
        pairs no set separates instead, with one edge for each.

        Parameters
        ----------
        latent : iterable of str
            The nodes that nobody observes.

        Examples
        --------
        >>> print(Graph("abcu", directed=["ab", "bc", "ub", "uc"]).to_admg(latent=["u"]))
        Graph with 3 nodes and 3 edges
          a → b
          b → c
          b ↔ c
        """
        hidden = self._positions(latent)
        observed = [i for i in range(len(self)) if i not in hidden]
        if not observed:
            raise DataError("to_admg: every node is latent; leave at least one.")
        if not self.edge_kinds <= {"directed", "bidirected"} or self._order is None:
            raise DataError("to_admg: a DAG or ADMG can be projected, and this graph is neither.")
        found = projection.latent_projection(self.canonical_links()[0], np.array(observed))
        return self._of_links(found, self._names(observed), "ADMG" if len(found.arcs) else "DAG")

    def members(self) -> Iterator["Graph"]:
        """Every DAG with these arrows and v-structures and no others, one after the other.

        Of a CPDAG that is its whole equivalence class; arrows that are known besides are kept. The
        class of a DAG is `dag.to_cpdag().members()`. A graph that no DAG extends has no members.
        """
        self._refuse_hidden_causes()
        return (self._directed_as(links, "DAG") for links in members.members(self.links))

    def n_members(self) -> int:
        """How many graphs `members` would give, without making them all."""
        self._refuse_hidden_causes()
        return members.n_members(self.links)

    def sample_members(self, n: int, *, random_state: int | None = None) -> list["Graph"]:
        """Draw `n` of the graphs that `members` would give, every one as likely as any other.

        Examples
        --------
        >>> chain = Graph("abc", undirected=["ab", "bc"])
        >>> [len(member.v_structures()) for member in chain.sample_members(2, random_state=0)]
        [0, 0]
        """
        self._refuse_hidden_causes()
        check_options("sample_members", {"n": N_DRAWN}, {"n": n})
        drawn = members.drawn_members(self.links, n, generator_of("sample_members", random_state))
        return [self._directed_as(links, "DAG") for links in drawn]

    def meek_closure(self) -> "Graph":
        """Direct what follows from the directed edges by Meek's four rules."""
        self._refuse_hidden_causes()
        return self._directed_as(equivalence.meek_closure(self.links))

    def skeleton(self) -> "Graph":
        """The same edges without marks."""
        return self._joined(self.links.pairs())

    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """Each (a, b, c) with arrows from a and from c at b, and a, c not adjacent."""
        triples = equivalence.v_structures(self.links).tolist()
        return tuple((self._nodes[a], self._nodes[b], self._nodes[c]) for a, b, c in triples)

    def moral(self) -> "Graph":
        """The undirected graph in which each node is joined to its Markov blanket."""
        return self._joined(separation.moral_edges(self.links))

    def compare(self, truth: "Graph") -> Comparison:
        """Count what this graph has right and wrong beside `truth`."""
        return compare(self, truth)

    def ranking(self) -> tuple[RankedPair, ...]:
        """The edges, strongest first: by the size of their weights, else by confidence, else by p-value."""
        return ranking(self)

    def compare_ranking(self, truth: "Graph") -> RankingComparison:
        """How well the edges, strongest first, find those of `truth`: AUROC, AUPR and early precision."""
        return compare_ranking(self, truth)

    def subgraph(self, nodes: Iterable[str]) -> "Graph":
        """The given nodes and the edges between them."""
        kept = [self._nodes[i] for i in sorted(self._positions(nodes))]
        edges = [e for e in self._edges if {e.source, e.target} <= set(kept)]
        return self._remade(kept, edges=edges, kind=None if self.given_kind == "CPDAG" else self.given_kind)

    def reordered(self, nodes: Sequence[str]) -> "Graph":
        """The same graph with its nodes in another order."""
        given = each_of(nodes)
        if sorted(given, key=repr) != sorted(self._nodes, key=repr):
            raise DataError(f"reordered: each of the {len(self)} nodes is needed once, not {listed(given)}.")
        return self._remade(given, edges=self._edges, kind=self.given_kind)

    def adjacency(self) -> NDArray[np.int8]:
        """A matrix with 1 at `[i, j]` for i → j, and at both ends for i — j.

        At `[i, j]` and `[j, i]` there are 2 and 2 for i → j with j → i, 4 and 4 for i ↔ j (added, where
        there are arrows too), 8 and 0 for i o→ j, 8 and 8 for i o–o j, 16 and 8 for i –o j.
        """
        return adjacency.matrix_of(self)

    def canonical_links(self) -> tuple[Links, Positions]:
        """The DAG that this graph stands for, by position, and the nodes of it that are always given.

        The nodes of the graph come first; for ↔ and — of a MAG others follow.
        """
        if self.is_dag:
            return self.links, np.empty(0, dtype=np.int64)
        if self.edge_kinds <= ARROWS_AND_LINES and self.given_kind not in {"MAG", "PAG"}:
            return self.to_dag().links, np.empty(0, dtype=np.int64)
        if self._order is None:
            raise DataError("This graph has a directed cycle, so it does not say what is independent.")
        if self.edge_kinds <= {"directed", "bidirected"}:
            return separation.canonical_dag(self.links)
        return separation.canonical_dag(self.links if self.kind == "MAG" else self._member_of_pag().links)

    def __repr__(self) -> str:
        counts = Counter({"directed": 0, "undirected": 0})
        counts.update(edge.kind for edge in self._edges)
        *first, last = (f"{n} {kind}" for kind, n in counts.items())
        return f"<Graph: {len(self)} nodes, {', '.join(first)} and {last} edges>"

    @cached_property
    def _order(self) -> tuple[int, ...] | None:
        return separation.topological_order(self.links)

    def _member_of_pag(self) -> "Graph":
        member = self._of_links(projection.member_of_pag(self.links), self._nodes)
        refuse_another_kind(member, "MAG")
        return member

    def _refuse_hidden_causes(self) -> None:
        other = next((edge for edge in self._edges if edge.kind not in ARROWS_AND_LINES), None)
        if other is not None:
            raise DataError(f"Only arrows and lines can become DAGs, and this graph has {other}.")

    def _directed_as(self, links: Links, kind: GraphKind | None = None) -> "Graph":
        """The same edges, each with what is known about it, under other directions."""
        return self._remade(
            directed=[self._turned(i, j, "directed") for i, j in links.arrows.tolist()],
            undirected=[self._turned(i, j, "undirected") for i, j in links.lines.tolist()],
            kind=kind,
        )

    def _joined(self, pairs: Positions) -> "Graph":
        lines = [(self._nodes[i], self._nodes[j]) for i, j in pairs.tolist()]
        return self._remade(undirected=lines, kind="undirected")

    def _of_links(self, links: Links, nodes: Sequence[str], kind: GraphKind | None = None) -> "Graph":
        """A graph of some of the nodes, joined by arrows, lines and arcs."""
        arcs = [Edge(nodes[i], nodes[j], "bidirected") for i, j in links.arcs.tolist()]
        return self._remade(
            nodes,
            directed=[(nodes[i], nodes[j]) for i, j in links.arrows.tolist()],
            undirected=[(nodes[i], nodes[j]) for i, j in links.lines.tolist()],
            edges=arcs,
            kind=kind,
        )

    def _remade(
        self,
        nodes: Sequence[str] | None = None,
        *,
        directed: Iterable[Pair] = (),
        undirected: Iterable[Pair] = (),
        edges: Iterable[Edge] = (),
        kind: GraphKind | None = None,
    ) -> "Graph":
        """A graph with the same facts, of a kind that its edges have been made to fit."""
        kept = self._nodes if nodes is None else tuple(nodes)
        facts = {node: self._facts[node] for node in kept if node in self._facts} if self._facts else None
        made = Graph(kept, directed, undirected, edges=edges, facts=facts)
        made._given_kind = kind
        made.record = self.record
        return made

    def _turned(self, i: int, j: int, kind: EdgeKind) -> Edge:
        known = self._edge_of.get((i, j)) or self._edge_of[j, i]
        return replace(known, source=self._nodes[i], target=self._nodes[j], kind=kind)

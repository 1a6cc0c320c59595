"""Graphs to and from what other libraries have."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from structlearn.graphs import edge_table, interchange
from structlearn.graphs.structure import Structure

if TYPE_CHECKING:
    import networkx as nx


class Exchanged(Structure):
    """A structure that other libraries' graphs and frames become, and that becomes those."""

    @classmethod
    def from_networkx(cls, graph: "nx.Graph") -> Self:
        """Make a graph of a networkx one; a DiGraph edge in both directions becomes undirected.

        Edge attributes `weight`, `p_value` and `confidence` are kept. An edge attribute `kind` says the
        kind, and then two arrows stay two. Node attributes become facts where they are plain values.
        """
        interchange.refuse_no_networkx(graph)
        return cls(
            graph.nodes,
            edges=interchange.edges_of_networkx(graph),
            kind=interchange.kind_of_networkx(graph),
            facts=interchange.facts_of_networkx(graph),
        )

    def to_networkx(self) -> "nx.Graph":
        """A DiGraph, or a Graph where no edge is directed; undirected edges go both ways."""
        return interchange.to_networkx(self)  # type: ignore[arg-type]  # every structure is a Graph

    @classmethod
    def from_frame(cls, frame: Any, nodes: Iterable[str] = ()) -> Self:
        """Make a graph of a pandas, polars or pyarrow frame with a row for each edge.

        The ends are in columns `from` and `to` (or `source` and `target`, `parent` and `child`, `cause` and
        `effect`), which make arrows, or `a` and `b`, which make lines; a column `edge` may have signs such as
        `-->` and `o->`, and `weight`, `p_value` and `confidence` are kept. Nodes are those of the edges and,
        before them, `nodes`.
        """
        found, edges = edge_table.parts_of_frame(frame)
        return cls(dict.fromkeys([*nodes, *found]), edges=edges)

    def to_frame(self, library: str = "pandas") -> Any:
        """A frame with a row for each edge: from, to, its sign in `edge`, and what is known about it.

        The library is "pandas", "polars" or "pyarrow". Nodes without edges are not in it.
        """
        return edge_table.to_frame(self, library)

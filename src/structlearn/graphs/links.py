"""The edges of a graph by position, in compressed rows: O(nodes + edges) memory."""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Positions = NDArray[np.int64]


class Links:
    """Who is joined to whom among nodes 0 … n-1; every list of neighbours is sorted.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    arrows, lines : array-like of shape (n, 2)
        A row (source, target) per directed edge, a row per undirected edge. The caller has
        checked that no edge is there twice.
    arcs : array-like of shape (n, 2)
        A row per bidirected edge.
    half_arrows, half_lines, open_lines : array-like of shape (n, 2)
        The edges with a circle: a row (source, target) per o→ and per –o, a row per o–o.
    """

    def __init__(
        self,
        n_nodes: int,
        arrows: ArrayLike = (),
        lines: ArrayLike = (),
        *,
        arcs: ArrayLike = (),
        half_arrows: ArrayLike = (),
        half_lines: ArrayLike = (),
        open_lines: ArrayLike = (),
    ) -> None:
        self.n_nodes = n_nodes
        self.arrows = _rows_of_two(arrows)
        self.lines = _rows_of_two(lines)
        self.arcs = _rows_of_two(arcs)
        self.half_arrows = _rows_of_two(half_arrows)
        self.half_lines = _rows_of_two(half_lines)
        self.open_lines = _rows_of_two(open_lines)

    def parents(self, node: int) -> Positions:
        """The sources of the arrows into `node`."""
        return _row(self.parent_rows, node)

    def children(self, node: int) -> Positions:
        """The targets of the arrows out of `node`."""
        return _row(self.child_rows, node)

    def neighbors(self, node: int) -> Positions:
        """The other ends of the undirected edges at `node`."""
        return _row(self.neighbor_rows, node)

    def spouses(self, node: int) -> Positions:
        """The other ends of the bidirected edges at `node`."""
        return _row(self.spouse_rows, node)

    def pointing_at(self, node: int) -> Positions:
        """The other ends of all edges with an arrow at `node`, each once."""
        return _row(self.head_rows, node)

    def adjacent(self, node: int) -> Positions:
        """The other ends of all edges at `node`, each once."""
        return _row(self.adjacent_rows, node)

    @property
    def has_only_arrows_and_lines(self) -> bool:
        """Whether no edge has two arrows or a circle."""
        return not any(map(len, (self.arcs, self.half_arrows, self.half_lines, self.open_lines)))

    def pairs(self) -> Positions:
        """The joined pairs, a row (low, high) for each, sorted."""
        every = np.concatenate(
            [self.arrows, self.lines, self.arcs, self.half_arrows, self.half_lines, self.open_lines]
        )
        return distinct_pairs(every[every[:, 0] != every[:, 1]], self.n_nodes)

    @cached_property
    def parent_rows(self) -> tuple[Positions, Positions]:
        """Where each node's parents start, and the parents, one node after the other."""
        return _compressed(self.n_nodes, self.arrows[:, 1], self.arrows[:, 0])

    @cached_property
    def child_rows(self) -> tuple[Positions, Positions]:
        """Where each node's children start, and the children, one node after the other."""
        return _compressed(self.n_nodes, self.arrows[:, 0], self.arrows[:, 1])

    @cached_property
    def neighbor_rows(self) -> tuple[Positions, Positions]:
        """Where each node's undirected neighbours start, and the neighbours."""
        return _compressed(self.n_nodes, *_both_ways(self.lines))

    @cached_property
    def spouse_rows(self) -> tuple[Positions, Positions]:
        """Where each node's spouses start, and the spouses."""
        return _compressed(self.n_nodes, *_both_ways(self.arcs))

    @cached_property
    def adjacent_rows(self) -> tuple[Positions, Positions]:
        """Where each node's adjacent nodes start, and the nodes."""
        return _compressed(self.n_nodes, *_both_ways(self.pairs()))

    @cached_property
    def head_rows(self) -> tuple[Positions, Positions]:
        """Where the other ends of all edges with an arrow at each node start, and these, each once."""
        if self.has_only_arrows_and_lines:
            return self.parent_rows
        heads = np.concatenate([self.arrows, self.half_arrows, self.arcs, self.arcs[:, ::-1]])
        codes = np.unique(heads[:, 1] * self.n_nodes + heads[:, 0])
        return _compressed(self.n_nodes, *np.divmod(codes, max(self.n_nodes, 1)))


def distinct_pairs(pairs: Positions, n_nodes: int) -> Positions:
    """Each unordered pair once, as (low, high), sorted."""
    codes = (
        np.unique(pairs.min(axis=1) * n_nodes + pairs.max(axis=1)) if len(pairs) else np.empty(0, np.int64)
    )
    return np.column_stack(np.divmod(codes, max(n_nodes, 1)))


def _rows_of_two(rows: ArrayLike) -> Positions:
    return np.asarray(rows, dtype=np.int64).reshape(-1, 2)


def _both_ways(pairs: Positions) -> tuple[Positions, Positions]:
    both = np.concatenate([pairs, pairs[:, ::-1]])
    return both[:, 0], both[:, 1]


def _compressed(n_nodes: int, owners: Positions, others: Positions) -> tuple[Positions, Positions]:
    starts = np.zeros(n_nodes + 1, dtype=np.int64)
    n_owned = np.bincount(owners, minlength=n_nodes)
    np.cumsum(n_owned, out=starts[1:])
    codes = np.sort(owners * n_nodes + others)  # of one number each: ten times as quick as by two keys
    return starts, codes - np.repeat(n_nodes * np.arange(n_nodes), n_owned)


def _row(rows: tuple[Positions, Positions], node: int) -> Positions:
    starts, others = rows
    return others[starts[node] : starts[node + 1]]

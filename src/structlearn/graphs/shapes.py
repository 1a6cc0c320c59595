"""The shapes a random graph can have, one class for each: which pairs of positions are joined.

A pair is (earlier, later) in the order in which the graph grows, where it has one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs.links import Links, Positions, distinct_pairs
from structlearn.options import Above, Between, Flag, OneOf, OrNone, Rules, Whole

MOST_NODES = 10**7


class Shape(Protocol):
    """A kind of random graph with its options."""

    rules: ClassVar[Rules]
    has_order: ClassVar[bool]
    """Whether positions say something: when a node came, or where on a ring it is."""

    def pairs(self, n_nodes: int, generator: np.random.Generator) -> Positions:
        """Draw the joined pairs, a row for each."""


@dataclass(frozen=True)
class ErdosRenyi:
    """Every pair with the same probability; `expected_degree` edges at a node on average."""

    expected_degree: float = 2.0

    rules: ClassVar[Rules] = {
        "expected_degree": Between(0, float("inf"), "how many edges a node has on average")
    }
    has_order: ClassVar[bool] = False

    def pairs(self, n_nodes: int, generator: np.random.Generator) -> Positions:
        """Draw in time and memory of the pairs drawn."""
        offsets = np.arange(n_nodes, dtype=np.int64) * (np.arange(n_nodes, dtype=np.int64) - 1) // 2
        n_pairs = n_nodes * (n_nodes - 1) // 2
        n_drawn = generator.binomial(n_pairs, min(1.0, self.expected_degree / max(n_nodes - 1, 1)))
        if n_drawn == 0:
            return np.empty((0, 2), dtype=np.int64)
        drawn = np.sort(generator.choice(n_pairs, n_drawn, replace=False, shuffle=False))
        high = np.searchsorted(offsets, drawn, side="right") - 1
        return np.column_stack([drawn - offsets[high], high])


@dataclass(frozen=True)
class ScaleFree:
    """Preferential attachment (Barabási and Albert, 1999): hubs, and degrees with a power law.

    Each new node joins `n_links` old ones, chosen with probability proportional to degree +
    `attractiveness`; the exponent is 3 + attractiveness / n_links. With probability `triangles` a
    link after the first goes to a neighbour of the node chosen before (Holme and Kim, 2002).
    """

    n_links: int = 1
    attractiveness: float = 0.0
    triangles: float = 0.0

    rules: ClassVar[Rules] = {
        "n_links": Whole(1, "how many old nodes a new one joins"),
        "attractiveness": Above(-1, "what is added to degrees when links are drawn"),
        "triangles": Between(0, 1, "the probability that a link closes a triangle"),
    }
    has_order: ClassVar[bool] = True

    def pairs(self, n_nodes: int, generator: np.random.Generator) -> Positions:
        """Grow a star of n_links + 1 nodes."""
        from structlearn.graphs.kernels.growth import attach  # noqa: PLC0415, numba is slow to load

        if n_nodes <= self.n_links:
            raise OptionError(
                f"A scale-free graph with n_links = {self.n_links} needs more nodes, not {n_nodes}."
            )
        grown: Positions = attach(n_nodes, self.n_links, self.attractiveness, self.triangles, generator)
        return grown


@dataclass(frozen=True)
class SmallWorld:
    """A ring of `degree` neighbours, some of whose edges go anywhere (Watts and Strogatz, 1998).

    Each edge is replaced with probability `rewiring`; with `keep_ring` a shortcut is added instead
    (Newman and Watts, 1999). With `connected` up to `tries` graphs are drawn until one is.
    """

    degree: int = 4
    rewiring: float = 0.1
    keep_ring: bool = False
    connected: bool = False
    tries: int = 100

    rules: ClassVar[Rules] = {
        "degree": Whole(0, "how many neighbours a node has on the ring, an even number"),
        "rewiring": Between(0, 1, "the probability that an edge of the ring goes elsewhere"),
        "keep_ring": Flag("whether shortcuts are added to the ring instead"),
        "connected": Flag("whether the graph must be connected"),
        "tries": Whole(1, "how many graphs to draw until one is connected"),
    }
    has_order: ClassVar[bool] = True

    def pairs(self, n_nodes: int, generator: np.random.Generator) -> Positions:
        """Draw until the graph is as asked for."""
        if self.degree % 2 or (self.degree >= n_nodes and self.degree > 0):
            raise OptionError(
                f"A small world needs an even degree smaller than n_nodes, not {self.degree} of {n_nodes}."
            )
        for _ in range(self.tries):
            drawn = self._draw(n_nodes, generator)
            if not self.connected or _is_connected(drawn, n_nodes):
                return drawn
        raise OptionError(f"None of {self.tries} small worlds was connected; ask for a larger degree.")

    def _draw(self, n_nodes: int, generator: np.random.Generator) -> Positions:
        nodes, steps = np.arange(n_nodes), np.arange(1, self.degree // 2 + 1)
        edges = [(v, (v + step) % n_nodes) for step in steps.tolist() for v in nodes.tolist()]
        around: list[set[int]] = [set() for _ in nodes]
        for v, w in edges:
            around[v].add(w)
            around[w].add(v)
        chosen = np.flatnonzero(generator.random(len(edges)) < self.rewiring).tolist()
        for place in chosen:
            v, w = edges[place]
            if len(around[v]) == n_nodes - 1:
                continue  # there is nowhere else to go
            new = _stranger(v, around[v], n_nodes, generator)
            if self.keep_ring:
                edges.append((v, new))
            else:
                edges[place] = (v, new)
                around[v].remove(w)
                around[w].remove(v)
            around[v].add(new)
            around[new].add(v)
        return distinct_pairs(np.array(edges, dtype=np.int64).reshape(-1, 2), n_nodes)


@dataclass(frozen=True)
class Hierarchical:
    """Modules of modules around hubs (Ravasz and Barabási, 2003): clustering falls as 1 / degree.

    A complete graph of `module_size` nodes is copied `module_size` - 1 times and the outer nodes of
    the copies join the hub, again and again; n_nodes is a power of module_size. With `joining` p,
    at level l a share p^(l - 1) of the nodes of each copy joins the first instead, by degree.
    """

    module_size: int = 5
    joining: float | None = None

    rules: ClassVar[Rules] = {
        "module_size": Whole(3, "how many nodes a module has"),
        "joining": OrNone(Between(0, 1, "the share of nodes that join at random"), "the outer nodes join"),
    }
    has_order: ClassVar[bool] = True

    def pairs(self, n_nodes: int, generator: np.random.Generator) -> Positions:
        """Build level by level; node 0 is the hub."""
        size = self.module_size
        n_levels = self._n_levels(n_nodes)
        pairs = np.column_stack(np.triu_indices(size, k=1)).astype(np.int64)
        outer = np.arange(1, size, dtype=np.int64)
        for level in range(2, n_levels + 1):
            offsets = np.arange(size, dtype=np.int64) * size ** (level - 1)
            outer = (offsets[1:, None] + outer).ravel()
            if self.joining is None:
                joined = np.column_stack([np.zeros_like(outer), outer])
            else:
                joined = _joined_by_degree(pairs, offsets, self.joining ** (level - 1), generator)
            pairs = np.concatenate([(offsets[:, None, None] + pairs).reshape(-1, 2), joined])
        return pairs

    def _n_levels(self, n_nodes: int) -> int:
        if n_nodes > MOST_NODES:
            raise OptionError(
                f"A hierarchical graph of {n_nodes:,} nodes is too large; the most are 10 million."
            )
        n_levels = 1
        while self.module_size**n_levels < n_nodes:
            n_levels += 1
        if self.module_size**n_levels != n_nodes:
            raise OptionError(
                f"A hierarchical graph with module_size = {self.module_size} has a power of that many nodes, "
                f"such as {self.module_size**n_levels}, not {n_nodes}."
            )
        return n_levels


SHAPES: Mapping[str, type[Shape]] = {
    "erdos-renyi": ErdosRenyi,
    "scale-free": ScaleFree,
    "small-world": SmallWorld,
    "hierarchical": Hierarchical,
}
KIND = OneOf((*SHAPES, "uniform"), "the kind of random graph")
Kind = Literal["erdos-renyi", "scale-free", "small-world", "hierarchical", "uniform"]


def _stranger(node: int, around: set[int], n_nodes: int, generator: np.random.Generator) -> int:
    """Draw a node that is neither `node` nor around it."""
    while True:
        drawn = int(generator.integers(n_nodes))
        if drawn != node and drawn not in around:
            return drawn


def _joined_by_degree(
    pairs: Positions, offsets: Positions, share: float, generator: np.random.Generator
) -> Positions:
    """Join a share of the nodes of each copy to the first, each to an end of one of its edges."""
    n_old = int(offsets[1])
    n_joining = round(share * n_old)
    joined = [
        np.column_stack(
            [
                generator.choice(pairs.ravel(), n_joining),
                offset + generator.choice(n_old, n_joining, replace=False),
            ]
        )
        for offset in offsets[1:]
    ]
    return np.concatenate(joined)


def _is_connected(pairs: Positions, n_nodes: int) -> bool:
    from structlearn.graphs.kernels.distances import component_of  # noqa: PLC0415, numba is slow to load

    return not component_of(Links(n_nodes, lines=pairs).neighbor_rows).any()

"""The edges of a graph as sets that change while edges are directed or nodes taken away."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.links import Links

Sets = list[set[int]]
Rows = tuple[NDArray[np.int64], NDArray[np.int64]]


class MutableLinks:
    """Parents, children, undirected neighbours and all adjacent nodes of each node, as sets."""

    def __init__(self, links: Links) -> None:
        self.parents = _sets(links.parent_rows)
        self.children = _sets(links.child_rows)
        self.neighbors = _sets(links.neighbor_rows)
        self.adjacent = _sets(links.adjacent_rows)

    def direct(self, source: int, target: int) -> None:
        """Make source → target of the line between them."""
        self.neighbors[source].remove(target)
        self.neighbors[target].remove(source)
        self.add(source, target)

    def add(self, source: int, target: int) -> None:
        """Have source → target."""
        self.children[source].add(target)
        self.parents[target].add(source)
        self.adjacent[source].add(target)
        self.adjacent[target].add(source)

    def remove(self, node: int) -> list[int]:
        """Take away the edges of `node`; return the nodes it was joined to, sorted."""
        around = sorted(self.adjacent[node])
        for other in around:
            for sets in (self.parents, self.children, self.neighbors, self.adjacent):
                sets[other].discard(node)
        for sets in (self.parents, self.children, self.neighbors, self.adjacent):
            sets[node] = set()
        return around

    def leads(self, source: int, target: int) -> bool:
        """Whether a directed path leads from `source` to `target`."""
        ahead, behind = {source}, {target}
        front, back = {source}, {target}
        # From both ends, where there is less to see: of many nodes one end is often near to where it stops.
        while front and back and front.isdisjoint(behind) and back.isdisjoint(ahead):
            if len(front) <= len(back):
                front = set().union(*(self.children[node] for node in front)) - ahead
                ahead |= front
            else:
                back = set().union(*(self.parents[node] for node in back)) - behind
                behind |= back
        return not (front.isdisjoint(behind) and back.isdisjoint(ahead))

    def frozen(self) -> Links:
        """The edges as they are now, in compressed rows."""
        arrows = [(a, b) for a, targets in enumerate(self.children) for b in sorted(targets)]
        lines = [(a, b) for a, others in enumerate(self.neighbors) for b in sorted(others) if a < b]
        return Links(len(self.parents), arrows=arrows, lines=lines)


def _sets(rows: Rows) -> Sets:
    """The nodes of each row: where it starts, and all of them."""
    starts, others = (each.tolist() for each in rows)
    return [set(others[start:end]) for start, end in pairwise(starts)]

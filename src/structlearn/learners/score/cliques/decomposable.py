"""Decomposable graphs, grown by attaching one node at a time to a clique."""

import math
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.scores import Score, checked_scores
from structlearn.statistics import Statistics

Clique = tuple[int, ...]
Attachment = tuple[int, Clique]
Neighbors = list[set[int]]


class CliqueGains:
    """What attaching each node to a clique brings, beside leaving it alone; remembered.

    The score of a decomposable graph is that of no edges plus the gains of its attachments, for
    every score that is the same for equivalent DAGs.
    """

    def __init__(self, score: Score, statistics: Statistics, forbidden: NDArray[np.bool_]) -> None:
        self.n_nodes = len(statistics.names)
        self._score = score
        self._statistics = statistics
        self._forbidden = forbidden
        self._columns = np.arange(self.n_nodes, dtype=np.int64)
        self._alone = checked_scores(score, statistics, self._columns[:, None])
        self._known: dict[Clique, NDArray[np.float64]] = {(): np.zeros(self.n_nodes)}

    @property
    def alone(self) -> float:
        """The score without edges."""
        return float(self._alone.sum())

    def of(self, clique: Clique) -> NDArray[np.float64]:
        """The gain of each node; minus infinity for what is impossible or forbidden."""
        if clique not in self._known:
            self._known[clique] = self._scored(clique)
        return self._known[clique]

    def _scored(self, clique: Clique) -> NDArray[np.float64]:
        gains = np.full(self.n_nodes, -np.inf)
        is_closed = self._forbidden[:, clique].sum(axis=1) > 0
        others = np.delete(self._columns, np.union1d(np.flatnonzero(is_closed), clique))
        if len(others):
            parents = np.tile(np.array(clique, dtype=np.int64), (len(others), 1))
            with np.errstate(invalid="ignore"):
                gained = checked_scores(self._score, self._statistics, np.column_stack([others, parents]))
                gained -= self._alone[others]
            gains[others] = np.where(np.isfinite(gained), gained, -np.inf)
        return gains


def total_gain(gains: CliqueGains, attachments: list[Attachment]) -> float:
    """What all attachments bring beside leaving the nodes alone."""
    return math.fsum(gains.of(clique)[node] for node, clique in attachments)


def joined(n_nodes: int, attachments: Iterable[Attachment]) -> Neighbors:
    """The neighbours of each node."""
    neighbors: Neighbors = [set() for _ in range(n_nodes)]
    for node, clique in attachments:
        for other in clique:
            neighbors[node].add(other)
            neighbors[other].add(node)
    return neighbors


def is_clique(neighbors: Neighbors, nodes: Iterable[int]) -> bool:
    """Whether all of these nodes are joined to each other."""
    return all(b in neighbors[a] for a, b in combinations(nodes, 2))


def subsets(nodes: Sequence[int], most: int) -> list[Clique]:
    """Every subset of at most `most` nodes, the smallest first."""
    return [found for size in range(min(most, len(nodes)) + 1) for found in combinations(sorted(nodes), size)]


def attachments_of(neighbors: Neighbors) -> list[Attachment]:
    """An order in which a decomposable graph grows, each node attached to a clique of those before."""
    left = [set(around) for around in neighbors]
    # Neighbours that are a clique stay one when others go: of such nodes the last goes first.
    is_ready = [is_clique(left, around) for around in left]
    ready = [-node for node, is_last in enumerate(is_ready) if is_last]
    heapify(ready)
    found: list[Attachment] = []
    while ready:
        node = -heappop(ready)
        found.append((node, tuple(sorted(left[node]))))
        for other in left[node]:
            left[other].remove(node)
        for other in left[node]:
            if not is_ready[other] and is_clique(left, left[other]):
                is_ready[other] = True
                heappush(ready, -other)
    return found[::-1]

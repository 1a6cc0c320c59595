"""Directing the edges of a polytree by what is independent around each node."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker
from structlearn.learners.score.trees.spanning import Arc

Triple = tuple[int, int, int]


def triples_of(n_nodes: int, edges: Iterable[Arc]) -> NDArray[np.int64]:
    """Each a — b — c with a < c, ordered by b, a, c."""
    neighbors: list[list[int]] = [[] for _ in range(n_nodes)]
    for a, b in edges:
        neighbors[a].append(b)
        neighbors[b].append(a)
    triples = [(a, b, c) for b in range(n_nodes) for a, c in combinations(sorted(neighbors[b]), 2)]
    return np.array(triples, dtype=np.int64).reshape(-1, 3)


class Directions:
    """The edges of a forest, each directed once at most; what contradicts that is a conflict."""

    def __init__(self, edges: Iterable[Arc]) -> None:
        self.edges = list(edges)
        self._target: dict[frozenset[int], int] = {}
        self.conflicts: list[Triple] = []

    def point(self, source: int, target: int) -> None:
        """Direct an edge, unless it has a direction."""
        self._target.setdefault(frozenset((source, target)), target)

    def collide(self, triples: Iterable[Triple]) -> None:
        """Have the arrows of each triple meet in its middle, where they still can."""
        for a, b, c in triples:
            if self._toward(a, b) is False or self._toward(c, b) is False:
                self.conflicts.append((a, b, c))
                continue
            self.point(a, b)
            self.point(c, b)

    def pass_on(self, triples: Iterable[Triple]) -> None:
        """Have an arrow into the middle of a triple go on, until nothing changes.

        A triple whose arrows meet nevertheless is a conflict.
        """
        waiting = list(triples)
        n_directed = -1
        while len(self._target) > n_directed:
            n_directed = len(self._target)
            for a, b, c in waiting:
                if self._toward(a, b):
                    self.point(b, c)
                if self._toward(c, b):
                    self.point(b, a)
        self.conflicts += [(a, b, c) for a, b, c in waiting if self._toward(a, b) and self._toward(c, b)]

    def arrows(self) -> list[Arc]:
        """The edges with a direction, as (source, target)."""
        return [(a, b) if self._toward(a, b) else (b, a) for a, b in self.edges if self._is_directed(a, b)]

    def lines(self) -> list[Arc]:
        """The edges without."""
        return [(a, b) for a, b in self.edges if not self._is_directed(a, b)]

    def _is_directed(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self._target

    def _toward(self, source: int, target: int) -> bool | None:
        """Whether the edge points at `target`; None while it has no direction."""
        end = self._target.get(frozenset((source, target)))
        return None if end is None else end == target


def direct_by_tests(directions: Directions, asker: Asker, log_p: NDArray[np.float64]) -> None:
    """Direct what the tests direct: arrows meet between ends that are independent, and pass on elsewhere.

    `log_p` is what the tests say of each two columns.
    """
    triples = triples_of(len(log_p), directions.edges)
    of_ends = log_p[triples[:, 0], triples[:, 2]]
    is_independent = np.exp(of_ends) > asker.alpha
    directions.collide(_meeting_first(asker, triples[is_independent]))
    surest = np.argsort(of_ends[~is_independent], kind="stable")
    directions.pass_on(_as_triples(triples[~is_independent][surest]))


def _meeting_first(asker: Asker, triples: NDArray[np.int64]) -> list[Triple]:
    """Triples whose ends are independent, those first whose ends most surely depend given the middle."""
    if not len(triples):
        return []
    log_p = asker.ask(triples[:, [0, 2, 1]]).log_p
    return _as_triples(triples[np.argsort(log_p, kind="stable")])


def _as_triples(triples: NDArray[np.int64]) -> list[Triple]:
    """The rows as tuples."""
    return [(a, b, c) for a, b, c in triples.tolist()]

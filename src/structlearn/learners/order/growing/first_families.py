"""The families that a search over orders begins with: those of one parent, and of two that may matter."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import ENOUGH
from structlearn.scores import checked_scores
from structlearn.search.orders.family_pool import Nodes, ScoredFamilies
from structlearn.search.space import Space

MOST_PAIRS = 60_000  # of all children: of 60 columns all, where each depends on a quarter of the others


class FirstFamilies:
    """Every child with its required parents and none, one or two more.

    Of two more, one at least raises the score alone, and both are among the nodes that raise it most: as
    many of them as leave `MOST_PAIRS`.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._required = [np.flatnonzero(row) for row in space.limits.frozen]
        self._n_required = np.array([len(parents) for parents in self._required])
        self._alone = np.array([space.scores.local(*root) for root in enumerate(self._required)])
        self._of_pairs = space.scores.toggles_without_parents(space.run.must_stop)
        self._gains = self._gains_alone()
        ranks = np.argsort(np.argsort(-self._gains, axis=1, kind="stable"), axis=1, kind="stable")
        is_useful = self._gains > ENOUGH
        n_near = _most_near(is_useful.sum(axis=1), np.isfinite(self._gains).sum(axis=1))
        self._is_near = (ranks < n_near) & np.isfinite(self._gains)
        self._is_useful = is_useful & self._is_near

    def __iter__(self) -> Iterator[ScoredFamilies]:
        for size in np.unique(self._n_required).tolist():
            children = np.flatnonzero(self._n_required == size)
            roots = np.column_stack(
                [children, np.array([self._required[y] for y in children], dtype=np.int64)]
            )
            yield ScoredFamilies(roots, self._alone[children])
            rows, parents = np.nonzero(np.isfinite(self._gains[children]))
            children = children[rows]
            scores = self._alone[children] + self._gains[children, parents]
            yield ScoredFamilies(np.column_stack([roots[rows], parents]), scores)
            yield self._with_pairs(roots)

    def _gains_alone(self) -> NDArray[np.float64]:
        """What each node brings each child besides its required parents; −∞ where it may not be one."""
        scores, limits = self._space.scores, self._space.limits
        gains = self._of_pairs.copy()
        for child in np.flatnonzero(self._n_required).tolist():
            free = limits.free_parents(child)
            gains[child, free] = scores.gains_of(child, self._required[child], free)
        is_out = limits.closed | limits.frozen | (self._n_required >= limits.most_parents)[:, None]
        gains[is_out | np.eye(len(gains), dtype=np.bool_)] = -np.inf
        return gains

    def _with_pairs(self, roots: Nodes) -> ScoredFamilies:
        """The children of these roots, which are of one size, with pairs of further parents."""
        has_room = roots.shape[1] + 1 <= self._space.limits.most_parents[roots[:, 0]]
        rows, pairs = self._pairs_near(roots[has_room, 0])
        families = np.column_stack([roots[has_room][rows], pairs])
        by_sets = self._space.is_equivalent and self._space.statistics.is_complete and roots.shape[1] == 1
        return ScoredFamilies(families, self._of_sets(families) if by_sets else self._of_families(families))

    def _pairs_near(self, children: Nodes) -> tuple[Nodes, Nodes]:
        """Pairs of nodes near each child, one of them useful, and the child's row.

        Of two thousand near ones hardly any pair may be.
        """
        is_useful, is_near = self._is_useful[children], self._is_near[children]
        rows, useful = is_useful.nonzero()
        of_child = is_near.sum(axis=1)
        n_near = of_child[rows]
        shift = np.repeat(
            np.cumsum(of_child)[rows] - np.cumsum(n_near), n_near
        )  # to the near ones of the child
        rows, useful = np.repeat([rows, useful], n_near, axis=1)
        near = is_near.nonzero()[1][np.arange(len(rows)) + shift]
        is_once = (useful < near) | ~is_useful[rows, near]
        n, low, high = len(self._alone), np.minimum(useful, near), np.maximum(useful, near)
        pairs = np.sort(((rows * n + low) * n + high)[is_once])
        return pairs // n**2, np.column_stack([pairs // n % n, pairs % n])

    def _of_families(self, families: Nodes) -> NDArray[np.float64]:
        if not len(families):
            return np.empty(0)
        return checked_scores(self._space.score, self._space.statistics, families)

    def _of_sets(self, families: Nodes) -> NDArray[np.float64]:
        """Score each set of three nodes once: with an equivalent score it tells all its three families.

        The score of a set is that of any DAG in which all its nodes are joined.
        """
        n = len(self._alone)
        a, b, c = np.sort(families, axis=1).T
        sets, places = np.unique((a * n + b) * n + c, return_inverse=True)
        a, b, c = sets // n**2, sets // n % n, sets % n
        of_two = self._alone[:, None] + self._alone + self._of_pairs
        of_three = self._of_families(np.column_stack([b, a, c])) + of_two[a, c]
        scores: NDArray[np.float64] = of_three[places] - of_two[families[:, 1], families[:, 2]]
        return scores


def _most_near(n_useful: Nodes, n_free: Nodes) -> int:
    """How many nodes to take for each child, so that there are not too many pairs."""
    low, high = 2, max(int(n_free.max(initial=0)), 2)
    while low < high:
        middle = (low + high + 1) // 2
        taken = np.minimum(n_free, middle)
        others = taken - np.minimum(n_useful, taken)
        n_pairs = (taken * (taken - 1) - others * (others - 1)).sum() // 2
        low, high = (middle, high) if n_pairs <= MOST_PAIRS else (low, middle - 1)
    return low

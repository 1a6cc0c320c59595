"""The parent sets of a node that are worth trying, with their scores."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.climb import Limits
from structlearn.learners.score.kernels import reinsertion
from structlearn.scores import Score
from structlearn.statistics import Statistics


@dataclass(frozen=True, slots=True)
class ScoredSets:
    """Parent sets from the best score down; rows of `members` are filled up with −1.

    `ranks` settle ties: small sets first, then by the order of the columns.
    """

    members: NDArray[np.int64]
    scores: NDArray[np.float64]
    ranks: NDArray[np.int64]

    @classmethod
    def of(cls, members: NDArray[np.int64], scores: NDArray[np.float64]) -> "ScoredSets":
        """Sort sets that come in the order of their ranks."""
        order = np.argsort(-scores, kind="stable")
        return cls(members[order], scores[order], order.astype(np.int64))


class ParentSets:
    """Scores all sets of at most `set_size` candidates of a node, once, and keeps the useful ones."""

    def __init__(
        self, score: Score, statistics: Statistics, limits: Limits, *, set_size: int, candidates: int | None
    ) -> None:
        self._score = score
        self._statistics = statistics
        self._limits = limits
        self._set_size = set_size
        self._n_candidates = candidates
        self._known: dict[int, ScoredSets] = {}

    def of(self, child: int) -> ScoredSets:
        """The sets that may be the parents of a node and score more than each of their subsets."""
        if child not in self._known:
            self._known[child] = self._scored_sets(child)
        return self._known[child]

    def _scored_sets(self, child: int) -> ScoredSets:
        required = np.flatnonzero(self._limits.frozen[child])
        free = self._candidates(child, required)
        n_free = min(len(free), self._set_size, max(self._limits.max_parents - len(required), 0))
        width = len(required) + n_free
        binomials = np.array([[math.comb(a, b) for b in range(n_free + 1)] for a in range(len(free) + 1)])
        best = self._local(child, required, np.empty((1, 0), dtype=np.int64))
        found = [_filled(required[None, :], width)]
        scores = [best]
        for size in range(1, n_free + 1):
            positions = np.empty((math.comb(len(free), size), size), dtype=np.int64)
            reinsertion.subsets(positions)
            sets = free[positions]
            of_size = self._local(child, required, sets)
            smaller, best, is_kept = best, np.empty(len(sets)), np.empty(len(sets), dtype=np.bool_)
            reinsertion.keep_undominated(positions, of_size, smaller, binomials, best, is_kept)
            kept = sets[is_kept]
            found.append(_filled(np.column_stack([np.tile(required, (len(kept), 1)), kept]), width))
            scores.append(of_size[is_kept])
        return ScoredSets.of(np.concatenate(found), np.concatenate(scores))

    def _candidates(self, child: int, required: NDArray[np.int64]) -> NDArray[np.int64]:
        """The nodes that may be parents, or those of them that score most alone, in column order."""
        is_free = ~(self._limits.closed[child] | self._limits.frozen[child])
        is_free[child] = False
        free = np.flatnonzero(is_free)
        if self._n_candidates is None or len(free) <= self._n_candidates:
            return free
        alone = self._local(child, required, free[:, None])
        return np.sort(free[np.argsort(-alone, kind="stable")[: self._n_candidates]])

    def _local(self, child: int, required: NDArray[np.int64], sets: NDArray[np.int64]) -> NDArray[np.float64]:
        families = np.empty((len(sets), 1 + len(required) + sets.shape[1]), dtype=np.int64)
        families[:, 0] = child
        families[:, 1 : 1 + len(required)] = required
        # The smallest member changes fastest: put last, it leaves the shared part to be found once.
        families[:, 1 + len(required) :] = sets[:, ::-1]
        return self._score.local(self._statistics, families)


def _filled(sets: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    members = np.full((len(sets), width), -1, dtype=np.int64)
    members[:, : sets.shape[1]] = sets
    return members

"""All parent sets of a node, with their scores."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.climb import Limits
from structlearn.learners.score.kernels import reinsertion
from structlearn.learners.score.parent_sets import ScoredSets
from structlearn.scores import Score
from structlearn.statistics import Statistics


class EverySet:
    """Scores every parent set that the limits allow, and drops none."""

    def __init__(self, score: Score, statistics: Statistics, limits: Limits) -> None:
        self._score = score
        self._statistics = statistics
        self._limits = limits

    def of(self, child: int) -> ScoredSets:
        """The sets of a child from the best score down."""
        required = np.flatnonzero(self._limits.frozen[child])
        is_free = ~(self._limits.closed[child] | self._limits.frozen[child])
        is_free[child] = False
        free = np.flatnonzero(is_free)
        most = min(len(free), max(self._limits.max_parents - len(required), 0))
        members, scores = [], []
        for size in range(most + 1):
            families = _families(child, required, free, size)
            scores.append(self._score.local(self._statistics, families))
            filling = np.full((len(families), most - size), -1)
            members.append(np.column_stack([families[:, 1:], filling]))
        return ScoredSets.of(np.concatenate(members), np.concatenate(scores))


def _families(
    child: int, required: NDArray[np.int64], free: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """The child with the required parents and each set of so many free ones."""
    positions = np.zeros((math.comb(len(free), size), size), dtype=np.int64)
    if size:
        reinsertion.subsets(positions)
    families = np.empty((len(positions), 1 + len(required) + size), dtype=np.int64)
    families[:, 0] = child
    families[:, 1 : 1 + len(required)] = required
    # The smallest member changes fastest: put last, it leaves the shared part to be found once.
    families[:, 1 + len(required) :] = free[positions][:, ::-1]
    return families

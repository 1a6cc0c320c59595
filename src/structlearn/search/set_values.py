"""Scores of all small families by values of sets: a set of nodes tells a family of each of its members."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.protocol import SetScore
from structlearn.search.kernels.parent_sets import differences_of_sets
from structlearn.search.limits import count_families
from structlearn.search.space import Space
from structlearn.statistics.set_sums import SetSums, set_sums_of

FEWEST_FAMILIES = 2000  # fewer are scored in a moment, without kernels of their own


@dataclass(frozen=True)
class SetValues:
    """Values of all sets of nodes, of which the scores of families are differences."""

    sums: SetSums
    levels: NDArray[np.int64]
    price: float
    binomials: NDArray[np.int64]

    @classmethod
    def of(cls, space: Space, most_parents: int) -> "SetValues | None":
        """The values of a space, where there are any and sets are not more than families."""
        limits = replace(space.limits, max_parents=min(space.limits.max_parents, most_parents))
        n, score = space.n_nodes, space.score
        largest = min(limits.max_parents, n - 1) + 1
        n_families = count_families(limits)
        n_sets = sum(math.comb(n, size) for size in range(largest + 1))
        if (
            n_families < max(n_sets, FEWEST_FAMILIES)
            or limits.frozen.any()
            or not isinstance(score, SetScore)
        ):
            return None
        terms = score.set_terms(space.statistics)
        sums = terms and set_sums_of(space.statistics, largest, terms.cells)
        if not terms or not sums:
            return None
        binomials = np.array([[math.comb(node, k) for k in range(largest + 1)] for node in range(n)])
        return cls(sums, space.statistics.levels, terms.price, binomials)

    def score(
        self,
        child: int,
        free: NDArray[np.int64],
        positions: NDArray[np.int64],
        must_stop: Callable[[], bool],
    ) -> NDArray[np.float64] | None:
        """The scores of a child with sets of parents at these positions; None where the run must stop."""
        size, scores = positions.shape[1], np.empty(len(positions))
        smaller, larger = (self.sums.of_size(n, must_stop) for n in (size, size + 1))
        if smaller is None or larger is None:
            return None
        how = self.levels, self.price, self.binomials, larger, smaller
        differences_of_sets(child, free, positions, *how, scores)
        return scores

"""Bins by a score: the description length of Friedman and Goldszmidt (1996) with a forest as the network.

The score of bins and a forest is, in natural logarithms,

    Σ over arcs i — j of [n I(i; j) − ½ ln n (k_i − 1)(k_j − 1)]
    − Σ over columns i that are cut of [½ ln n (k_i − 1) + ln C(m_i, k_i − 1)],

where column i has k_i bins, by k_i − 1 of m_i candidate cuts. What remains of the length, the values within
bins and the bins by themselves, is the same for all cuts and left out. The score is climbed by turns: the
best forest of the bins, then for each column, by name, the best cuts beside its neighbours, exactly, by
dynamic programming. No turn lowers it. A column without neighbours keeps the bins that it began with.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import lgamma, log

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.discretization.crossed import Crossed, Places, entropic
from structlearn.rounding import DECIMALS_OF_WEIGHTS, ENOUGH

Forest = list[tuple[int, int]]


@dataclass
class ScoredBins:
    """A climb over bins and forests; `most` has the most bins of each column, None where it is not cut."""

    table: Crossed
    names: Sequence[str]
    most: Sequence[int | None]
    groups: list[Places]
    n_rows: int
    forest: Forest = field(default_factory=list)

    def climb(self) -> "ScoredBins":
        """Take turns until the score rises no more."""
        score = -np.inf
        while True:
            self.forest = self.best_forest()
            while sum(self.recut(i) for i in self._by_name):
                pass
            if self.score() <= score + ENOUGH:
                return self
            score = self.score()

    def score(self) -> float:
        """The score of the bins and the forest."""
        gains = self.gains()
        return float(sum(gains[i, j] for i, j in self.forest)) - sum(
            self._price(i, len(self.groups[i])) for i in self._by_name
        )

    def gains(self) -> NDArray[np.float64]:
        """What an arc between each two columns would bring."""
        free = np.array([len(group) - 1 for group in self.groups])
        information = self.table.joined(self.groups).information()
        return np.asarray(information - 0.5 * log(self.n_rows) * np.outer(free, free))

    def best_forest(self) -> Forest:
        """The forest of the largest gains, by Kruskal's algorithm; of equal ones the first by name."""
        gains = self.gains()
        place = {name: rank for rank, name in enumerate(sorted(self.names))}
        rank = [place[name] for name in self.names]
        pairs = [pair for pair in combinations(range(len(rank)), 2) if gains[pair] > ENOUGH]
        pairs.sort(
            key=lambda pair: (
                -round(float(gains[pair]), DECIMALS_OF_WEIGHTS),
                sorted((rank[pair[0]], rank[pair[1]])),
            )
        )
        tree = list(range(len(rank)))
        chosen = []
        for i, j in pairs:
            if tree[i] != tree[j]:
                chosen.append((i, j))
                tree = [tree[i] if root == tree[j] else root for root in tree]
        return chosen

    def recut(self, column: int) -> bool:
        """Give a column its best bins beside its neighbours; say whether that raised the score."""
        near = [j if i == column else i for i, j in self.forest if column in (i, j)]
        if not near or len(self.groups[column]) < 2:
            return False
        values = segment_values(self._beside(column, near))
        free = sum(len(self.groups[j]) - 1 for j in near)
        best, before = None, self._worth(values, column, self.groups[column], free)
        for bins in best_segments(values, self.most[column] or 2):
            worth = self._worth(values, column, bins, free)
            if worth > before + ENOUGH:
                best, before = bins, worth
        if best is not None:
            self.groups[column] = best
        return best is not None

    @property
    def _by_name(self) -> list[int]:
        cut = (i for i, most in enumerate(self.most) if most is not None)
        return sorted(cut, key=lambda i: self.names[i])

    def _worth(self, values: NDArray[np.float64], column: int, bins: Places, free: int) -> float:
        ends = [*bins[1:], len(values) - 1]
        held = sum(float(values[start, end]) for start, end in zip(bins, ends, strict=True))
        return held - 0.5 * log(self.n_rows) * (len(bins) - 1) * free - self._price(column, len(bins))

    def _price(self, column: int, n_bins: int) -> float:
        n_candidates = self.table.levels(column).stop - self.table.levels(column).start - 1
        ways = lgamma(n_candidates + 1) - lgamma(n_bins) - lgamma(n_candidates - n_bins + 2)
        return 0.5 * log(self.n_rows) * (n_bins - 1) + ways

    def _beside(self, column: int, near: Sequence[int]) -> list[Places]:
        """The finest table of the column beside each neighbour as it is cut now."""
        own = self.table.levels(column)
        return [
            np.add.reduceat(self.table.counts[own, self.table.levels(j)], self.groups[j], axis=1)
            for j in near
        ]


def segment_values(tables: Sequence[Places]) -> NDArray[np.float64]:
    """What candidates a to b as one bin tell of the neighbours, [a, b]: Σ n ln n of cells less margins."""
    n = len(tables[0])
    values = np.zeros((n + 1, n + 1))
    for counts in tables:
        sums = np.vstack([np.zeros(counts.shape[1], dtype=np.int64), np.cumsum(counts, axis=0)])
        within = sums[None, :, :] - sums[:, None, :]
        within[np.tril_indices(n + 1)] = 0
        values += entropic(within).sum(axis=2) - entropic(within.sum(axis=2))
    return values


def best_segments(values: NDArray[np.float64], most: int) -> list[Places]:
    """The best 2, 3, … bins, as their first candidates: of equal ones those that begin first."""
    n = len(values) - 1
    held = values[0].copy()  # of one bin up to each candidate
    before: list[Places] = []
    found = []
    for k in range(2, min(most, n) + 1):
        # A last bin [a, b) begins where k − 1 bins have ended.
        total = np.where(np.triu(np.ones((n + 1, n + 1), dtype=bool), 1), held[:, None] + values, -np.inf)
        total[: k - 1] = -np.inf
        before.append(np.asarray(total.argmax(axis=0)))
        held = total.max(axis=0)
        starts, end = [], n
        for step in reversed(before):
            end = int(step[end])
            starts.append(end)
        found.append(np.array([0, *reversed(starts)]))
    return found

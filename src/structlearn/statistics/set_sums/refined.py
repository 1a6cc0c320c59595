"""Sums over the cells of sets of any size, by groups of rows that agree in ever more columns."""

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.kernels.refining import sums_from
from structlearn.statistics.set_sums.sums import MustStop, SetSums


class RefinedSums(SetSums):
    """Sums by splitting the rows by one column after the other: no set has more cells than there are rows."""

    def _next(self, must_stop: MustStop) -> list[NDArray[np.float64]] | None:
        sizes = range(2, self._largest + 1)
        n_sets = [math.comb(self._n, size) for size in sizes]
        offsets = np.concatenate([[0, 0], np.cumsum([0, *n_sets])[:-1]])
        kinds = self._kinds(self._largest)
        all_sets = [self._sets(0, end, size) for size, end in zip(sizes, n_sets, strict=True)]
        of_sets = np.concatenate([kinds.at(self._n_cells(sets)) for sets in all_sets])
        pairs, sums = np.array(list(combinations(range(self._n), 2))), np.empty(sum(n_sets))

        def fill(part: slice) -> None:
            room = self._room()
            for pair in pairs[part]:
                if must_stop():
                    return
                how = self._binomials, offsets, kinds.terms, of_sets, room
                sums_from(self._statistics.codes, self._levels, pair, *how, sums)

        cost = float(self._statistics.n_rows) * len(sums)
        in_blocks(fill, len(pairs), cost=cost, n_jobs=self._statistics.n_jobs)
        return None if must_stop() else np.split(sums, offsets[3:])

    def _room(self) -> tuple[NDArray[np.int32 | np.int64], ...]:
        n_sizes, n_rows = self._largest + 1, self._statistics.n_rows
        by_size = [np.zeros(n_sizes, dtype=np.int64) for _ in range(3)]
        rows, ends = (np.empty((n_sizes, n_rows), dtype=np.int32) for _ in range(2))
        return rows, ends, *by_size, np.zeros(int(self._levels.max()), dtype=np.int64)

"""Sums over the cells of small sets: each table is counted once, with the help of smaller ones."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.kernels.small_sets import WORDS_PER_CHUNK, count_small_sets, sums_over_cells
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.set_sums.sums import CellTerms, MustStop, Sets, SetSums

SETS_AT_ONCE = 1024  # whose tables stay in the cache: 0.3 MB, if columns have three levels
MOST_COUNTED = 128  # cells of a set that is counted by masks: with more, a look at each row is cheaper
COST_OF_A_ROW = 0.1  # in a set that is counted by masks, if to visit it costs 1


class _Tables(NamedTuple):
    """Tables of sets of one size, one behind the other, and where each starts."""

    counts: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def empty(cls, n_cells: NDArray[np.float64]) -> "_Tables":
        """Tables of so many cells, with no rows."""
        ends = np.cumsum(n_cells).astype(np.int64)
        return cls(np.zeros(ends[-1], dtype=np.int32), ends - n_cells.astype(np.int64))


class CountedSums(SetSums):
    """Sums by counting every cell; the tables of all sets of one size are kept until the next is known."""

    def __init__(self, statistics: MemoryStatistics, largest: int, terms: CellTerms) -> None:
        super().__init__(statistics, largest, terms)
        starts = np.cumsum(self._levels) - self._levels
        self._smaller = _Tables(np.concatenate(self._margins).astype(np.int32), starts)

    def _next(self, must_stop: MustStop) -> list[NDArray[np.float64]] | None:
        size = len(self._sums)
        n_sets, is_kept = math.comb(self._n, size), size < self._largest
        kept = _Tables.empty(self._n_cells(self._sets(0, n_sets, size))) if is_kept else None
        kinds, sums = self._kinds(size), np.empty(n_sets)

        def fill(part: slice) -> None:
            for first in range(part.start, part.stop, SETS_AT_ONCE):
                if must_stop():
                    return
                block = slice(first, min(first + SETS_AT_ONCE, part.stop))
                sets = self._sets(block.start, block.stop, size)
                n_cells = self._n_cells(sets)
                tables = _Tables.empty(n_cells) if kept is None else _Tables(kept.counts, kept.starts[block])
                self._count(sets, tables)
                how = n_cells.astype(np.int64), kinds.terms, kinds.at(n_cells)
                sums_over_cells(*tables, *how, sums[block])

        cost = COST_OF_A_ROW * n_sets * self._statistics.n_rows
        in_blocks(fill, n_sets, cost=cost, n_jobs=self._statistics.n_jobs)
        if must_stop():
            return None
        self._smaller = kept or self._smaller
        return [sums]

    def _count(self, sets: Sets, tables: _Tables) -> None:
        """Count sets that follow each other."""
        masks, first_mask = self._statistics.masks
        n_counted = np.maximum(self._levels[sets] - 1, 1).prod(axis=1)
        by_masks = (n_counted <= MOST_COUNTED) & (first_mask[sets] >= 0).all(axis=1)
        room = (
            np.empty((MOST_COUNTED, WORDS_PER_CHUNK), dtype=np.uint64),
            np.empty((sets.shape[1], MOST_COUNTED), dtype=np.int64),
            np.empty(self._statistics.n_rows, dtype=np.int64),
        )
        packed, smaller = (masks, first_mask, self._statistics.codes), tuple(self._smaller)
        count_small_sets(packed, self._levels, sets, by_masks, self._binomials, smaller, room, *tables[::-1])

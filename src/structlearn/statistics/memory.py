"""Statistics of a table in memory."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn, Kind
from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.kernels import counting
from structlearn.statistics.protocol import Columns, Counts, Moments, Tables

MOST_PACKED_LEVELS = 16  # a column with more levels takes more room packed than as codes
# An AND with popcount over 64 rows costs about as much as this share of 64 scattered additions.
MOST_MASK_CELLS = 128
DENSE_CELLS_PER_ROW = 4
ALWAYS_DENSE_CELLS = 4096


class MemoryStatistics:
    """Counts by compiled kernels and moments by BLAS, over columns in memory.

    Parameters
    ----------
    dataset : Dataset
        The table. It must have no missing values.
    n_jobs : int, default 1
        How many threads share a large batch of tables.
    """

    def __init__(self, dataset: Dataset, *, n_jobs: int = 1) -> None:
        self._dataset = dataset
        self.n_jobs = n_jobs
        self.names: tuple[str, ...] = dataset.names
        self.kinds: tuple[Kind, ...] = tuple(column.kind for column in dataset.columns)
        self.n_rows: int = dataset.n_rows
        self.weights = dataset.weights
        self.size: float = float(dataset.n_rows if self.weights is None else self.weights.sum())
        self.levels: NDArray[np.int64] = np.array(
            [len(c.labels) if isinstance(c, DiscreteColumn) else 0 for c in dataset.columns], dtype=np.int64
        )

    def counts(self, columns: Sequence[int]) -> Counts:
        """Count every joint state of discrete columns: one axis per column."""
        if len(columns) == 1:
            return self._margins[columns[0]].copy()
        return self._joint_counts(columns)

    def _joint_counts(self, columns: Sequence[int]) -> Counts:
        shape = [int(self.levels[j]) for j in columns]
        joint = np.zeros(self.n_rows, dtype=np.int64)
        counting.joint_codes(self._codes, self.levels, np.asarray(columns, dtype=np.int64), joint)
        n_cells = int(np.prod(shape, dtype=np.int64))
        counted = np.bincount(joint, weights=self.weights, minlength=n_cells)
        return counted.reshape(shape)

    def tables(self, sets: Columns) -> Tables:
        """Count many sets of two or more discrete columns, one per row of `sets`."""
        strata, widths = np.empty(len(sets)), np.empty(len(sets), dtype=np.int64)
        largest = counting.table_shapes(self.levels, sets, strata, widths)
        if largest <= max(DENSE_CELLS_PER_ROW * self.n_rows, ALWAYS_DENSE_CELLS):
            return self._dense_tables(sets, strata.astype(np.int64), widths)
        return self._sparse_tables(sets, widths)

    def moments(self) -> Moments:
        """The moments of the continuous columns, computed once."""
        return self._moments

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """The continuous columns themselves, (n, p) with zeros for discrete ones.

        The second, named door: only for methods that no counts or moments can serve.
        """
        rows = np.zeros((self.n_rows, len(self.names)))
        for j, column in enumerate(self._dataset.columns):
            if not isinstance(column, DiscreteColumn):
                rows[:, j] = column.values
        return rows

    def _dense_tables(self, sets: Columns, strata: Columns, widths: Columns) -> Tables:
        sizes = strata * widths
        ends = sizes.cumsum()
        starts = ends - sizes
        counts = self._zeros(int(sizes.sum()))

        def fill(block: slice) -> None:
            if self.weights is None:
                counting.count_dense(
                    self._codes,
                    *self._masks,
                    self.levels,
                    sets[block],
                    starts[block],
                    MOST_MASK_CELLS,
                    counts,
                )
            else:
                counting.weigh_dense(
                    self._codes, self.levels, self.weights, sets[block], starts[block], counts
                )

        in_blocks(fill, len(sets), cost=float(self.n_rows) * len(sets), n_jobs=self.n_jobs)
        return Tables(counts, starts, strata)

    def _sparse_tables(self, sets: Columns, widths: Columns) -> Tables:
        """Number the strata that occur, set by set, so that no table outgrows the rows."""
        filled: list[NDArray[Any]] = []
        strata = np.zeros(len(sets), dtype=np.int64)
        ids = np.zeros(self.n_rows, dtype=np.int64)
        known: tuple[int, ...] | None = None
        for i, columns in enumerate(sets):
            if known != tuple(columns[:-2]):
                known = tuple(columns[:-2])
                n_strata = self._number_strata(columns[:-2], ids)
            strata[i] = n_strata
            table = self._zeros(n_strata * int(widths[i]))
            before, last = int(columns[-2]), int(columns[-1])
            joint = ids * self.levels[before] + self._codes[before]
            if self.weights is None:
                counting.count_by_codes(joint, self._codes[last], self.levels[last], table)
            else:
                counting.weigh_by_codes(joint, self._codes[last], self.levels[last], self.weights, table)
            filled.append(table)
        ends = np.cumsum(strata * widths)
        return Tables(np.concatenate(filled), ends - strata * widths, strata)

    def _zeros(self, n_cells: int) -> Counts:
        return np.zeros(n_cells, dtype=np.int64) if self.weights is None else np.zeros(n_cells)

    def _number_strata(self, columns: Columns, ids: NDArray[np.int64]) -> int:
        """Write the number of each row's stratum; strata are in mixed-radix order."""
        ids[:] = 0
        n_strata = 1
        for j in columns:
            n_levels = int(self.levels[j])
            ids *= n_levels
            ids += self._codes[j]
            if n_strata * n_levels <= DENSE_CELLS_PER_ROW * max(self.n_rows, n_levels):
                n_strata = counting.renumber(ids, n_strata * n_levels)
            else:
                present, ids[:] = np.unique(ids, return_inverse=True)
                n_strata = present.size
        return n_strata

    @cached_property
    def _margins(self) -> list[Counts]:
        return [self._joint_counts([j]) if self.levels[j] else np.zeros(0) for j in range(len(self.names))]

    @cached_property
    def _codes(self) -> NDArray[np.unsignedinteger]:
        most = int(self.levels.max(initial=0))
        codes = np.zeros((len(self.names), self.n_rows), dtype=np.min_scalar_type(max(most - 1, 0)))
        for j, column in enumerate(self._dataset.columns):
            if isinstance(column, DiscreteColumn):
                codes[j] = column.codes
        return codes

    @cached_property
    def _masks(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """A bit per row for each level of each column with few, and where each column's start."""
        is_packed = (self.levels > 0) & (self.levels <= MOST_PACKED_LEVELS)
        ends = np.cumsum(np.where(is_packed, self.levels, 0))
        first_mask = np.where(is_packed, ends - self.levels, -1)
        masks = np.zeros((int(ends[-1]) if ends.size else 0, -(-self.n_rows // 64)), dtype=np.uint64)
        counting.pack_levels(self._codes, self.levels, first_mask, masks)
        return masks, first_mask

    @cached_property
    def _moments(self) -> Moments:
        rows = self.rows
        mean = np.average(rows, axis=0, weights=self.weights)
        centred = rows - mean
        # A mean is rounded: without this a constant column would keep a trace of variance.
        centred[:, (rows == rows[0]).all(axis=0)] = 0.0
        if self.weights is not None:
            centred *= np.sqrt(self.weights)[:, None]
        return Moments.of(self.size, mean, centred.T @ centred / self.size)

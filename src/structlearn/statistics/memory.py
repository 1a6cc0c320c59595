"""Statistics of a table in memory."""

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn, Kind, Label
from structlearn.data.facts import once
from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.even_rows import even_rows
from structlearn.statistics.experiments import Experiments
from structlearn.statistics.kernels import counting
from structlearn.statistics.kernels.by_arrays import joint_states
from structlearn.statistics.kernels.moments import group_moments
from structlearn.statistics.kernels.totals import count_runs
from structlearn.statistics.moments_of_strata import MomentsOfStrata
from structlearn.statistics.products import centred_rows, largest_of_two, mean_products
from structlearn.statistics.protocol import Columns, Counts, GroupedMoments, Moments, Rows, Tables
from structlearn.statistics.strata import number_strata, states_of

MOST_PACKED_LEVELS = 16  # a column with more levels takes more room packed than as codes
# An AND with popcount over 64 rows costs about as much as this share of 64 scattered additions.
MOST_MASK_CELLS = 256
FEWEST_IN_RUNS = 5  # smaller sets are counted in no time
RUN_CELLS_PER_ROW = 8
MOST_RUN_CELLS = 1 << 20
ROWS_AT_ONCE = 2**12  # whose states are numbered at once: 32 KiB, which stay in the nearest cache
DENSE_CELLS_PER_ROW = 4
ALWAYS_DENSE_CELLS = 4096
CELLS_AT_ONCE = 2**20  # of a table that are compared at once: they stay in a cache
NEARLY_REPEATED = 0.9999  # a correlation beyond leaves less than 12 of 16 digits of what is left of a column
VISITS_BY_BITS = 0.4  # in which 64 rows are counted at once
FEWEST_ROWS_TO_SHARE = 2**15  # of fewer, threads have sets of their own
MOST_CELLS_TO_ADD = 0.1  # for each visit of a row: to add more cells would take threads longer than to count
Flags = NDArray[np.bool_]
Words = tuple[int, int]  # the first of them, and the end
Found = TypeVar("Found")
NO_GAPS = np.zeros((0, 0), dtype=np.bool_)


class MemoryStatistics:
    """Counts by compiled kernels and moments by BLAS, over columns in memory.

    Parameters
    ----------
    dataset : Dataset
        The table. It must have no missing values.
    n_jobs : int, default 1
        How many threads share a large batch of tables.
    """

    is_complete: bool = True
    has_order: bool = True  # whether the rows are in the order of the table
    rows_are_independent: bool = False  # whether somebody said that this order means nothing
    few_sets_asked: bool = False  # whether moments are those of each set asked: a matrix of all is dear
    experiments: Experiments | None = None  # where rows say what was set in them
    rows_add_up: bool = True  # whether a table may be counted in some rows, and then in the others

    def __init__(self, dataset: Dataset, *, n_jobs: int = 1) -> None:
        self._dataset = dataset
        self.n_jobs = n_jobs
        self.names: tuple[str, ...] = dataset.names
        self.kinds: tuple[Kind, ...] = tuple(column.kind for column in dataset.columns)
        self.n_rows: int = dataset.n_rows
        self.weights = dataset.weights
        self.size: float = float(dataset.n_rows if self.weights is None else self.weights.sum())
        self._margins: dict[int, Counts] = {}
        self.labels: tuple[tuple[Label, ...], ...] = tuple(
            column.labels if isinstance(column, DiscreteColumn) else () for column in dataset.columns
        )
        self.log_units: NDArray[np.float64] = np.zeros(len(self.names))
        self.origins: NDArray[np.float64] = np.zeros(len(self.names))
        self.levels: NDArray[np.int64] = np.array([len(known) for known in self.labels], dtype=np.int64)

    def margins(self, columns: Sequence[int]) -> list[Counts]:
        """Count the states of each of these discrete columns, one by one."""
        return [self._margin(column).copy() for column in columns]

    def counts(self, columns: Sequence[int]) -> Counts:
        """Count every joint state of discrete columns: one axis per column."""
        if len(columns) == 1:
            return self._margin(columns[0]).copy()
        return self._joint_counts(columns)

    def _joint_counts(self, columns: Sequence[int]) -> Counts:
        if self.weights is not None:
            joint = joint_states(self._codes, self.levels, columns)
            return self._counted(joint, self.weights, columns)
        shape = [int(self.levels[j]) for j in columns]
        n_cells, places = math.prod(shape), np.array(columns, dtype=np.int64)
        if len(columns) > 1 and n_cells <= MOST_MASK_CELLS:
            return self.tables(places[None]).counts.reshape(shape)
        counts = np.zeros(n_cells, dtype=np.int64)
        counting.count_joint(self._codes, self.levels, places, counts)
        return counts.reshape(shape)

    def _counted(
        self, joint: NDArray[np.int64], weights: NDArray[np.float64] | None, columns: Sequence[int]
    ) -> Counts:
        shape = [int(self.levels[j]) for j in columns]
        n_cells = int(np.prod(shape, dtype=np.int64))
        return np.bincount(joint, weights=weights, minlength=n_cells).reshape(shape)

    def tables(self, sets: Columns) -> Tables:
        """Count many sets of two or more discrete columns, one per row of `sets`."""
        strata, widths = np.empty(len(sets)), np.empty(len(sets), dtype=np.int64)
        by_masks = np.empty(len(sets), dtype=np.bool_)
        shapes = MOST_MASK_CELLS, strata, widths, by_masks
        largest = counting.table_shapes(self.levels, self._masks[1], sets, *shapes)
        if largest <= max(DENSE_CELLS_PER_ROW * self.n_rows, ALWAYS_DENSE_CELLS):
            return self._dense_tables(sets, strata.astype(np.int64), widths, by_masks)
        return self._sparse_tables(sets, widths)

    def moments(self) -> Moments:
        """The moments of the continuous columns, computed once."""
        return self._moments

    def grouped_moments(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        """The moments of sets of continuous columns within the strata of discrete ones."""
        if not len(discrete) and not self.few_sets_asked:
            return self._moments_of(sets)
        return self._moments_within(discrete, sets)

    def repeated_moments(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        """The same for searches: quicker where one set follows another, but then rounded otherwise."""
        known = self._of_strata.within(tuple(discrete), sets) if self._of_strata else None
        return known or self.grouped_moments(discrete, sets)

    def _moments_of(self, sets: Columns) -> GroupedMoments:
        """The moments of sets of columns that miss nothing, with all rows in one stratum."""
        found, pairs = self.moments(), (sets[:, :, None], sets[:, None, :])
        return GroupedMoments(
            states=np.zeros((1, 0), dtype=np.int64),
            sizes=np.full((len(sets), 1), self.size),
            means=found.mean[sets][:, None],
            products=self.size * found.covariance[pairs][:, None],
        )

    def _moments_within(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        return self.moments_in_groups(self._codes[list(discrete)], *self._groups(discrete), sets)

    def moments_in_groups(
        self, codes: NDArray[Any], groups: NDArray[np.int64], n_groups: int, sets: Columns
    ) -> GroupedMoments:
        """The moments of sets of columns in groups of rows, each with its codes; −1 is no group."""
        width = sets.shape[1]
        sizes = np.zeros((len(sets), n_groups))
        means = np.zeros((len(sets), n_groups, width))
        products = np.zeros((len(sets), n_groups, width, width))
        weights = np.ones(self.n_rows) if self.weights is None else self.weights

        def fill(block: slice) -> None:
            out = sizes[block], means[block], products[block]
            group_moments(self._values, self._gaps, groups, weights, sets[block], *out)

        cost = float(self.n_rows) * len(sets) * (1 + width)
        in_blocks(fill, len(sets), cost=cost, n_jobs=self.n_jobs)
        return GroupedMoments(states_of(codes, groups, n_groups), sizes, means, products)

    def once(self, name: str, find: Callable[[], Found]) -> Found:
        """What `find` tells of the rows, looked for the first time that statistics of them are asked."""
        return once(self._dataset, name, find)

    def sample(self, n_rows: int) -> "MemoryStatistics":
        """The statistics of so many of the rows, which are the same in whatever order rows come."""
        columns = [self._codes[j] if self.levels[j] else self._values[j] for j in range(len(self.names))]
        columns += [] if self.weights is None else [self.weights]
        chosen = even_rows(columns, self.n_rows, n_rows)
        return MemoryStatistics(self._dataset.take(chosen), n_jobs=self.n_jobs)

    def rows(self, columns: Sequence[int]) -> Rows:
        """The rows themselves, with the codes of discrete columns."""
        places = np.array(columns, dtype=np.int64)
        if not self.levels[places].any():
            return Rows(self._values[places].T, self.weights)
        values = [self._codes[j] if self.levels[j] else self._values[j] for j in columns]
        return Rows(np.array(values, dtype=np.float64).T, self.weights)

    def _dense_tables(self, sets: Columns, strata: Columns, widths: Columns, by_masks: Flags) -> Tables:
        sizes = strata * widths
        ends = sizes.cumsum()
        starts = ends - sizes
        counts = self._zeros(int(ends[-1]) if len(ends) else 0)

        def fill(block: slice) -> None:
            self._fill_dense(sets[block], starts[block], by_masks[block], counts)

        visits = float(self.n_rows * np.where(by_masks, VISITS_BY_BITS, 1.0).sum())
        if self.shares_rows and len(counts) <= MOST_CELLS_TO_ADD * visits:
            self._add_rows(sets, starts, by_masks, counts, visits)
        else:
            in_blocks(fill, len(sets), cost=visits, n_jobs=self.n_jobs)
        return Tables(counts, starts, strata)

    def _add_rows(
        self, sets: Columns, starts: Columns, by_masks: Flags, counts: Counts, visits: float
    ) -> None:
        """Count all sets in each thread, in rows of its own: shares are alike, and nothing is done twice."""
        adding = Lock()

        def fill(words: slice) -> None:
            own = np.zeros_like(counts)
            self._count_rows((words.start, words.stop), sets, starts, by_masks, own)
            with adding:
                np.add(counts, own, out=counts)

        in_blocks(fill, self._all_words[1], cost=visits, n_jobs=self.n_jobs, per_thread=1)

    @property
    def shares_rows(self) -> bool:
        """Whether threads count all sets of a batch, each in rows of its own, and need not share the sets."""
        is_long = self.n_rows >= FEWEST_ROWS_TO_SHARE
        return self.rows_add_up and is_long and self.n_jobs != 1 and self.weights is None

    def _fill_dense(self, sets: Columns, starts: Columns, by_masks: Flags, counts: Counts) -> None:
        if self.weights is not None:
            counting.weigh_dense(self._codes, self.levels, self.weights, sets, starts, counts)
            return
        self._count_rows(self._all_words, sets, starts, by_masks, counts)

    def _count_rows(
        self, words: Words, sets: Columns, starts: Columns, by_masks: Flags, counts: Counts
    ) -> None:
        """Count tables in some rows."""
        if len(sets) > 1 and sets.shape[1] >= FEWEST_IN_RUNS:
            is_left = self._count_runs(words, sets, starts, counts)
            sets, starts, by_masks = sets[is_left], starts[is_left], by_masks[is_left]
        bits = self.bits if words == self._all_words or sets.shape[1] > 2 else self._bits_within(words)
        self._count_by_masks((self.levels - 1, bits, words), sets, starts, by_masks, counts)
        if np.count_nonzero(by_masks) < len(by_masks):
            room = np.empty(64 * (words[1] - words[0]), dtype=np.int64)
            counting.count_by_codes(self._codes, self.levels, words, sets, starts, by_masks, room, counts)

    def _count_by_masks(
        self,
        known: tuple[Columns, Counts, Words],
        sets: Columns,
        starts: Columns,
        by_masks: Flags,
        counts: Counts,
    ) -> None:
        """Count tables where so many levels of the last column are to be counted, given the bits of masks."""
        if np.count_nonzero(by_masks):
            how = *known, sets, starts, by_masks, counting.room_for_masks(MOST_MASK_CELLS), counts
            counting.count_by_masks(self._codes, *self._masks, self.levels, *how)

    def _count_runs(self, words: Words, sets: Columns, starts: Columns, counts: Counts) -> Flags:
        """Fill the tables that are cheaper to read off a larger one; returns which are left."""
        order = np.argsort(sets[:, -2] * len(self.levels) + sets[:, -1], kind="stable")
        is_left = np.ones(len(sets), dtype=np.bool_)
        rows = 64 * words[0], min(64 * words[1], self.n_rows)
        most = min(int(RUN_CELLS_PER_ROW * (rows[1] - rows[0])), MOST_RUN_CELLS)
        sizes = *[len(self.levels)] * 3, ROWS_AT_ONCE, most, most
        room = tuple(np.empty(size, dtype=np.int64) for size in sizes)
        count_runs(self._codes, self.levels, rows, sets, order, starts, most, room, counts, is_left)
        return is_left

    def _sparse_tables(self, sets: Columns, widths: Columns) -> Tables:
        """Number the strata that occur, set by set, so that no table outgrows the rows."""
        filled: list[NDArray[Any]] = []
        strata = np.zeros(len(sets), dtype=np.int64)
        known: tuple[int, ...] | None = None
        for i, columns in enumerate(sets):
            if known != tuple(columns[:-2]):
                known = tuple(columns[:-2])
                numbers, n_strata = number_strata(self._codes[columns[:-2]], self.levels[columns[:-2]])
            strata[i] = n_strata
            before, last = int(columns[-2]), int(columns[-1])
            joint = (numbers * self.levels[before] + self._codes[before]) * self.levels[last] + self._codes[
                last
            ]
            filled.append(np.bincount(joint, weights=self.weights, minlength=n_strata * int(widths[i])))
        return one_behind_the_other(filled, strata, widths)

    def _zeros(self, n_cells: int) -> Counts:
        return np.zeros(n_cells, dtype=np.int64) if self.weights is None else np.zeros(n_cells)

    def _groups(self, discrete: Sequence[int]) -> tuple[NDArray[np.int64], int]:
        """The stratum of each row, and how many there are."""
        return number_strata(self._codes[list(discrete)], self.levels[list(discrete)])

    @cached_property
    def _of_strata(self) -> MomentsOfStrata | None:
        are_shared = not len(self._gaps) and not self.few_sets_asked  # rows, by all sets
        return MomentsOfStrata(self._values, self._codes, self.levels, self.weights) if are_shared else None

    @property
    def _gaps(self) -> Flags:
        return NO_GAPS

    def _margin(self, column: int) -> Counts:
        """The counts of one column, made once."""
        if not self._margins and self.weights is None:
            self._margins = self._margins_of_masks()
        if column not in self._margins:
            self._margins[column] = self._joint_counts([column])
        return self._margins[column]

    def _margins_of_masks(self) -> dict[int, Counts]:
        """Those of all columns that have masks, at once: tables are wide, and one at a time takes longer."""
        counts, starts, levels = self.bits, self._masks[1].tolist(), self.levels.tolist()
        ends = zip(starts, levels, strict=True)
        return {j: counts[start : start + n] for j, (start, n) in enumerate(ends) if start >= 0}

    @property
    def codes(self) -> NDArray[np.unsignedinteger]:
        """The codes of the discrete columns, (p, n), with zeros for continuous ones."""
        return self._codes

    @property
    def masks(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """A bit per row for each level of each column with few, and where each column's start; else −1."""
        return self._masks

    @cached_property
    def _codes(self) -> NDArray[np.unsignedinteger]:
        most = int(self.levels.max(initial=0))
        codes = np.zeros((len(self.names), self.n_rows), dtype=np.min_scalar_type(max(most - 1, 0)))
        for j, column in enumerate(self._dataset.columns):
            if isinstance(column, DiscreteColumn):
                codes[j] = column.codes
        return codes

    @cached_property
    def _values(self) -> NDArray[np.float64]:
        """The continuous columns, (p, n), with zeros for discrete ones."""
        values = np.zeros((len(self.names), self.n_rows))
        for j, column in enumerate(self._dataset.columns):
            if not isinstance(column, DiscreteColumn):
                values[j] = column.values
        return values

    @cached_property
    def _masks(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """A bit per row for each level of each column with few, and where each column's start."""
        return self._packed()

    @property
    def _all_words(self) -> Words:
        return 0, -(-self.n_rows // 64)

    @cached_property
    def bits(self) -> Counts:
        """How many rows each mask has."""
        return self._bits_within(self._all_words)

    def _bits_within(self, words: Words) -> Counts:
        counts: Counts = np.bitwise_count(self._masks[0][:, slice(*words)]).sum(axis=1, dtype=np.int64)
        return counts

    def _packed(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        is_packed = (self.levels > 0) & (self.levels <= MOST_PACKED_LEVELS)
        ends = np.cumsum(np.where(is_packed, self.levels, 0))
        first_mask = np.where(is_packed, ends - self.levels, -1)
        masks = np.zeros((int(ends[-1]) if ends.size else 0, -(-self.n_rows // 64)), dtype=np.uint64)
        by_bytes = masks.view(np.uint8)
        all_codes, n_at_once = self._codes, max(CELLS_AT_ONCE // max(self.n_rows, 1), 1)

        def pack(columns: slice) -> None:
            for start in range(columns.start, columns.stop, n_at_once):
                some = start + np.flatnonzero(is_packed[start : min(start + n_at_once, columns.stop)])
                codes = all_codes[some]
                for level in range(int(self.levels[some].max(initial=0))):
                    bits = np.packbits(codes == level, axis=1, bitorder="little")
                    has_it = self.levels[some] > level
                    by_bytes[first_mask[some[has_it]] + level, : bits.shape[1]] = bits[has_it]

        in_blocks(pack, len(is_packed), cost=float(self.n_rows) * len(is_packed), n_jobs=self.n_jobs)
        return masks, first_mask

    @cached_property
    def _moments(self) -> Moments:
        found = self._moments_in_order(self._values, self.weights)
        if largest_of_two(found.correlation, self.n_jobs) < NEARLY_REPEATED:
            return found
        # What one column leaves of the other is rounded by much: in the order of rows that their numbers
        # have, sums are the same whatever order they came in.
        keys = self._values if self.weights is None else [self.weights, *self._values]
        order = np.lexsort(keys)
        return self._moments_in_order(
            self._values[:, order], None if self.weights is None else self.weights[order]
        )

    def _moments_in_order(self, values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> Moments:
        mean, centred = centred_rows(values, weights, self.n_jobs)
        covariance = mean_products(centred, self.size, self.n_jobs)
        return Moments.of(self.size, mean, covariance, n_jobs=self.n_jobs)


def one_behind_the_other(filled: list[NDArray[Any]], strata: Columns, widths: Columns) -> Tables:
    """Put tables of these shapes into one array."""
    ends = np.cumsum(strata * widths)
    return Tables(np.concatenate(filled), ends - strata * widths, strata)

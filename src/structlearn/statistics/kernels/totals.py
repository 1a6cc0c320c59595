"""Contingency counts of many sets of the same few columns, read off one table of all these columns.

A run is a stretch of sets whose columns, its universe, have few joint states. In the table of the universe
the count of the last level of each column is replaced by the total over its levels. A set's counts are then
those cells where all other columns have their total, and the last levels are what the other levels leave: the
arithmetic of an AD-tree (Moore and Lee, 1998) without the tree.
"""

import numpy as np

from structlearn.compile import kernel
from structlearn.statistics.kernels.counting import count_by_codes, joint_codes

# What counting costs, if reading a cell costs 1: of 64 rows in a cell by masks, and of a row by codes.
MASK_COST = 0.5
CODE_COST = 3.0


@kernel
def count_runs(codes, levels, sets, order, starts, most_cells, counts, is_left):
    """Fill the tables of the sets that are cheaper in runs; `is_left` says which are still to be counted.

    Sets follow each other as in `order`. No universe has more than `most_cells` joint states.
    """
    place = np.full(levels.size, -1, dtype=np.int64)
    universe = np.empty(levels.size, dtype=np.int64)
    first = 0
    while first < order.size:
        end, n_columns = run_end(levels, sets, order, first, most_cells, place, universe)
        run, columns = order[first:end], universe[:n_columns]
        if is_cheaper_as_run(codes.shape[1], levels, sets, run, columns):
            strides = np.ones(n_columns, dtype=np.int64)
            for c in range(n_columns - 1, 0, -1):
                strides[c - 1] = strides[c] * levels[columns[c]]
            table = table_with_totals(codes, levels, columns, strides)
            offsets = np.empty(table.size, dtype=np.int64)
            for i in run:
                read_table(table, levels, sets[i], strides[place[sets[i]]], offsets, counts[starts[i] :])
                is_left[i] = False
        place[columns] = -1
        first = end


@kernel
def run_end(levels, sets, order, first, most_cells, place, universe):
    """Where the run ends that starts at `first`, and how many columns its universe has.

    Writes these columns to `universe`, and where each stands there to `place`, which was -1.
    """
    n_columns, n_cells = 0, 1
    for at in range(first, order.size):
        before = n_columns
        for column in sets[order[at]]:
            if place[column] < 0:
                place[column] = n_columns
                universe[n_columns] = column
                n_columns += 1
                n_cells *= levels[column]
        if n_cells > most_cells:
            if at == first:
                return at + 1, n_columns
            place[universe[before:n_columns]] = -1
            return at, before
    return order.size, n_columns


@kernel
def is_cheaper_as_run(n_rows, levels, sets, run, columns):
    """Whether the table of the universe costs less than counting each set."""
    n_cells = 1.0
    for column in columns:
        n_cells *= levels[column]
    as_run, alone = columns.size * (n_rows + 0.5 * n_cells), 0.0
    for i in run:
        in_set = 1.0
        for column in sets[i]:
            in_set *= levels[column]
        as_run += in_set * (1.0 + 0.5 * sets.shape[1])
        alone += min(MASK_COST * n_rows * in_set / 64.0, CODE_COST * n_rows)
    return as_run < alone


@kernel
def table_with_totals(codes, levels, columns, strides):
    """The counts of all joint states of `columns`, with totals in place of last levels."""
    joint = np.empty(codes.shape[1], dtype=np.int64)
    joint_codes(codes, levels, columns, joint)
    table = np.zeros(strides[0] * levels[columns[0]], dtype=np.int64)
    count_by_codes(joint, np.zeros(joint.size, dtype=np.uint8), 1, table)
    for c in range(columns.size):
        add_others_to_last(table, levels[columns[c]], strides[c])
    return table


@kernel
def add_others_to_last(table, n_levels, stride):
    """Turn the counts of the last level of one axis into totals."""
    for block in range(0, table.size, stride * n_levels):
        total = block + (n_levels - 1) * stride
        for level in range(n_levels - 1):
            other = block + level * stride
            for cell in range(stride):
                table[total + cell] += table[other + cell]


@kernel
def read_table(table, levels, columns, strides, offsets, counts):
    """Write the counts of some columns of a table with totals; `strides` are theirs there.

    `offsets` is room for as many numbers as the columns but the last have joint states.
    """
    n_strata = write_offsets(table.size - 1, levels, columns, strides, offsets)
    n_levels, stride = levels[columns[-1]], strides[-1]
    for stratum in range(n_strata):
        at, to = offsets[stratum], stratum * n_levels
        rest = table[at + (n_levels - 1) * stride]
        for level in range(n_levels - 1):
            count = table[at + level * stride]
            counts[to + level] = count
            rest -= count
        counts[to + n_levels - 1] = rest
    stride = n_levels
    for c in range(columns.size - 2, -1, -1):
        take_others_from_totals(counts, n_strata * n_levels, levels[columns[c]], stride)
        stride *= levels[columns[c]]


@kernel
def write_offsets(end, levels, columns, strides, offsets):
    """Write where each joint state of the columns but the last starts; returns how many there are.

    Columns that are not among `columns` have their totals, which are last, as is the cell `end`.
    """
    offsets[0] = end
    for c in range(columns.size):
        offsets[0] -= (levels[columns[c]] - 1) * strides[c]
    n_strata = 1
    for c in range(columns.size - 2, -1, -1):
        for level in range(1, levels[columns[c]]):
            for stratum in range(n_strata):
                offsets[level * n_strata + stratum] = offsets[stratum] + level * strides[c]
        n_strata *= levels[columns[c]]
    return n_strata


@kernel
def take_others_from_totals(counts, n_cells, n_levels, stride):
    """Turn the totals of one axis into the counts of its last level."""
    for block in range(0, n_cells, stride * n_levels):
        last = block + (n_levels - 1) * stride
        for level in range(n_levels - 1):
            other = block + level * stride
            for cell in range(stride):
                counts[last + cell] -= counts[other + cell]

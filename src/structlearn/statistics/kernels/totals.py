"""Contingency counts of many sets of the same few columns, read off one table of all these columns.

A run is a stretch of sets whose columns, its universe, have few joint states. In the table of the universe
the count of the last level of each column is replaced by the total over its levels. A set's counts are then
those cells where all other columns have their total, and the last levels are what the other levels leave: the
arithmetic of an AD-tree (Moore and Lee, 1998) without the tree.
"""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.statistics.kernels.by_arrays import joint_states

# What counting costs, if reading a cell costs 1: of 64 rows in a cell by masks, and of a row by codes.
MASK_COST = 0.5
CODE_COST = 3.0


@kernel
def run_end(levels, sets, order, first, most_cells, n_rows, universe, place):
    """Where the run ends that starts at `first`, and how many columns its universe has.

    Writes these columns to `universe`, and where each stands there to `place`, which was -1. There are none
    where counting each set costs less than a table of the universe.
    """
    n_columns, n_cells, end = 0, 1, order.size
    as_run, alone = 0.0, 0.0
    for at in range(first, order.size):
        before, n_more, in_set = n_columns, 1, 1.0
        for c in range(sets.shape[1]):
            column = sets[order[at], c]
            in_set *= levels[column]
            if place[column] < 0:
                place[column] = n_columns
                universe[n_columns] = column
                n_columns += 1
                n_more *= levels[column]
        if n_cells * n_more > most_cells and at > first:
            for c in range(before, n_columns):
                place[universe[c]] = -1
            n_columns, end = before, at
            break
        n_cells *= n_more
        as_run += in_set * (1.0 + 0.5 * sets.shape[1])
        by_masks, by_codes = MASK_COST * n_rows * in_set / 64.0, CODE_COST * n_rows
        alone += min(by_codes, by_masks)
        if n_cells > most_cells:
            end = at + 1
            break
    if n_cells <= most_cells and as_run + n_columns * (n_rows + 0.5 * n_cells) < alone:
        return end, n_columns
    return end, 0


@kernel
def fill_with_totals(codes, levels, rows, columns, n_columns, strides, joint, table):
    """Count all joint states of `columns`, with totals in place of last levels; returns how many there are.

    Of the rows from the first of `rows` to the other. Writes the stride of each column, too; `joint` has room
    for the states of some rows, which stay in a cache.
    """
    n_cells = 1
    for c in range(n_columns - 1, -1, -1):
        strides[c] = n_cells
        n_cells *= levels[columns[c]]
    for cell in range(n_cells):
        table[cell] = 0
    for start in range(rows[0], rows[1], joint.size):
        states = joint[: min(joint.size, rows[1] - start)]
        for row in range(states.size):
            states[row] = 0
        for c in range(n_columns):
            column, stride = codes[columns[c], start : start + states.size], strides[c]
            for row in range(states.size):
                states[row] += column[row] * stride
        for row in range(states.size):
            table[states[row]] += 1
    for c in range(n_columns):
        stride = strides[c]
        width = stride * levels[columns[c]]
        for block in range(0, n_cells, width):
            last = block + width - stride
            for other in range(block, last, stride):
                for cell in range(stride):
                    table[last + cell] += table[other + cell]
    return n_cells


@kernel
def read_table(table, n_cells, levels, sets, i, strides, place, offsets, start, counts):
    """Write the counts of set i, from `start` on, off a table with totals, where it has these `strides`.

    Columns that are not in the set have their totals, which are last, as is the last cell. There is room
    in `offsets` for where each joint state of the columns but the last starts.
    """
    n_columns, n_strata = sets.shape[1], 1
    offsets[0] = n_cells - 1
    for c in range(n_columns):
        offsets[0] -= (levels[sets[i, c]] - 1) * strides[place[sets[i, c]]]
    for c in range(n_columns - 2, -1, -1):
        stride = strides[place[sets[i, c]]]
        for level in range(1, levels[sets[i, c]]):
            for stratum in range(n_strata):
                offsets[level * n_strata + stratum] = offsets[stratum] + level * stride
        n_strata *= levels[sets[i, c]]
    width, stride = levels[sets[i, n_columns - 1]], strides[place[sets[i, n_columns - 1]]]
    for stratum in range(n_strata):
        for level in range(width):
            counts[start + stratum * width + level] = table[offsets[stratum] + level * stride]
    end, width = start + n_strata * width, 1
    for c in range(n_columns - 1, -1, -1):
        stride, width = width, width * levels[sets[i, c]]
        for block in range(start, end, width):
            last = block + width - stride
            for other in range(block, last, stride):
                for cell in range(stride):
                    counts[last + cell] -= counts[other + cell]


def count_runs_by_arrays(codes, levels, rows, sets, order, starts, most_cells, room, counts, is_left):
    """What `count_runs` does, by sums over the axes of tables."""
    universe, _, place, *_ = room
    codes, first = codes[:, slice(*rows)], 0
    while first < order.size:
        place[:] = -1
        end, n_columns = run_end(levels, sets, order, first, most_cells, codes.shape[1], universe, place)
        columns = universe[:n_columns].tolist()
        shape = [int(levels[c]) for c in columns]
        table = np.bincount(joint_states(codes, levels, columns), minlength=math.prod(shape)).reshape(shape)
        for i in order[first:end] if columns else ():
            found = np.einsum(table, range(n_columns), place[sets[i]].tolist())
            counts[starts[i] : starts[i] + found.size] = found.ravel()
            is_left[i] = False
        first = end


@kernel(instead=count_runs_by_arrays)
def count_runs(codes, levels, rows, sets, order, starts, most_cells, room, counts, is_left):
    """Fill the tables of the sets that are cheaper in runs; `is_left` says which are still to be counted.

    Sets follow each other as in `order`. Of the rows, those from the first of `rows` to the other count. No
    universe has more than `most_cells` joint states. There is `room` for the columns of one and their
    strides, the place of each column there, the states of some rows, and twice for the cells of a table.
    """
    universe, strides, place, joint, table, offsets = room
    first = 0
    while first < order.size:
        for column in range(levels.size):
            place[column] = -1
        end, n_columns = run_end(levels, sets, order, first, most_cells, rows[1] - rows[0], universe, place)
        if n_columns:
            n_cells = fill_with_totals(codes, levels, rows, universe, n_columns, strides, joint, table)
            for at in range(first, end):
                i = order[at]
                read_table(table, n_cells, levels, sets, i, strides, place, offsets, starts[i], counts)
                is_left[i] = False
        first = end

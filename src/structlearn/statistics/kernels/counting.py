"""Contingency counts: popcounts of bit-packed columns, or one pass over mixed-radix codes.

A batch is an array `sets` with one set of columns per row. Its table has the axes
(stratum, last but one column, last column). Sets with the same columns but the last form a
group: what is shared is worked out once.
"""

import numpy as np

from structlearn.compile import count_common_bits, kernel, write_common_bits

BLOCK_OF_ROWS = 1024
SMALL_TABLE = 4096
WORDS_PER_CHUNK = 128  # a mask's chunk is 1 KiB, so that a group's masks stay in the cache


@kernel
def table_shapes(levels, sets, strata, widths):
    """Write how many strata each set could have, and the cells of each; returns the largest table."""
    largest = 0.0
    for i in range(sets.shape[0]):
        n_strata = 1.0
        for c in range(sets.shape[1] - 2):
            n_strata *= levels[sets[i, c]]
        strata[i] = n_strata
        widths[i] = levels[sets[i, -2]] * levels[sets[i, -1]]
        largest = max(largest, n_strata * widths[i])
    return largest


@kernel
def same_group(sets, i, k):
    """Whether sets i and k share all columns but the last."""
    for c in range(sets.shape[1] - 1):
        if sets[i, c] != sets[k, c]:
            return False
    return True


@kernel
def group_end(sets, first):
    """Where the group that starts at set `first` ends."""
    end = first + 1
    while end < sets.shape[0] and same_group(sets, first, end):
        end += 1
    return end


@kernel
def count_by_masks(masks, first_mask, levels, n_counted, sets, first, end, by_masks, starts, counts):
    """Count those sets of one group that `by_masks` says, by ANDs and popcounts.

    `n_counted` levels of the last column are counted: all of them, or all but one, which is then
    the cell's total less the others.
    """
    n_shared = sets.shape[1] - 1
    n_cells = joint_levels(levels, sets[first, :n_shared])
    joint = np.empty((n_cells, WORDS_PER_CHUNK), dtype=np.uint64)
    totals = np.zeros(n_cells, dtype=np.int64)
    for begin in range(0, masks.shape[1], WORDS_PER_CHUNK):
        width = min(WORDS_PER_CHUNK, masks.shape[1] - begin)
        join_masks(masks, first_mask, levels, sets[first, :n_shared], begin, width, joint)
        for cell in range(n_cells):
            totals[cell] += count_common_bits(joint[cell, :width], joint[cell, :width])
        for i in range(first, end):
            if not by_masks[i]:
                continue
            last = sets[i, n_shared]
            for level in range(n_counted[last]):
                mask = masks[first_mask[last] + level, begin : begin + width]
                for cell in range(n_cells):
                    in_both = count_common_bits(joint[cell, :width], mask)
                    counts[starts[i] + cell * levels[last] + level] += in_both
    for i in range(first, end):
        if by_masks[i] and n_counted[sets[i, n_shared]] < levels[sets[i, n_shared]]:
            fill_last_level(totals, levels[sets[i, n_shared]], counts[starts[i] :])


@kernel
def fill_last_level(totals, n_levels, counts):
    """Give the last level of each cell what the others leave of its total."""
    for cell in range(totals.size):
        rest = totals[cell]
        for level in range(n_levels - 1):
            rest -= counts[cell * n_levels + level]
        counts[cell * n_levels + n_levels - 1] = rest


@kernel
def joint_levels(levels, columns):
    """The number of joint states of `columns`."""
    n_cells = 1
    for c in range(columns.size):
        n_cells *= levels[columns[c]]
    return n_cells


@kernel
def join_masks(masks, first_mask, levels, columns, begin, width, joint):
    """Write the mask of every joint state of `columns` over one chunk, in mixed-radix order."""
    n_cells = levels[columns[0]]
    for level in range(n_cells):
        mask = masks[first_mask[columns[0]] + level, begin : begin + width]
        write_common_bits(mask, mask, joint[level, :width])
    for c in range(1, columns.size):
        n_levels = levels[columns[c]]
        # From the back, so that no state is overwritten before it has been read.
        for state in range(n_cells * n_levels - 1, -1, -1):
            mask = masks[first_mask[columns[c]] + state % n_levels, begin : begin + width]
            write_common_bits(joint[state // n_levels, :width], mask, joint[state, :width])
        n_cells *= n_levels


@kernel
def joint_codes(codes, levels, columns, joint):
    """Write the mixed-radix code of `columns` for every row."""
    joint[:] = 0
    for c in range(columns.size):
        column = codes[columns[c]]
        n_levels = levels[columns[c]]
        for row in range(joint.size):
            joint[row] = joint[row] * n_levels + column[row]


@kernel
def count_joint(codes, levels, columns, counts):
    """Count every joint state of `columns`, in mixed-radix order.

    Block by block, so that the states of the rows stay in the nearest cache. Where tables are small, rows
    go in turn to two of them: one addition need not wait for the last.
    """
    n_rows = codes.shape[1]
    joint = np.empty(BLOCK_OF_ROWS, dtype=np.int64)
    is_small = counts.size <= SMALL_TABLE
    odd = np.zeros(counts.size, dtype=np.int64) if is_small else counts
    for start in range(0, n_rows, BLOCK_OF_ROWS):
        stop = min(start + BLOCK_OF_ROWS, n_rows)
        first = codes[columns[0]]
        for row in range(start, stop):
            joint[row - start] = first[row]
        for c in range(1, columns.size):
            column, n_levels = codes[columns[c]], levels[columns[c]]
            for row in range(start, stop):
                joint[row - start] = joint[row - start] * n_levels + column[row]
        n = stop - start
        for i in range(0, n - 1, 2):
            counts[joint[i]] += 1
            odd[joint[i + 1]] += 1
        if n % 2:
            counts[joint[n - 1]] += 1
    if is_small:
        for cell in range(counts.size):
            counts[cell] += odd[cell]


@kernel
def count_by_codes(joint, column, n_levels, counts):
    """Add one to cell (joint state, level) of every row."""
    for row in range(joint.size):
        counts[joint[row] * n_levels + column[row]] += 1


@kernel
def weigh_by_codes(joint, column, n_levels, weights, counts):
    """Add its weight to cell (joint state, level) of every row."""
    for row in range(joint.size):
        counts[joint[row] * n_levels + column[row]] += weights[row]


@kernel
def renumber(codes, n_codes):
    """Replace codes below `n_codes` by 0, 1, … in their order, leaving out the absent ones."""
    place = np.zeros(n_codes, dtype=np.int64)
    for row in range(codes.size):
        place[codes[row]] = 1
    n_present = 0
    for code in range(n_codes):
        if place[code]:
            place[code] = n_present
            n_present += 1
    for row in range(codes.size):
        codes[row] = place[codes[row]]
    return n_present


@kernel
def count_dense(codes, masks, first_mask, levels, n_counted, sets, starts, most_mask_cells, counts):
    """Fill the tables of a batch whose strata are all joint states.

    A set goes by masks when its columns are packed and it has at most `most_mask_cells`
    masks to count, by codes otherwise.
    """
    joint = np.empty(codes.shape[1], dtype=np.int64)
    by_masks = np.zeros(sets.shape[0], dtype=np.bool_)
    n_shared = sets.shape[1] - 1
    first = 0
    while first < sets.shape[0]:
        end = group_end(sets, first)
        n_cells = joint_levels(levels, sets[first, :n_shared])
        n_by_masks = 0
        for i in range(first, end):
            is_packed = n_cells * (levels[sets[i, n_shared]] - 1) <= most_mask_cells
            for c in range(n_shared + 1):
                is_packed &= first_mask[sets[i, c]] >= 0
            by_masks[i] = is_packed
            n_by_masks += is_packed
        if n_by_masks > 0:
            count_by_masks(masks, first_mask, levels, n_counted, sets, first, end, by_masks, starts, counts)
        if n_by_masks < end - first:
            joint_codes(codes, levels, sets[first, :n_shared], joint)
        for i in range(first, end):
            if not by_masks[i]:
                last = sets[i, n_shared]
                count_by_codes(joint, codes[last], levels[last], counts[starts[i] :])
        first = end


@kernel
def weigh_dense(codes, levels, weights, sets, starts, counts):
    """Fill the tables of a batch with sums of weights; strata are all joint states."""
    joint = np.empty(codes.shape[1], dtype=np.int64)
    first = 0
    n_shared = sets.shape[1] - 1
    while first < sets.shape[0]:
        end = group_end(sets, first)
        joint_codes(codes, levels, sets[first, :n_shared], joint)
        for i in range(first, end):
            last = sets[i, n_shared]
            weigh_by_codes(joint, codes[last], levels[last], weights, counts[starts[i] :])
        first = end

"""Contingency counts: popcounts of bit-packed columns, or one pass over mixed-radix codes.

A batch is an array `sets` with one set of columns per row. Its table has the axes
(stratum, last but one column, last column). Sets with the same columns but the last form a
group: what is shared is worked out once.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import count_bits, kernel
from structlearn.statistics.kernels import by_arrays

BLOCK_OF_ROWS = 1024
SMALL_TABLE = 4096
LARGE_GROUP = 4  # sets: of fewer, to list rows takes longer than to count bits
WORDS_PER_ROW = 3  # whose bits are counted while a row is counted by its code
WORDS_PER_CHUNK = 128  # a mask's chunk is 1 KiB, so that a group's masks stay in the cache
RoomForMasks = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint16]]


def room_for_masks(most_cells: int) -> RoomForMasks:
    """Room for the masks of so many joint states, and for their totals and rows."""
    masks = np.empty((most_cells, WORDS_PER_CHUNK), dtype=np.uint64)
    totals, ends = np.empty((2, most_cells), dtype=np.int64)
    return masks, totals, ends, np.empty(64 * WORDS_PER_CHUNK, dtype=np.uint16)


@kernel(instead=by_arrays.table_shapes)
def table_shapes(levels, first_mask, sets, most_mask_cells, strata, widths, by_masks):
    """Write how many strata each set could have, and the cells of each; returns the largest table.

    And whether to count by masks: columns are packed, and at most `most_mask_cells` masks are to be counted.
    """
    largest = 0.0
    for i in range(sets.shape[0]):
        before, last = sets[i, sets.shape[1] - 2], sets[i, sets.shape[1] - 1]
        n_strata = 1.0
        is_packed = first_mask[before] >= 0 and first_mask[last] >= 0
        for c in range(sets.shape[1] - 2):
            n_strata *= levels[sets[i, c]]
            if first_mask[sets[i, c]] < 0:
                is_packed = False
        strata[i] = n_strata
        widths[i] = levels[before] * levels[last]
        n_masks = n_strata * levels[before]
        if levels[last] > 2:
            n_masks *= levels[last] - 1
        by_masks[i] = is_packed and n_masks <= most_mask_cells
        if n_strata * widths[i] > largest:
            largest = n_strata * widths[i]
    return largest


@kernel
def group_end(sets, first):
    """Where the group that starts at set `first` ends."""
    for end in range(first + 1, sets.shape[0]):
        for c in range(sets.shape[1] - 1):
            if sets[first, c] != sets[end, c]:
                return end
    return sets.shape[0]


@kernel(instead=by_arrays.count_by_masks)
def count_by_masks(
    codes, masks, first_mask, levels, n_counted, margins, words, sets, starts, by_masks, room, counts
):
    """Fill the tables of those sets of a batch that `by_masks` says, by ANDs and popcounts.

    `n_counted` levels of the last column are counted: all of them, or all but one, which is then the cell's
    total less the others. `margins` has the bits of each mask, or nothing where columns have gaps: with them
    the last row of a table of two columns is what the others leave, and the few rows of a cell can be counted
    one by one, by their codes. Only the rows from the first of `words` to the other are counted, in `margins`
    too. There is `room` for the masks of a group's joint states, for their totals, and for the rows of those
    that have few.
    """
    joint, totals, ends, rows = room
    first_word, end_word = words
    n_shared, first = sets.shape[1] - 1, 0
    while first < sets.shape[0]:
        end = group_end(sets, first)
        while first < end and not by_masks[first]:
            first += 1
        is_large = end - first >= LARGE_GROUP and margins.shape[0] > 0
        for start in range(first_word, end_word if first < end else first_word, WORDS_PER_CHUNK):
            # Unsigned: of other numbers numba asks whether they are below 0, and cannot take several at once.
            begin, width = np.uint64(start), np.uint64(end_word - start)
            if width > WORDS_PER_CHUNK:
                width = np.uint64(WORDS_PER_CHUNK)
            n_cells = join_masks(masks, first_mask, levels, sets, first, begin, width, joint)
            is_pair = n_shared == 1 and margins.shape[0] > 0
            n_cells -= 1 if is_pair else 0
            if start == first_word:
                totals[:n_cells] = 0
            most_listed = np.int64(width) // WORDS_PER_ROW if is_large else -1
            list_cells(joint[:n_cells], width, most_listed, totals, ends, rows)
            for i in range(first, end):
                last, k = sets[i, n_shared], 0
                for cell in range(n_cells if by_masks[i] else 0):
                    at, rest = starts[i] + cell * levels[last], totals[cell]
                    if ends[cell] >= 0:
                        while k < ends[cell]:
                            counts[at + codes[last, np.uint64(64) * begin + rows[k]]] += 1
                            k += 1
                        continue
                    for level in range(n_counted[last]):
                        mask, n_bits = first_mask[last] + level, np.uint64(0)
                        for w in range(width):
                            n_bits += count_bits(joint[cell, w] & masks[mask, begin + w])
                        counts[at + level] += np.int64(n_bits)
                        rest -= counts[at + level]
                    if n_counted[last] < levels[last]:
                        counts[at + n_counted[last]] = rest
                if is_pair and by_masks[i] and begin + width == end_word:
                    for level in range(levels[last]):
                        rest = margins[first_mask[last] + level]
                        for cell in range(n_cells):
                            rest -= counts[starts[i] + cell * levels[last] + level]
                        counts[starts[i] + n_cells * levels[last] + level] = rest
        first = end


@kernel
def list_cells(joint, width, most_listed, totals, ends, rows):
    """Add the rows of each cell of a chunk to its total, and list them where they are at most so many.

    `ends` gets where the list of a cell ends, behind those of the cells before; −1 where there is none.
    """
    n_listed = 0
    for cell in range(joint.shape[0]):
        n_bits = np.uint64(0)
        for w in range(width):
            n_bits += count_bits(joint[cell, w])
        totals[cell] += np.int64(n_bits)
        ends[cell] = -1
        if np.int64(n_bits) <= most_listed:
            list_rows(joint[cell], width, rows[n_listed:])
            n_listed += np.int64(n_bits)
            ends[cell] = n_listed


@kernel
def list_rows(mask, width, rows):
    """Write the places of the set bits of so many words."""
    one, n = np.uint64(1), 0
    for w in range(width):
        word = mask[w]
        while word:
            rows[n] = np.uint64(64) * w + count_bits((word & (~word + one)) - one)
            word &= word - one
            n += 1


@kernel
def join_masks(masks, first_mask, levels, sets, i, begin, width, joint):
    """Write the mask of every joint state of all columns of set i but the last, over one chunk.

    In mixed-radix order; returns how many states there are.
    """
    n_cells = 1
    for c in range(sets.shape[1] - 1):
        column = sets[i, c]
        n_levels = levels[column]
        # From the back, so that no state is overwritten before it has been read.
        for state in range(n_cells * n_levels - 1, -1, -1):
            before, mask = state // n_levels, first_mask[column] + state % n_levels
            for w in range(width):
                joint[state, w] = masks[mask, begin + w] & joint[before, w] if c else masks[mask, begin + w]
        n_cells *= n_levels
    return n_cells


@kernel
def joint_levels(levels, columns):
    """The number of joint states of `columns`."""
    n_cells = 1
    for c in range(columns.size):
        n_cells *= levels[columns[c]]
    return n_cells


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


@kernel(instead=by_arrays.count_by_codes)
def count_by_codes(codes, levels, words, sets, starts, by_masks, room, counts):
    """Fill the other tables of a batch, one to the cell of every row; there is `room` for its state."""
    first_row, end_row = 64 * words[0], min(64 * words[1], codes.shape[1])
    states, n_shared, known = room[: end_row - first_row], sets.shape[1] - 1, -1
    for i in range(sets.shape[0]):
        if by_masks[i]:
            continue
        is_known = known >= 0
        for c in range(n_shared):
            if is_known and sets[i, c] != sets[known, c]:
                is_known = False
        for c in range(0 if is_known else n_shared):
            column, n_levels = codes[sets[i, c], first_row:end_row], levels[sets[i, c]]
            for row in range(states.size):
                states[row] = column[row] + (states[row] * n_levels if c else 0)
        known, last, start = i, sets[i, n_shared], starts[i]
        column, n_levels = codes[last, first_row:end_row], levels[last]
        for row in range(states.size):
            counts[start + states[row] * n_levels + column[row]] += 1


@kernel
def weigh_by_codes(joint, column, n_levels, weights, counts):
    """Add its weight to cell (joint state, level) of every row."""
    for row in range(joint.size):
        counts[joint[row] * n_levels + column[row]] += weights[row]


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

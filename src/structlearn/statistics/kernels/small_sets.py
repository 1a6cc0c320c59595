"""Counts of all sets of a few columns, each from those of the sets with one column less.

A row of `sets` has its columns in falling order, and its table an axis per column in this order. Only cells
without a last level are counted, by ANDs and popcounts: the others are what these leave of smaller tables.
Sets of one size are in colexicographic order, where the smallest column changes fastest: those that share all
the others form a group, and the rank of a set is the sum of the binomials C(column, place from the back).
"""

import numpy as np

from structlearn.compile import count_bits, kernel

WORDS_PER_CHUNK = 128  # a mask's chunk is 1 KiB, so that a group's masks stay in the cache


@kernel
def sets_from(rank, binomials, sets):
    """Fill the rows of `sets` with the sets from this rank on, columns in falling order."""
    size = sets.shape[1]
    for place in range(size):
        column = size - place - 1
        while binomials[column + 1, size - place] <= rank:
            column += 1
        rank -= binomials[column, size - place]
        sets[0, place] = column
    for row in range(1, sets.shape[0]):
        for place in range(size):
            sets[row, place] = sets[row - 1, place]
        place = size - 1
        while place > 0 and sets[row, place] + 1 == sets[row, place - 1]:
            sets[row, place] = size - place - 1
            place -= 1
        sets[row, place] += 1


@kernel
def count_group(masks, first_mask, levels, sets, first, end, by_masks, starts, room, counts):
    """Count the cells without a last level in those tables of a group that `by_masks` says.

    The group goes from set `first` to `end`. There is `room` for masks of joint states, and for the states
    without a last level of the first columns, by how many these are: `complete_table` needs them.
    """
    joint, states = room
    n_shared, n_words, n_states = sets.shape[1] - 1, masks.shape[1], 1
    states[0, 0] = 0
    for place in range(n_shared):
        n_levels = levels[sets[first, place]]
        for state in range(n_states):
            for level in range(n_levels - 1):
                states[place + 1, state * (n_levels - 1) + level] = states[place, state] * n_levels + level
        n_states *= n_levels - 1
    for start in range(0, n_words, WORDS_PER_CHUNK):
        # Unsigned: of other numbers numba asks whether they are below 0, and cannot take several at once.
        begin, width = np.uint64(start), np.uint64(min(n_words - start, WORDS_PER_CHUNK))
        join_but_last(masks, first_mask, levels, sets, first, begin, width, joint)
        for i in range(first, end):
            last = sets[i, n_shared]
            for state in range(n_states if by_masks[i] else 0):
                at = starts[i] + states[n_shared, state] * levels[last]
                for level in range(levels[last] - 1):
                    mask, n_bits = first_mask[last] + level, np.uint64(0)
                    for w in range(width):
                        n_bits += count_bits(joint[state, w] & masks[mask, begin + w])
                    counts[at + level] += np.int64(n_bits)


@kernel
def join_but_last(masks, first_mask, levels, sets, i, begin, width, joint):
    """Write the masks of the joint states, without last levels, of all columns of set i but the last one."""
    n_states = 1
    for place in range(sets.shape[1] - 1):
        column = sets[i, place]
        n_levels = levels[column] - 1
        # From the back, so that no state is overwritten before it has been read.
        for state in range(n_states * n_levels - 1, -1, -1):
            before, mask = state // n_levels, first_mask[column] + state % n_levels
            for w in range(width):
                own = masks[mask, begin + w]
                joint[state, w] = own & joint[before, w] if place else own
        n_states *= n_levels


@kernel
def complete_table(levels, sets, i, binomials, smaller, smaller_starts, states, start, counts):
    """Fill the cells with a last level, axis by axis from the back, with what the other levels leave.

    `states` are those that `count_group` writes.
    """
    size, width = sets.shape[1], 1
    for axis in range(size - 1, -1, -1):
        n_levels, n_states, rank = levels[sets[i, axis]], 1, 0
        for place in range(size):
            if place < axis:
                n_states *= levels[sets[i, place]] - 1
                rank += binomials[sets[i, place], size - place - 1]
            elif place > axis:
                rank += binomials[sets[i, place], size - place]
        below = smaller_starts[rank]
        for at in range(n_states):
            state = states[axis, at]
            first = start + state * n_levels * width
            last = first + (n_levels - 1) * width
            for cell in range(width):
                rest = smaller[below + state * width + cell]
                for other in range(first + cell, last, width):
                    rest -= counts[other]
                counts[last + cell] = rest
        width *= n_levels


@kernel
def count_rows(codes, levels, sets, first, end, by_masks, starts, joint, counts):
    """Count the other tables of a group row by row; `joint` has room for the state of each."""
    n_shared, n_rows = sets.shape[1] - 1, codes.shape[1]
    for place in range(n_shared):
        column = sets[first, place]
        n_levels = levels[column]
        for row in range(n_rows):
            joint[row] = codes[column, row] + (joint[row] * n_levels if place else 0)
    for i in range(first, end):
        last, start = sets[i, n_shared], starts[i]
        n_levels = levels[last]
        for row in range(0 if by_masks[i] else n_rows):
            counts[start + joint[row] * n_levels + codes[last, row]] += 1


@kernel
def count_small_sets(packed, levels, sets, by_masks, binomials, smaller, room, starts, counts):
    """Count sets of two or more columns, all of one size, which follow each other; `counts` has zeros.

    `packed` are the masks of the columns' levels, where those of each column start, and the codes; `smaller`
    are the counts of all sets with one column less, and where those of each start.
    """
    masks, first_mask, codes = packed
    joint_masks, states, joint = room
    n_shared, first = sets.shape[1] - 1, 0
    while first < sets.shape[0]:
        end, n_by_masks = first, 0
        # Within a group the last column grows, and the one before it is the same.
        while end < sets.shape[0] and sets[end, n_shared] - sets[first, n_shared] == end - first:
            n_by_masks += by_masks[end]
            end += 1
        if n_by_masks:
            how = sets, first, end, by_masks, starts, (joint_masks, states), counts
            count_group(masks, first_mask, levels, *how)
        if n_by_masks < end - first:
            count_rows(codes, levels, sets, first, end, by_masks, starts, joint, counts)
        for i in range(first, end):
            if by_masks[i]:
                complete_table(levels, sets, i, binomials, *smaller, states, starts[i], counts)
        first = end


@kernel
def sums_over_cells(counts, starts, n_cells, terms, kinds, out):
    """Write the sum of the terms of all cells of each table; `terms` has a row per kind, by count."""
    for i in range(starts.size):
        total, of_kind = 0.0, terms[kinds[i]]
        for cell in range(starts[i], starts[i] + n_cells[i]):
            total += of_kind[counts[cell]]
        out[i] = total

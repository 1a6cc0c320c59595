"""Contingency counts of the rows that have a value in every column of a set."""

import numpy as np

from structlearn.compile import kernel
from structlearn.statistics.kernels.counting import group_end, joint_codes


@kernel
def count_present(codes, gaps, levels, weights, sets, starts, counts):
    """Fill the tables of a batch whose strata are all joint states, adding each row's weight.

    `codes` and `gaps` are (p, n); a row that misses one of a set's columns does not count for it.
    """
    joint = np.empty(codes.shape[1], dtype=np.int64)
    first = 0
    n_shared = sets.shape[1] - 1
    while first < sets.shape[0]:
        end = group_end(sets, first)
        joint_codes(codes, levels, sets[first, :n_shared], joint)
        leave_out(gaps, sets[first, :n_shared], joint)
        for i in range(first, end):
            last = sets[i, n_shared]
            for row in range(joint.size):
                if joint[row] >= 0 and not gaps[last, row]:
                    cell = starts[i] + joint[row] * levels[last] + np.int64(codes[last, row])
                    counts[cell] += weights[row]
        first = end


@kernel
def leave_out(gaps, columns, joint):
    """Write -1 for every row that misses one of `columns`."""
    for c in range(columns.size):
        for row in range(joint.size):
            if gaps[columns[c], row]:
                joint[row] = -1


@kernel
def clear_gaps(gaps, levels, first_mask, masks):
    """Take the rows that miss a column out of the masks of its levels."""
    one = np.uint64(1)
    for j in range(gaps.shape[0]):
        if first_mask[j] < 0:
            continue
        for row in range(gaps.shape[1]):
            if gaps[j, row]:
                for level in range(levels[j]):
                    masks[first_mask[j] + level, row >> 6] &= ~(one << np.uint64(row & 63))

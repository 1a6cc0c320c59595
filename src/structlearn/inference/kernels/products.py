"""Products and sums of tables that lie one behind the other in a long array.

A table's axes are numbers in rising order, the last one innermost; `sizes` has the length of each axis.
What a product writes is not known to be right where it gives LOST for its largest value: a positive number
became too small for a float beside the others.
"""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.rounding import TINY

SMALL, LARGE = 1e-100, 1e100  # between these two tables can be multiplied, and sums of millions taken
LOST = -1.0


@kernel
def copy_slice(source, start, shape, strides, target, place):
    """Copy a strided view of `source` to `target`, from `place` on; give its cells and the largest value."""
    n_cells = 1
    for size in shape:
        n_cells *= size
    counter = np.zeros(shape.size, dtype=np.int64)
    where, largest = start, 0.0
    for cell in range(n_cells):
        target[place + cell] = source[where]
        largest = max(largest, source[where])
        for axis in range(shape.size - 1, -1, -1):
            counter[axis] += 1
            where += strides[axis]
            if counter[axis] < shape[axis]:
                break
            where -= strides[axis] * shape[axis]
            counter[axis] = 0
    return n_cells, largest


@kernel
def merged_axes(first, second, merged):
    """Write the union of two rising lists to `merged`; give its length."""
    i, j, n = 0, 0, 0
    while i < first.size or j < second.size:
        if j == second.size or (i < first.size and first[i] <= second[j]):
            if j < second.size and first[i] == second[j]:
                j += 1
            merged[n] = first[i]
            i += 1
        else:
            merged[n] = second[j]
            j += 1
        n += 1
    return n


@kernel
def steps_along(axes, merged, sizes):
    """How far one step along each merged axis moves within a table of `axes`: 0 where it has no such axis."""
    steps = np.zeros(max(merged.size, 1), dtype=np.int64)
    step, i = 1, axes.size - 1
    for k in range(merged.size - 1, -1, -1):
        if i >= 0 and axes[i] == merged[k]:
            steps[k] = step
            step *= sizes[merged[k]]
            i -= 1
    return steps


@kernel
def joined_lengths(merged, n_axes, sizes, left, right):
    """Make one axis of neighbouring ones wherever both tables walk through them evenly, in place.

    `left` and `right` are the steps of the two tables along the first `n_axes`. Gives the lengths, at least
    one; only as many steps count.
    """
    if n_axes == 0:
        left[0], right[0] = 0, 0
        return np.ones(1, dtype=np.int64)
    lengths = np.empty(n_axes, dtype=np.int64)
    n = 0
    for k in range(n_axes):
        size = sizes[merged[k]]
        if n > 0 and left[n - 1] == left[k] * size and right[n - 1] == right[k] * size:
            lengths[n - 1] *= size
        else:
            lengths[n] = size
            n += 1
        left[n - 1], right[n - 1] = left[k], right[k]
    return lengths[:n]


@kernel
def multiply_and_sum(values, a, left, b, right, lengths, n_summed, out):
    """Write the product, summed over an innermost axis of `n_summed` that both tables have, to `out`.

    `lengths` and the steps are those of the other axes; with `n_summed` 1 they may be those of all. Gives
    the largest value.
    """
    inner, outer = lengths[-1], 1
    for k in range(lengths.size - 1):
        outer *= lengths[k]
    counter = np.zeros(lengths.size, dtype=np.int64)
    step_a, step_b = left[lengths.size - 1], right[lengths.size - 1]
    largest, place = 0.0, out
    for _ in range(outer):
        for i in range(inner):
            from_a, from_b, total = a + i * step_a, b + i * step_b, 0.0
            for k in range(n_summed):
                total += values[from_a + k] * values[from_b + k]
            if total < TINY:
                for k in range(n_summed):
                    if values[from_a + k] > 0.0 and values[from_b + k] > 0.0:
                        return LOST
            values[place + i] = total
            largest = max(largest, total)
        place += inner
        a, b = _walk(counter, lengths, left, right, a, b)
    return largest


@kernel
def sum_last(values, a, n_cells, n_summed, out):
    """Sum the innermost axis of the table at `a` to `out`, where `n_cells` are left; give the largest."""
    largest = 0.0
    for cell in range(n_cells):
        total = 0.0
        for k in range(n_summed):
            total += values[a + cell * n_summed + k]
        values[out + cell] = total
        largest = max(largest, total)
    return largest


@kernel
def rescaled(values, start, n_cells, largest):
    """Divide a table by its largest value where that is extreme; give the logarithm of the divisor.

    It is NaN where the table is lost.
    """
    if largest == LOST:
        return np.nan
    if SMALL < largest < LARGE or largest == 0.0:
        return 0.0
    for cell in range(start, start + n_cells):
        value = values[cell]
        values[cell] = value / largest
        if value > 0.0 and values[cell] < TINY:
            return np.nan
    return math.log(largest)


@kernel
def _walk(counter, lengths, left, right, a, b):
    """Move both tables on by one step of all axes but the innermost."""
    for axis in range(lengths.size - 2, -1, -1):
        counter[axis] += 1
        a += left[axis]
        b += right[axis]
        if counter[axis] < lengths[axis]:
            break
        a -= left[axis] * lengths[axis]
        b -= right[axis] * lengths[axis]
        counter[axis] = 0
    return a, b

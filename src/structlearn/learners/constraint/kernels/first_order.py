"""Partial correlations given one column at a time."""

import math

from structlearn.compile import kernel


@kernel
def smallest_first_order(correlation, first, end, tolerance, out):
    """Write the smallest |partial correlation| of i and each j given any single other column.

    For rows i from `first` up to `end`. A column that determines i or j explains all of it: 0.
    """
    n = correlation.shape[0]
    for i in range(first, end):
        for j in range(i + 1, n):
            smallest = 1.0
            for k in range(n):
                if k in (i, j):
                    continue
                of_i, of_j = correlation[i, k], correlation[j, k]
                left_of_i, left_of_j = 1.0 - of_i * of_i, 1.0 - of_j * of_j
                if left_of_i <= tolerance or left_of_j <= tolerance:
                    smallest = 0.0
                    break
                joint = correlation[i, j] - of_i * of_j
                smallest = min(smallest, abs(joint) / math.sqrt(left_of_i * left_of_j))
            out[i, j] = smallest
            out[j, i] = smallest

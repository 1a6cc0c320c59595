"""Least squares on a few of many columns."""

import math

import numpy as np

from structlearn.compile import kernel

DEPENDENT = 1e-11  # share of a column that the others leave below which it adds nothing


@kernel
def subset_residual(gram, target, total, members):
    """The sum of squares that least squares on the members leaves; dependent columns add nothing."""
    size = members.shape[0]
    factor, explained, left = np.zeros((size, size)), np.zeros(size), total
    for a in range(size):
        row = members[a]
        for b in range(a + 1):
            entry = gram[row, members[b]]
            for c in range(b):
                entry -= factor[a, c] * factor[b, c]
            if b < a:
                factor[a, b] = entry / factor[b, b] if factor[b, b] > 0.0 else 0.0
            elif entry > DEPENDENT * gram[row, row]:
                factor[a, a] = math.sqrt(entry)
        if factor[a, a] == 0.0:
            continue
        share = target[row]
        for c in range(a):
            share -= factor[a, c] * explained[c]
        explained[a] = share / factor[a, a]
        left -= explained[a] * explained[a]
    return max(left, 0.0)

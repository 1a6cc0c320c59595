"""The best columns of one number for many targets at once."""

import math

import numpy as np

from structlearn.compile import kernel

DEPENDENT = 1e-11  # share of a column that the others leave below which it adds nothing
ROUNDING = 1e-12  # share of a target below which one set is as good as another, and the first one stays


@kernel
def best_of_size(gram, products, totals, size, is_out, is_in, kept, residuals):
    """Fill `kept`, (targets, places, size), with the sets that leave least, and `residuals` beside them.

    All sets of `size` columns are looked at once, in lexical order, each as one column more than another: its
    Cholesky factor and what it explains of every target are extended, never made anew. `is_out` and
    `is_in` are (columns, targets): what a target may not have and what it must. `residuals` come in as
    infinities.
    """
    n_columns, n_targets = gram.shape[0], products.shape[1]
    members = np.zeros(size, dtype=np.int64)
    factor = np.zeros((size, size))
    explained = np.zeros((size, n_targets))
    left = np.zeros((size + 1, n_targets))
    breaches = np.zeros((size + 1, n_targets), dtype=np.int64)
    for target in range(n_targets):
        left[0, target] = totals[target]
        for column in range(n_columns):
            breaches[0, target] += is_in[column, target]
    depth = 0
    members[0] = -1
    while depth >= 0:
        members[depth] += 1
        if members[depth] > n_columns - (size - depth):
            depth -= 1
            continue
        column = members[depth]
        extend(gram, products, members, depth, factor, explained, left)
        for target in range(n_targets):
            breaches[depth + 1, target] = (
                breaches[depth, target] + is_out[column, target] - is_in[column, target]
            )
        if depth < size - 1:
            depth += 1
            members[depth] = column
            continue
        for target in range(n_targets):
            limit = residuals[target, -1] - ROUNDING * totals[target]
            if left[size, target] < limit and breaches[size, target] == 0:
                keep(left[size, target], totals[target], members, kept[target], residuals[target])


@kernel
def extend(gram, products, members, depth, factor, explained, left):
    """Add the last member's row to the factor, and what it explains of every target."""
    row, n_targets = members[depth], products.shape[1]
    for b in range(depth + 1):
        entry = gram[row, members[b]]
        for c in range(b):
            entry -= factor[depth, c] * factor[b, c]
        if b < depth:
            factor[depth, b] = entry / factor[b, b] if factor[b, b] > 0.0 else 0.0
        else:
            factor[depth, depth] = math.sqrt(entry) if entry > DEPENDENT * gram[row, row] else 0.0
    pivot = factor[depth, depth]
    inverse = 1.0 / pivot if pivot > 0.0 else 0.0
    for target in range(n_targets):
        explained[depth, target] = products[row, target]
    for c in range(depth):
        share = factor[depth, c]
        for target in range(n_targets):
            explained[depth, target] -= share * explained[c, target]
    for target in range(n_targets):
        explained[depth, target] *= inverse
        left[depth + 1, target] = left[depth, target] - explained[depth, target] * explained[depth, target]


@kernel
def keep(residual, total, members, kept, residuals):
    """Put a set among the best of a target, in the order of what they leave; the first of equals leads."""
    place = residuals.shape[0] - 1
    while place > 0 and residual < residuals[place - 1] - ROUNDING * total:
        residuals[place] = residuals[place - 1]
        for a in range(members.shape[0]):
            kept[place, a] = kept[place - 1, a]
        place -= 1
    residuals[place] = residual
    for a in range(members.shape[0]):
        kept[place, a] = members[a]

"""Loops of the second-order solver for sparse precision matrices.

Matrices are (p, p), symmetric and row by row. Pairs (i, j) have i <= j and are in order of j;
those of j end before `ends[j]`. Matrices may have half the digits, to be read in half the time.
"""

import numpy as np

from structlearn.compile import dot, kernel

TILE = 32  # two tiles of numbers fit a cache of 32 KiB
COLUMNS_AT_ONCE = 8  # the numbers of one line of cache, read together where a matrix is crossed


@kernel
def free_pairs(covariance, inverse, precision, penalties):
    """The first nodes, and the ends, of the pairs that are not zero or should not be."""
    p = covariance.shape[0]
    rows = np.empty(8 * p, dtype=np.int64)
    ends = np.empty(p, dtype=np.int64)
    n_free = 0
    for j in range(p):
        if n_free + j + 1 > rows.size:
            rows = np.concatenate((rows, np.empty(rows.size + p, dtype=np.int64)))
        for i in range(j + 1):
            excess = abs(covariance[j, i] - inverse[j, i]) - penalties[j, i]
            if precision[j, i] != 0.0 or excess > 0.0:
                rows[n_free] = i
                n_free += 1
        ends[j] = n_free
    return rows[:n_free].copy(), ends


def descend_columns_by_rows(inverse, gradient, penalty, rows, ends, product, start, stop, target):
    """What `descend_columns` does, a row at once; what belongs to pairs and to the diagonal is in lists."""
    begin = int(ends[start - 1]) if start > 0 else 0
    firsts = rows[begin : ends[stop - 1]]
    columns = np.repeat(np.arange(start, stop), np.diff(ends[start:stop], prepend=begin))
    curvatures, variances = inverse[firsts, columns] * inverse[firsts, columns], np.diag(inverse)
    curvatures += np.where(firsts == columns, 0, variances[firsts] * variances[columns])
    pairs = [values[begin : ends[stop - 1]] for values in (gradient, penalty, target)]
    lists = [values.tolist() for values in (firsts, columns, curvatures, *pairs)]
    by_row, by_column = list(inverse), list(product.T)
    met, found = 0.0, lists[-1]
    for at, (i, j, curvature, slope, price, now) in enumerate(zip(*lists, strict=True)):
        least, held = now - (slope + dot(by_row[i], by_column[j])) / curvature, price / curvature
        best = least - held if least > held else least + held if least < -held else 0.0
        move = best - now
        if move != 0.0:
            found[at] = best
            product[i] += move * by_row[j]
            if i != j:
                product[j] += move * by_row[i]
        met += abs(move) * curvature
    target[begin : begin + len(found)] = found
    return met


@kernel(instead=descend_columns_by_rows)
def descend_columns(inverse, gradient, penalty, rows, ends, product, start, stop, target):
    """Move `target` towards the minimum of the second-order model, one free pair after the other.

    Those of the columns from `start`, where eight begin that are copied together, up to `stop`. `gradient`,
    `penalty` and `target` belong to the free pairs. `product` is the step so far, as a matrix, times
    `inverse`. A pair costs O(p). Returns how much of the slopes it met.
    """
    columns = np.empty((COLUMNS_AT_ONCE, inverse.shape[0]), dtype=inverse.dtype)
    moves = np.empty(1, dtype=inverse.dtype)  # a move in the precision of the matrices
    met = 0.0
    at = ends[start - 1] if start > 0 else 0
    for j in range(start, stop):
        if j % COLUMNS_AT_ONCE == 0:
            _copy_columns(product, j, columns)
        while at < ends[j]:
            i = rows[at]
            curvature = inverse[i, j] * inverse[i, j]
            if i != j:
                curvature += inverse[i, i] * inverse[j, j]
            slope = gradient[at] + dot(inverse[i], columns[j % COLUMNS_AT_ONCE])
            best = _shrunken(target[at] - slope / curvature, penalty[at] / curvature)
            move = best - target[at]
            if move != 0.0:
                target[at] = best
                moves[0] = move
                _follow(inverse, product, columns, i, j, moves[0])
            met += abs(move) * curvature
            at += 1
    return met


def curve_by_rows(inverse, rows, ends, direction, product, out):
    """What `curve` does, a row at once."""
    columns = np.repeat(np.arange(len(inverse)), np.diff(ends, prepend=0))
    product[:] = 0.0
    moves = direction.astype(inverse.dtype)
    for at, (i, j) in enumerate(zip(rows, columns, strict=True)):
        product[i] += moves[at] * inverse[j]
        if i != j:
            product[j] += moves[at] * inverse[i]
    by_column = product.T.copy()
    for at, (i, j) in enumerate(zip(rows, columns, strict=True)):
        out[at] = dot(inverse[i], by_column[j])


@kernel(instead=curve_by_rows)
def curve(inverse, rows, ends, direction, product, out):
    """Write into `out` the change of slope of each pair along `direction`; `product` is scratch."""
    p = inverse.shape[0]
    product[:] = 0.0
    columns = np.empty((COLUMNS_AT_ONCE, p), dtype=inverse.dtype)
    moves = direction.astype(inverse.dtype)
    at = 0
    for j in range(p):
        while at < ends[j]:
            i = rows[at]
            for k in range(p):
                product[i, k] += moves[at] * inverse[j, k]
            if i != j:
                for k in range(p):
                    product[j, k] += moves[at] * inverse[i, k]
            at += 1
    at = 0
    for j in range(p):
        if j % COLUMNS_AT_ONCE == 0:
            _copy_columns(product, j, columns)
        while at < ends[j]:
            out[at] = dot(inverse[rows[at]], columns[j % COLUMNS_AT_ONCE])
            at += 1


@kernel
def _copy_columns(product, first, columns):
    """Copy the columns from `first` on: as many as share cache lines, or memory would be read again."""
    last = min(first + COLUMNS_AT_ONCE, product.shape[0])
    for k in range(product.shape[0]):
        for c in range(first, last):
            columns[c - first, k] = product[k, c]


@kernel
def _follow(inverse, product, columns, i, j, move):
    """Keep `product` and the copied columns, those around j, in step with a move of the pair (i, j)."""
    p = inverse.shape[0]
    first = j - j % COLUMNS_AT_ONCE
    for c in range(first, min(first + COLUMNS_AT_ONCE, p)):
        columns[c - first, i] += move * inverse[j, c]
        if i != j:
            columns[c - first, j] += move * inverse[i, c]
    for k in range(p):
        product[i, k] += move * inverse[j, k]
    if i != j:
        for k in range(p):
            product[j, k] += move * inverse[i, k]


@kernel
def _shrunken(value, by):
    if value > by:
        return value - by
    if value < -by:
        return value + by
    return 0.0


@kernel
def mirror(matrix):
    """Copy what is below the diagonal to above it, tile by tile."""
    p = matrix.shape[0]
    for top in range(0, p, TILE):
        for left in range(0, top + 1, TILE):
            for i in range(top, min(top + TILE, p)):
                for j in range(left, min(left + TILE, i)):
                    matrix[j, i] = matrix[i, j]

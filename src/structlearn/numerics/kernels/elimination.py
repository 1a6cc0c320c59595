"""Loops that eliminate the columns of a sparse symmetric matrix that few others are joined with."""

import numpy as np

from structlearn.compile import kernel

# A column that is eliminated takes a row of the inverse for each neighbour, one that is left three squares of
# how many are left. A number of the former takes as long as some of the latter, which stay in the cache:
# with 3 to 20 in all, times differed by a tenth.
COSTS = 6


@kernel
def eliminate(matrix, degrees):
    """Eliminate columns from `matrix`, in place, that of the fewest neighbours first, while that pays.

    `degrees` are the numbers of neighbours, and follow. Returns, of each eliminated column, its number, where
    its neighbours end, these, what of it each is given a share of, and its pivot. One that is not above zero
    is the last. At least one column is left.
    """
    p = matrix.shape[0]
    is_left = np.ones(p, dtype=np.bool_)
    order, ends, pivots = np.empty(p, dtype=np.int64), np.empty(p, dtype=np.int64), np.empty(p)
    neighbors, shares = np.empty(8 * p, dtype=np.int64), np.empty(8 * p)
    n_gone, stop = 0, 0
    while n_gone < p - 1:
        j = -1
        for k in range(p):
            if is_left[k] and (j < 0 or degrees[k] < degrees[j]):
                j = k
        n_left = p - n_gone
        if COSTS * degrees[j] * p > n_left * n_left:
            break
        order[n_gone], pivots[n_gone], ends[n_gone] = j, matrix[j, j], stop
        is_left[j] = False
        n_gone += 1
        if not matrix[j, j] > 0.0:
            break
        if stop + degrees[j] > neighbors.size:
            neighbors = np.concatenate((neighbors, np.empty(neighbors.size + p, dtype=np.int64)))
            shares = np.concatenate((shares, np.empty(shares.size + p)))
        start = stop
        for k in range(p):
            if is_left[k] and matrix[j, k] != 0.0:
                neighbors[stop] = k
                shares[stop] = matrix[j, k] / matrix[j, j]
                stop += 1
        ends[n_gone - 1] = stop
        _join(matrix, degrees, j, neighbors[start:stop], shares[start:stop])
    return (
        order[:n_gone].copy(),
        ends[:n_gone].copy(),
        neighbors[:stop].copy(),
        shares[:stop].copy(),
        pivots[:n_gone].copy(),
    )


@kernel
def _join(matrix, degrees, j, neighbors, shares):
    """Take what column j explains from the entries of its neighbours, who thereby become joined."""
    for one in range(neighbors.size):
        a = neighbors[one]
        degrees[a] -= 1
        for other in range(neighbors.size):
            b = neighbors[other]
            degrees[a] += matrix[a, b] == 0.0
            matrix[a, b] -= shares[one] * matrix[j, b]


@kernel
def fill_inverse(order, ends, neighbors, shares, pivots, inverse):
    """Complete `inverse`, that of the columns left and zeros elsewhere; the last eliminated comes first."""
    p = inverse.shape[0]
    row = np.empty(p)
    for at in range(order.size - 1, -1, -1):
        j = order[at]
        start = ends[at - 1] if at > 0 else 0
        row[:] = 0.0
        for one in range(start, ends[at]):
            share, other = shares[one], inverse[neighbors[one]]
            for k in range(p):
                row[k] -= share * other[k]
        variance = 1.0 / pivots[at]
        for one in range(start, ends[at]):
            variance -= shares[one] * row[neighbors[one]]
        row[j] = variance
        inverse[j] = row
        inverse[:, j] = row

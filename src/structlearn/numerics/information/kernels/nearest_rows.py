"""Mutual information of pairs of columns by the distances to nearest neighbours.

`ordered` is (p, n + 2 · STRIDE): the values of each column from the smallest on, between infinite ones, which
end every search. `order` is (p, n), the rows in this order, and `places` (p, n) where in `ordered` each row
stands. `digammas[k]` is ψ(k).
"""

import math

import numpy as np

from structlearn.compile import kernel

STRIDE = 8  # of 500 rows some 20 are near on either side: as many steps by eight as single ones after them


@kernel
def n_nearer(ordered, place, distance):
    """How many of some ordered values are nearer than `distance` to the one at `place`, without it."""
    value = ordered[place]
    first, last = place, place
    while ordered[last + STRIDE] - value < distance:
        last += STRIDE
    while ordered[last + 1] - value < distance:
        last += 1
    while value - ordered[first - STRIDE] < distance:
        first -= STRIDE
    while value - ordered[first - 1] < distance:
        first -= 1
    return last - first


@kernel
def distance_to_neighbor(x, y, place, nearest):
    """The distance, the larger of the two along x and y, to the neighbour that `nearest` has room for.

    x is ordered: the search goes to one side and then to the other, and ends where x alone is too far.
    """
    last = nearest.size - 1
    nearest[:] = math.inf
    farthest = math.inf
    for step in (1, -1):
        other = place + step
        along_x = abs(x[other] - x[place])
        while along_x < farthest:
            along_y = abs(y[other] - y[place])
            if along_y < farthest:
                distance = max(along_x, along_y)
                slot = last
                while slot > 0 and nearest[slot - 1] > distance:
                    nearest[slot] = nearest[slot - 1]
                    slot -= 1
                nearest[slot] = distance
                farthest = nearest[last]
            other += step
            along_x = abs(x[other] - x[place])
    return farthest


@kernel
def fill_nearest(order, places, ordered, n_neighbors, digammas, start, end, out):
    """Write the information of the columns of a block with themselves and all behind them."""
    n_columns, n_rows = order.shape
    y = np.empty(n_rows + 2 * STRIDE)
    nearest = np.empty(n_neighbors)
    for i in range(start, end):
        x = ordered[i]
        for j in range(i, n_columns):
            for place in range(n_rows):
                y[place + STRIDE] = ordered[j, places[j, order[i, place]]]
            total = 0.0
            for place in range(n_rows):
                distance = distance_to_neighbor(x, y, place + STRIDE, nearest)
                total += digammas[n_nearer(x, place + STRIDE, distance) + 1]
                total += digammas[n_nearer(ordered[j], places[j, order[i, place]], distance) + 1]
            out[i, j] = digammas[n_neighbors] + digammas[n_rows] - total / n_rows

"""Mutual information of pairs of columns by the distances to nearest neighbours.

`values` is (p, n), `order` (p, n) the rows of each column from the smallest value on and `ordered` (p, n)
the values in this order. `digammas[k]` is ψ(k).
"""

import numpy as np

from structlearn.compile import kernel


@kernel
def n_nearer(ordered, value, distance):
    """How many of some ordered values are nearer than `distance` to one of them, without it."""
    low, high = 0, ordered.size
    while low < high:
        middle = (low + high) // 2
        if value - ordered[middle] < distance:
            high = middle
        else:
            low = middle + 1
    first = low
    high = ordered.size
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] - value < distance:
            low = middle + 1
        else:
            high = middle
    return max(low - first - 1, 0)


@kernel
def distance_to_neighbor(x, y, place, nearest):
    """The distance, the larger of the two along x and y, to the neighbour that `nearest` has room for.

    x is ordered: the search goes outwards from `place` and ends where x alone is too far.
    """
    n_rows, k = x.size, nearest.size
    n_found = 0
    left, right = place - 1, place + 1
    while left >= 0 or right < n_rows:
        if right >= n_rows or (left >= 0 and x[place] - x[left] <= x[right] - x[place]):
            other = left
            along_x = x[place] - x[left]
            left -= 1
        else:
            other = right
            along_x = x[right] - x[place]
            right += 1
        if n_found == k and along_x >= nearest[k - 1]:
            break
        distance = max(along_x, abs(y[other] - y[place]))
        if n_found < k:
            n_found += 1
        elif distance >= nearest[k - 1]:
            continue
        slot = n_found - 1
        while slot > 0 and nearest[slot - 1] > distance:
            nearest[slot] = nearest[slot - 1]
            slot -= 1
        nearest[slot] = distance
    return nearest[k - 1]


@kernel
def fill_nearest(values, order, ordered, n_neighbors, digammas, start, end, out):
    """Write the information of the columns of a block with themselves and all behind them."""
    n_columns, n_rows = values.shape
    y = np.empty(n_rows)
    nearest = np.empty(n_neighbors)
    for i in range(start, end):
        x = ordered[i]
        for j in range(i, n_columns):
            for place in range(n_rows):
                y[place] = values[j, order[i, place]]
            total = 0.0
            for place in range(n_rows):
                distance = distance_to_neighbor(x, y, place, nearest)
                total += digammas[n_nearer(x, x[place], distance) + 1]
                total += digammas[n_nearer(ordered[j], y[place], distance) + 1]
            out[i, j] = digammas[n_neighbors] + digammas[n_rows] - total / n_rows

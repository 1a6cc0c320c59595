"""Orders of elimination: which variable to sum out next.

Variables are numbered 0 … m-1; `neighbors` is (m, words) of bits: who shares a factor with each.
"""

import numpy as np

from structlearn.compile import count_bits, kernel

LEAST_FILL, LEAST_WEIGHT = 0, 1
EASY = 4096.0  # cells in all: below, a second order is not worth its time


@kernel
def interaction_bits(starts, axes, m):
    """Join the variables of each factor, `axes[starts[f] : starts[f + 1]]`."""
    neighbors = np.zeros((m, (m + 63) // 64), dtype=np.uint64)
    one = np.uint64(1)
    for f in range(starts.size - 1):
        for i in range(starts[f], starts[f + 1]):
            for j in range(starts[f], starts[f + 1]):
                if axes[i] != axes[j]:
                    neighbors[axes[i], axes[j] >> 6] |= one << np.uint64(axes[j] & 63)
    return neighbors


@kernel
def best_order(neighbors, sizes, kept):
    """Order the variables that are not kept, by the better of two greedy rules.

    Gives the order, the cells of the largest product, those of all products, and the width: one less
    than the variables of the largest product.
    """
    # As plain integers the two rules share one compilation.
    by_fill = greedy_order(neighbors.copy(), sizes, kept, np.int64(LEAST_FILL))
    if by_fill[2] <= EASY:
        return by_fill
    by_weight = greedy_order(neighbors.copy(), sizes, kept, np.int64(LEAST_WEIGHT))
    return by_weight if by_weight[2] < by_fill[2] else by_fill


@kernel
def greedy_order(neighbors, sizes, kept, rule):
    """Take the variable of least fill (or weight), then of least weight (or fill), then the first."""
    m, n_left = sizes.size, 0
    left = np.zeros(m, dtype=np.bool_)
    fill = np.empty(m, dtype=np.float64)
    weight = np.empty(m, dtype=np.float64)
    for v in range(m):
        if not kept[v]:
            left[v] = True
            n_left += 1
            fill[v], weight[v] = _costs(neighbors, sizes, v)
    order = np.empty(n_left, dtype=np.int64)
    largest, total, width = 1.0, 0.0, 0
    for step in range(n_left):
        first, second = (fill, weight) if rule == LEAST_FILL else (weight, fill)
        best = -1
        for v in range(m):
            if left[v] and (
                best < 0 or first[v] < first[best] or (first[v] == first[best] and second[v] < second[best])
            ):
                best = v
        order[step] = best
        left[best] = False
        total += weight[best]
        largest = max(largest, weight[best])
        width = max(width, _count(neighbors[best]))
        _eliminate(neighbors, sizes, best, left, fill, weight)
    return order, largest, total, width


@kernel
def _count(bits):
    n = 0
    for word in bits:
        n += int(count_bits(word))
    return n


@kernel
def _costs(neighbors, sizes, v):
    """The pairs of neighbours that are not joined, and the cells of the product when v goes."""
    one, missing, weight = np.uint64(1), 0, float(sizes[v])
    for word in range(neighbors.shape[1]):
        bits = neighbors[v, word]
        while bits:
            lowest = bits & (~bits + one)
            u = 64 * word + int(count_bits(lowest - one))
            bits ^= lowest
            weight *= sizes[u]
            for other in range(neighbors.shape[1]):
                missing += int(count_bits(neighbors[v, other] & ~neighbors[u, other]))
            missing -= 1
    return missing / 2.0, weight


@kernel
def _eliminate(neighbors, sizes, v, left, fill, weight):
    """Join the neighbours of v, take v out, and renew the costs of all that this concerns."""
    n_words = neighbors.shape[1]
    one = np.uint64(1)
    around = neighbors[v].copy()
    concerned = around.copy()
    for word in range(n_words):
        bits = around[word]
        while bits:
            lowest = bits & (~bits + one)
            u = 64 * word + int(count_bits(lowest - one))
            bits ^= lowest
            for other in range(n_words):
                neighbors[u, other] |= around[other]
            neighbors[u, word] &= ~lowest
            neighbors[u, v >> 6] &= ~(one << np.uint64(v & 63))
            for other in range(n_words):
                concerned[other] |= neighbors[u, other]
    for word in range(n_words):
        bits = concerned[word]
        while bits:
            lowest = bits & (~bits + one)
            u = 64 * word + int(count_bits(lowest - one))
            bits ^= lowest
            if left[u]:
                fill[u], weight[u] = _costs(neighbors, sizes, u)

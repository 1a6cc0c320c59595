"""The data processing inequality on every triangle, in tiles as matrices are multiplied."""

from functools import cache

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def strong(information, threshold, is_regulator, i, j):
    """The information of a pair that has enough and a regulator; otherwise 0."""
    value = information[i, j]
    if i == j or value <= threshold or value <= 0.0:
        return 0.0
    return value if is_regulator[i] or is_regulator[j] else 0.0


@cuda.jit
def count_strong(information, threshold, is_regulator, n_strong):
    """Count for each node those behind it that it has enough information with; the matrix is symmetric."""
    i = cuda.grid(1)
    if i < n_strong.size:
        n_found = 0
        for j in range(i + 1, n_strong.size):
            if strong(information, threshold, is_regulator, j, i) > 0.0:
                n_found += 1
        n_strong[i] = n_found


@cuda.jit
def write_strong(information, threshold, is_regulator, starts, others, values):
    """Write for each node those that `count_strong` counted, from its start on, and their information."""
    i = cuda.grid(1)
    if i < information.shape[0]:
        at = starts[i]
        for j in range(i + 1, information.shape[0]):
            value = strong(information, threshold, is_regulator, j, i)
            if value > 0.0:
                others[at], values[at] = j, value
                at += 1


@cuda.jit
def gather(matrix, pairs, out):
    """Look up the cells of a matrix."""
    at = cuda.grid(1)
    if at < out.size:
        out[at] = matrix[pairs[at, 0], pairs[at, 1]]


@cuda.jit(device=True)
def strong_with(information, threshold, is_regulator, order, place, k):
    """What the node at a place has in common with k, if k can mediate."""
    if k >= is_regulator.size or place >= is_regulator.size or not is_regulator[k]:
        return 0.0
    return strong(information, threshold, is_regulator, order[place], k)


@cache
def mediator_kernel(n_side, n_each, n_depth):
    """The kernel for blocks of `n_side`² threads that have `n_each`² pairs each, `n_depth` nodes at once."""
    tile = n_side * n_each
    width = tile + 1  # so that threads write into different banks

    @cuda.jit
    def fill(information, threshold, is_regulator, order, factor, difference, mediators):
        """Write for each pair the node that it is indirect through, or -1.

        `order` has the nodes with fewer neighbours first. Of the nodes that make a pair indirect, the one
        that has most in common with its earlier end is written, the lowest of several.
        """
        early = cuda.shared.array((n_depth, width), np.float64)
        late = cuda.shared.array((n_depth, width), np.float64)
        best = cuda.local.array((n_each, n_each), np.float64)
        own = cuda.local.array((n_each, n_each), np.float64)
        through = cuda.local.array((n_each, n_each), np.int32)
        n_nodes = information.shape[0]
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        if cuda.blockIdx.x < cuda.blockIdx.y:
            return
        a_first, b_first = cuda.blockIdx.y * tile, cuda.blockIdx.x * tile
        n_edges = 0
        for u in range(n_each):
            for v in range(n_each):
                a, b = a_first + y + u * n_side, b_first + x + v * n_side
                own[u, v], through[u, v] = np.inf, -1
                if a < b < n_nodes:
                    value = strong(information, threshold, is_regulator, order[a], order[b])
                    if value > 0.0:
                        own[u, v] = value
                        n_edges += 1
                best[u, v] = own[u, v]
        n_asked = n_nodes if cuda.syncthreads_or(np.int32(n_edges)) else 0
        for first in range(0, n_asked, n_depth):
            cuda.syncthreads()
            for place in range(y * n_side + x, tile * n_depth, n_side * n_side):
                k, row = first + place % n_depth, place // n_depth
                value = strong_with(information, threshold, is_regulator, order, a_first + row, k)
                early[place % n_depth, row] = value * factor - difference
                value = strong_with(information, threshold, is_regulator, order, b_first + row, k)
                late[place % n_depth, row] = value * factor - difference
            cuda.syncthreads()
            for depth in range(n_depth):
                for u in range(n_each):
                    for v in range(n_each):
                        with_a = early[depth, y + u * n_side]
                        if with_a > best[u, v] and late[depth, x + v * n_side] > own[u, v]:
                            best[u, v], through[u, v] = with_a, first + depth
        for u in range(n_each):
            for v in range(n_each):
                a, b = a_first + y + u * n_side, b_first + x + v * n_side
                if a < b < n_nodes:
                    mediators[min(order[a], order[b]), max(order[a], order[b])] = through[u, v]

    return fill

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
def count_strong(information, threshold, is_regulator, before, n_strong):
    """Count for each node those that it has enough information with; the matrix is symmetric.

    Those before it are counted as well, or only those behind it.
    """
    i = cuda.grid(1)
    if i < n_strong.size:
        n_found = 0
        for j in range(0 if before else i + 1, n_strong.size):
            if strong(information, threshold, is_regulator, j, i) > 0.0:
                n_found += 1
        n_strong[i] = n_found


@cuda.jit
def write_strong(information, threshold, is_regulator, before, starts, others, values):
    """Write for each node those that `count_strong` counted, from its start on, and their information."""
    i = cuda.grid(1)
    if i < information.shape[0]:
        at = starts[i]
        for j in range(0 if before else i + 1, information.shape[0]):
            value = strong(information, threshold, is_regulator, j, i)
            if value > 0.0:
                others[at], values[at] = j, value
                at += 1


@cuda.jit
def mediators_by_lists(
    information, is_regulator, factor, difference, starts, others, values, place, pairs, own, mediators
):
    """Write for each pair the node that it is indirect through, or -1, as `mediator_kernel` has it.

    `starts` says where the list of each node starts in `others`, its neighbours in order, and in `values`,
    their information. Only those of the end that has the earlier place are looked at.
    """
    at = cuda.grid(1)
    if at < mediators.size:
        early, late = pairs[at, 0], pairs[at, 1]
        if place[late] < place[early]:
            early, late = late, early
        best, through = own[at], -1
        for i in range(starts[early], starts[early + 1]):
            k = others[i]
            with_early = values[i] * factor - difference
            may_be = with_early > best and k != late and is_regulator[k]
            if may_be and information[k, late] * factor - difference > own[at]:
                best, through = with_early, k
        mediators[at] = through


@cuda.jit
def gather(matrix, pairs, out):
    """Look up the cells of a matrix."""
    at = cuda.grid(1)
    if at < out.size:
        out[at] = matrix[pairs[at, 0], pairs[at, 1]]


@cuda.jit(device=True)
def enough(information, threshold, node, k):
    """What a node has in common with k, or 0 where that is too little."""
    if node < 0 or node == k or information[node, k] <= max(threshold, 0.0):
        return 0.0
    return information[node, k]


@cuda.jit(device=True)
def node_at(order, place):
    """The node at a place of an order, -1 beyond its end."""
    return order[place] if place < order.size else -1


@cuda.jit(device=True)
def own_of(information, threshold, is_regulator, order, a, b):
    """The information of a pair of places that is an edge; infinite where it is none."""
    if a < b < order.size:
        value = strong(information, threshold, is_regulator, order[a], order[b])
        if value > 0.0:
            return value
    return np.inf


@cuda.jit(device=True)
def write_mediator(mediators, order, a, b, through):
    """Write the mediator of a pair of places."""
    if a < b < order.size:
        mediators[min(order[a], order[b]), max(order[a], order[b])] = through


@cache
def mediator_kernel(side):
    """The kernel for blocks of `side`² threads that have two by two pairs each; as many nodes at once.

    What a thread keeps of its pairs has names of its own: arrays would be in slow memory.
    """
    tile = 2 * side
    width = tile + 1  # so that threads write into different banks

    @cuda.jit
    def fill(information, threshold, is_regulator, order, factor, difference, mediators):
        """Write for each pair the node that it is indirect through, or -1.

        `order` has the nodes with fewer neighbours first. Of the nodes that make a pair indirect, the one
        that has most in common with its earlier end is written, the lowest of several.
        """
        early = cuda.shared.array((side, width), np.float64)
        late = cuda.shared.array((side, width), np.float64)
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        if cuda.blockIdx.x < cuda.blockIdx.y:
            return
        a_first, b_first = cuda.blockIdx.y * tile, cuda.blockIdx.x * tile
        a, b = a_first + y, b_first + x
        own = own_of(information, threshold, is_regulator, order, a, b)
        own_right = own_of(information, threshold, is_regulator, order, a, b + side)
        own_below = own_of(information, threshold, is_regulator, order, a + side, b)
        own_last = own_of(information, threshold, is_regulator, order, a + side, b + side)
        best, best_right, best_below, best_last = own, own_right, own_below, own_last
        through = through_right = through_below = through_last = -1
        is_edge = own < np.inf or own_right < np.inf or own_below < np.inf or own_last < np.inf
        n_asked = order.size if cuda.syncthreads_or(np.int32(is_edge)) else 0
        early_node, early_far = node_at(order, a_first + y), node_at(order, a_first + y + side)
        late_node, late_far = node_at(order, b_first + y), node_at(order, b_first + y + side)
        for first in range(0, n_asked, side):
            cuda.syncthreads()
            k = first + x
            if k < order.size and is_regulator[k]:
                early[x, y] = enough(information, threshold, early_node, k) * factor - difference
                early[x, y + side] = enough(information, threshold, early_far, k) * factor - difference
                late[x, y] = enough(information, threshold, late_node, k) * factor - difference
                late[x, y + side] = enough(information, threshold, late_far, k) * factor - difference
            else:
                early[x, y] = early[x, y + side] = late[x, y] = late[x, y + side] = -1.0
            cuda.syncthreads()
            for depth in range(side):
                with_a, with_far = early[depth, y], early[depth, y + side]
                with_b, with_next = late[depth, x], late[depth, x + side]
                if with_a > best and with_b > own:
                    best, through = with_a, first + depth
                if with_a > best_right and with_next > own_right:
                    best_right, through_right = with_a, first + depth
                if with_far > best_below and with_b > own_below:
                    best_below, through_below = with_far, first + depth
                if with_far > best_last and with_next > own_last:
                    best_last, through_last = with_far, first + depth
        write_mediator(mediators, order, a, b, through)
        write_mediator(mediators, order, a, b + side, through_right)
        write_mediator(mediators, order, a + side, b, through_below)
        write_mediator(mediators, order, a + side, b + side, through_last)

    return fill

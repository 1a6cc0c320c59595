"""Partial correlations of pairs given sets of neighbours, a block of threads for each pair.

Products are rounded before they are added, as processors do: then no digit differs.
"""

import math
from functools import cache

import numpy as np
from numba import config, cuda

if config.ENABLE_CUDASIM:

    def product(a, b):
        """The product."""
        return a * b

else:
    from numba.cuda import libdevice

    @cuda.jit(device=True)
    def product(a, b):
        """The product, never fused with a sum."""
        return libdevice.dmul_rn(a, b)


@cuda.jit(device=True)
def correlation_of(correlation, i, j, tolerance):
    """The correlation of two columns; the own ones of columns are 1 but for rounding, or 0 of constants."""
    i_left, j_left = correlation[i, i], correlation[j, j]
    if i_left > tolerance and j_left > tolerance:
        return correlation[j, i] / math.sqrt(product(i_left, j_left))
    return 0.0


@cuda.jit
def count_dependent(correlation, limit, tolerance, n_dependent):
    """Count for each node those behind it whose correlation is beyond the limit.

    Threads that follow each other read numbers that do: the matrix is symmetric.
    """
    i = cuda.grid(1)
    if i < n_dependent.size:
        n_found = 0
        for j in range(i + 1, correlation.shape[0]):
            if abs(correlation_of(correlation, i, j, tolerance)) > limit:
                n_found += 1
        n_dependent[i] = n_found


@cuda.jit
def write_dependent(correlation, limit, tolerance, starts, others, values):
    """Write for each node those that `count_dependent` counted, from its start on, and their correlations."""
    i = cuda.grid(1)
    if i < correlation.shape[0]:
        at = starts[i]
        for j in range(i + 1, correlation.shape[0]):
            value = correlation_of(correlation, i, j, tolerance)
            if abs(value) > limit:
                others[at], values[at] = j, value
                at += 1


@cuda.jit(device=True)
def place_of(nodes, start, end, node):
    """Where a node is, or would be, in a sorted list from `start` to `end`."""
    low, high = start, end
    while low < high:
        middle = (low + high) // 2
        if nodes[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low


@cuda.jit(device=True)
def is_listed(nodes, start, end, node):
    """Whether a node is in a sorted list from `start` to `end`."""
    at = place_of(nodes, start, end, node)
    return at < end and nodes[at] == node


@cuda.jit(device=True)
def choices(nodes, start, end, node):
    """Where a node is in a sorted list, counted from its start, and how many others there are."""
    if is_listed(nodes, start, end, node):
        return place_of(nodes, start, end, node) - start, end - start - 1
    return end - start, end - start


@cache
def partial_correlation(size):
    """The function that gives the correlation of x and y given so many columns; 0 where they determine one.

    `independence/kernels/correlations.py` is the twin.
    """

    @cuda.jit(device=True)
    def correlation_given(correlation, x, y, given, factor, loads, tolerance):
        joint, x_left, y_left = correlation[x, y], correlation[x, x], correlation[y, y]
        for a in range(size):
            left = correlation[given[a], given[a]]
            x_part, y_part = correlation[x, given[a]], correlation[y, given[a]]
            for b in range(a):
                part = correlation[given[a], given[b]]
                for c in range(b):
                    part -= product(factor[a, c], factor[b, c])
                factor[a, b] = product(part, factor[b, b])
                left -= product(factor[a, b], factor[a, b])
                x_part -= product(factor[a, b], loads[0, b])
                y_part -= product(factor[a, b], loads[1, b])
            factor[a, a] = 1.0 / math.sqrt(left) if left > tolerance else 0.0
            loads[0, a] = product(x_part, factor[a, a])
            loads[1, a] = product(y_part, factor[a, a])
            joint -= product(loads[0, a], loads[1, a])
            x_left -= product(loads[0, a], loads[0, a])
            y_left -= product(loads[1, a], loads[1, a])
        if x_left > tolerance and y_left > tolerance:
            return joint / math.sqrt(product(x_left, y_left))
        return 0.0

    return correlation_given


@cache
def skip_subsets(size):
    """The function that moves on by some subsets of 0 … n_choices - 1, in lexicographic order."""

    @cuda.jit(device=True)
    def skip(places, n_choices, n_skipped):
        """Move on; False where there are not so many left."""
        left = n_skipped
        while True:
            room = n_choices - 1 - places[size - 1]
            if left <= room:
                places[size - 1] += left
                return True
            left -= room + 1
            c = size - 2
            while c >= 0 and places[c] == n_choices - size + c:
                c -= 1
            if c < 0:
                return False
            places[c] += 1
            for d in range(c + 1, size):
                places[d] = places[d - 1] + 1

    return skip


@cache
def choosing(size):
    """The function that looks up the members of a subset."""

    @cuda.jit(device=True)
    def choose(places, nodes, start, gap, chosen, known_start, known_end):
        """Write the nodes at places of a list that leaves out the one at `gap`.

        Says whether one of them is not in the sorted list from `known_start` to `known_end`.
        """
        is_new = False
        for c in range(size):
            chosen[c] = nodes[start + places[c] + (1 if places[c] >= gap else 0)]
            is_new = is_new or not is_listed(nodes, known_start, known_end, chosen[c])
        return is_new

    return choose


@cache
def separating_kernel(size, n_threads):
    """The kernel for sets of this size; sizes of arrays are known when it is compiled."""
    correlation_given, skip, choose = partial_correlation(size), skip_subsets(size), choosing(size)

    @cuda.jit
    def separate(correlation, pairs, starts, nodes, limit, tolerance, n_tests, given, rho):
        """Find the first set that makes the pair's correlation as small as the limit.

        Sets come in the order of `independence/kernels/subsets.py`: neighbours of the first end, then
        those of the second, without those that were asked before. `n_tests` is how many were asked up to
        the first that separates, negative where none does; `rho` is its correlation, or the least of all.
        """
        first = cuda.shared.array(1, np.int32)
        smallest = cuda.shared.array(1, np.float64)
        places = cuda.local.array(size, np.int32)
        chosen = cuda.local.array(size, np.int32)
        factor = cuda.local.array((size, size), np.float64)
        loads = cuda.local.array((2, size), np.float64)
        thread, pair = cuda.threadIdx.x, cuda.blockIdx.x
        x, y = pairs[pair, 0], pairs[pair, 1]
        if thread == 0:
            first[0], smallest[0] = n_threads, 2.0
        cuda.syncthreads()
        n_asked, least, found = 0, 2.0, 2.0
        for side in range(2):
            end, other = (x, y) if side == 0 else (y, x)
            start = starts[end]
            gap, n_choices = choices(nodes, start, starts[end + 1], other)
            for c in range(size):
                places[c] = c
            is_left = size <= n_choices and skip(places, n_choices, thread)
            while cuda.syncthreads_or(np.int32(is_left)):
                # Of the first end's neighbours all are new, of the second's those that are not the first's.
                known = starts[x + side]
                is_new = is_left and choose(places, nodes, start, gap, chosen, starts[x], known)
                if is_new:
                    found = correlation_given(correlation, x, y, chosen, factor, loads, tolerance)
                    if abs(found) <= limit:
                        cuda.atomic.min(first, 0, thread)
                    least = min(least, abs(found))
                n_new = cuda.syncthreads_count(np.int32(is_new))
                winner = first[0]
                if winner < n_threads:
                    n_asked += cuda.syncthreads_count(np.int32(is_new and thread <= winner))
                    if thread == winner:
                        n_tests[pair], rho[pair] = n_asked, found
                        for c in range(size):
                            given[pair, c] = chosen[c]
                    return
                n_asked += n_new
                is_left = is_left and skip(places, n_choices, n_threads)
        cuda.atomic.min(smallest, 0, least)
        cuda.syncthreads()
        if thread == 0:
            n_tests[pair], rho[pair] = -n_asked, smallest[0]

    return separate

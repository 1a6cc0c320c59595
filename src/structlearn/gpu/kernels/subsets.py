"""Best totals over all subsets of the nodes, a block of threads for each set of upper nodes."""

from functools import cache

import numpy as np
from numba import cuda

NONE = np.uint32(0xFFFFFFFF)  # the place of a family that there is not


@cuda.jit
def gather(totals, places, found):
    """Copy the totals at some places, a thread for each."""
    i = cuda.grid(1)
    if i < places.size:
        found[i] = totals[places[i]]


@cache
def places_of_best(n_threads):
    """The function that all threads of a block call for one table."""

    @cuda.jit(device=True)
    def fill_places(table, length, start, end, lows, highs, outside):
        """Put the place of the best family of each set of lower nodes into the table, none `outside`."""
        for i in range(cuda.threadIdx.x, length, n_threads):
            table[i] = NONE
        cuda.syncthreads()
        for i in range(start + cuda.threadIdx.x, end, n_threads):
            if highs[i] & outside == 0:
                cuda.atomic.min(table, lows[i], np.uint32(i - start))
        cuda.syncthreads()
        bit = 1
        while bit < length:
            for i in range(cuda.threadIdx.x, length, n_threads):
                if i & bit:
                    table[i] = min(table[i], table[i ^ bit])
            cuda.syncthreads()
            bit <<= 1

    return fill_places


@cache
def subset_kernel(n_low, n_threads):
    """The kernel for tables of this size; sizes of shared arrays are known when it is compiled."""
    size, half = 1 << n_low, max(1 << n_low >> 1, 1)
    n_tables = max(n_low, 1)
    fill_places = places_of_best(n_threads)

    @cuda.jit
    def fill(blocks, n_nodes, starts, lows, highs, gains, totals):
        """Fill the totals of one set of upper nodes with all sets of lower ones."""
        best = cuda.shared.array(size, np.float64)
        table = cuda.shared.array(size, np.uint32)
        tables = cuda.shared.array((n_tables, half), np.uint32)
        block = blocks[cuda.blockIdx.x]
        here = block << n_low
        for low in range(cuda.threadIdx.x, size, n_threads):
            best[low] = 0.0 if here + low == 0 else -np.inf
        for node in range(n_low, n_nodes):
            bit = np.int64(1) << (node - n_low)
            if block & bit:
                start = starts[node]
                fill_places(table, size, start, starts[node + 1], lows, highs, ~np.int32(block ^ bit))
                for low in range(cuda.threadIdx.x, size, n_threads):
                    place = table[low]
                    if place != NONE:
                        value = totals[((block ^ bit) << n_low) + low] + gains[start + place]
                        best[low] = max(best[low], value)
                cuda.syncthreads()
        for node in range(n_low):
            fill_places(tables[node], half, starts[node], starts[node + 1], lows, highs, ~np.int32(block))
        for n_members in range(1, n_low + 1):
            for low in range(cuda.threadIdx.x, size, n_threads):
                if cuda.popc(np.uint32(low)) == n_members:
                    value = best[low]
                    for node in range(n_low):
                        bit = 1 << node
                        if low & bit:
                            place = tables[node, (low & (bit - 1)) | ((low >> 1) & -bit)]
                            if place != NONE:
                                value = max(value, best[low ^ bit] + gains[starts[node] + place])
                    best[low] = value
            cuda.syncthreads()
        for low in range(cuda.threadIdx.x, size, n_threads):
            totals[here + low] = best[low]

    return fill

"""Sums over all orders of the nodes, by subsets; every number is a logarithm."""

import math
from functools import cache

import numpy as np
from numba import cuda

NEGLIGIBLE = 40.0  # e^−40 times a number is lost in its rounding


@cuda.jit(device=True)
def log_add(a, b):
    """The logarithm of e^a + e^b."""
    larger, smaller = max(a, b), min(a, b)
    if smaller > larger - NEGLIGIBLE:  # false for two minus infinities, whose difference is no number
        larger += math.log1p(math.exp(smaller - larger))
    return larger


@cuda.jit(device=True)
def fill_sums(table, length, segments, highs, weights, outside):
    """Sum the weights of the families within each set of lower nodes, of those with no node `outside`.

    The families of a set of lower nodes lie between two of the `segments`.
    """
    for low in range(cuda.threadIdx.x, length, cuda.blockDim.x):
        total = -np.inf
        for i in range(segments[low], segments[low + 1]):
            if highs[i] & outside == 0:
                total = log_add(total, weights[i])
        table[low] = total
    cuda.syncthreads()
    bit = 1
    while bit < length:
        for i in range(cuda.threadIdx.x, length, cuda.blockDim.x):
            if i & bit:
                table[i] = log_add(table[i], table[i ^ bit])
        cuda.syncthreads()
        bit <<= 1


@cache
def order_kernel(n_low):
    """The kernel for tables of this size; sizes of shared arrays are known when it is compiled."""
    size, half, n_tables = 1 << n_low, max(1 << n_low >> 1, 1), max(n_low, 1)

    @cuda.jit
    def sum_orders(blocks, n_nodes, is_within, origin, segments, highs, weights, sums):
        """Sum over the orders of the nodes within the sets of a block, or else of those outside.

        An order of the nodes within ends, and of those outside begins, with some node that has its parents in
        the set; the sums of the set with, or without, that node are known. All begins at the `origin`.
        """
        total = cuda.shared.array(size, np.float64)
        table = cuda.shared.array(size, np.float64)
        tables = cuda.shared.array((n_tables, half), np.float64)
        block = blocks[cuda.blockIdx.x]
        here = block << n_low
        for low in range(cuda.threadIdx.x, size, cuda.blockDim.x):
            total[low] = 0.0 if here + low == origin else -np.inf
        for node in range(n_low, n_nodes):
            bit = np.int64(1) << (node - n_low)
            if (block & bit != 0) == is_within:
                fill_sums(table, size, segments[node], highs, weights, ~np.int32(block))
                for low in range(cuda.threadIdx.x, size, cuda.blockDim.x):
                    known = sums[((block ^ bit) << n_low) + low]
                    total[low] = log_add(total[low], known + table[low])
                cuda.syncthreads()
        for node in range(n_low):
            fill_sums(tables[node], half, segments[node], highs, weights, ~np.int32(block))
        for step in range(1, n_low + 1):
            n_members = step if is_within else n_low - step
            for low in range(cuda.threadIdx.x, size, cuda.blockDim.x):
                if cuda.popc(np.uint32(low)) == n_members:
                    found = total[low]
                    for node in range(n_low):
                        bit = 1 << node
                        if (low & bit != 0) == is_within:
                            place = (low & (bit - 1)) | ((low >> 1) & -bit)
                            found = log_add(found, total[low ^ bit] + tables[node, place])
                    total[low] = found
            cuda.syncthreads()
        for low in range(cuda.threadIdx.x, size, cuda.blockDim.x):
            sums[here + low] = total[low]

    return sum_orders


@cuda.jit
def sum_around(node, within, after, table):
    """What each set of nodes before `node` weighs, but for the node's own family."""
    bit = np.int64(1) << node
    for others in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        subset = (others & (bit - 1)) | ((others & -bit) << 1)
        table[others] = within[subset] + after[subset | bit]


@cuda.jit
def add_supersets(table, half):
    """Add to each entry without a bit, of value `half`, the one with it."""
    for i in range(cuda.grid(1), table.size // 2, cuda.gridsize(1)):
        without = ((i & -half) << 1) | (i & (half - 1))
        table[without] = log_add(table[without], table[without + half])

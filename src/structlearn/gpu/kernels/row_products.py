"""Products of rows of two matrices, a block of threads for each."""

from functools import cache

import numpy as np
from numba import cuda


@cache
def row_product_kernel(n_threads):
    """The kernel for blocks of so many threads, a power of two."""

    @cuda.jit
    def fill(left, right, rows, others, found):
        """Write the product of a row of one matrix and a row of the other."""
        parts = cuda.shared.array(n_threads, np.float64)
        pair, thread = cuda.blockIdx.x, cuda.threadIdx.x
        row, other = rows[pair], others[pair]
        total = 0.0
        for i in range(thread, left.shape[1], n_threads):
            total += left[row, i] * right[other, i]
        parts[thread] = total
        half = n_threads // 2
        while half > 0:
            cuda.syncthreads()
            if thread < half:
                parts[thread] += parts[thread + half]
            half //= 2
        if thread == 0:
            found[pair] = parts[0]

    return fill

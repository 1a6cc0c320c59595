"""The heaviest edges out of parts of a forest, a block of threads for each node."""

import math
from functools import cache

import numpy as np
from numba import cuda


@cache
def leaving_kernel(n_threads, n_steps):
    """The kernel for weights in whole steps, so many of them in one."""

    @cuda.jit
    def find(information, size, price, n_free, most, labels, weights, others):
        """Write the heaviest edge of a node to one with another label, the lowest of several; -1 for none.

        An edge weighs its information, of so many rows, less a price; beyond `most` it is impossible.
        """
        heaviest = cuda.shared.array(n_threads, np.float64)
        lowest = cuda.shared.array(n_threads, np.int32)
        thread, i = cuda.threadIdx.x, cuda.blockIdx.x
        weight, other = 0.0, -1
        for j in range(thread, labels.size, n_threads):
            if labels[j] != labels[i] and information[i, j] < most:
                gain = information[i, j] * size - price * n_free[i] * n_free[j]
                steps = math.floor(gain * n_steps + 0.5)
                if steps > weight:
                    weight, other = steps, j
        heaviest[thread], lowest[thread] = weight, other
        cuda.syncthreads()
        if thread == 0:
            for t in range(1, n_threads):
                is_more = heaviest[t] > weight or (heaviest[t] == weight and lowest[t] < other)
                if lowest[t] >= 0 and is_more:
                    weight, other = heaviest[t], lowest[t]
            weights[i], others[i] = weight, other

    return find

"""Products of rows under numba's simulator of CUDA; see `tests.gpu.simulated`."""

import numpy as np
from numba import config, cuda

from structlearn.gpu import curvature

if config.ENABLE_CUDASIM:
    curvature.N_THREADS = 4


def check_products_of_rows():
    """Rows shorter and longer than the block, the same one several times."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 12))
        left, right = rng.normal(size=(2, n, n))
        rows, others = rng.integers(0, n, (2, 7))
        found = cuda.to_device(np.zeros(7))
        there = [cuda.to_device(array) for array in (left, right, rows, others)]
        curvature.products_of_rows(*there, found)
        np.testing.assert_allclose(found.copy_to_host(), (left @ right.T)[rows, others], atol=1e-12)

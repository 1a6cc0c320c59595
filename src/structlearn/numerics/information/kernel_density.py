"""Information by densities that Gaussian kernels on ranks make."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.information.columns import Columns, Fill, Matrix
from structlearn.numerics.information.settings import Settings


def kernel(columns: Columns, settings: Settings) -> Fill:
    """The mean log of joint density over the product of both, at the rows themselves.

    A kernel's value is a function of the difference of two ranks, so that a short list has them all. The
    sums over rows that make the joint densities of all pairs at one row are a product of matrices.
    """
    n_columns, n_rows = columns.values.shape
    ranks = (2.0 * columns.ranked().values).astype(np.int64)
    by_difference = _by_difference(n_rows, settings.bandwidth or scott_bandwidth(n_rows))
    alone = np.zeros(n_columns)
    for row in range(n_rows):
        alone += np.log(_at(row, ranks, by_difference).sum(axis=1))
    # Sums of n kernels are at most n: of so many of them the product is still a double.
    n_per_log = max(int(300.0 / math.log10(max(n_rows, 10))), 1)

    def fill(start: int, end: int, out: Matrix) -> None:
        block = out[start:end, start:]
        block[:] = 0.0
        product = np.ones_like(block)
        for row in range(n_rows):
            kernels = _at(row, ranks[start:], by_difference)
            product *= kernels[: end - start] @ kernels.T
            if row % n_per_log == n_per_log - 1 or row == n_rows - 1:
                block += np.log(product)
                product[:] = 1.0
        block -= alone[start:end, None] + alone[start:]
        block /= n_rows
        block += math.log(n_rows)
        is_constant = (ranks[start:] == ranks[start:, :1]).all(axis=1)
        block[:, is_constant] = 0.0
        block[is_constant[: end - start]] = 0.0

    return fill


def scott_bandwidth(n_rows: int) -> float:
    """Scott's rule for two dimensions, n^(−1/6) standard deviations, for columns that are uniform."""
    return float(n_rows ** (-1.0 / 6.0) / math.sqrt(12.0))


def _by_difference(n_rows: int, bandwidth: float) -> Matrix:
    """The kernel of each difference of doubled ranks."""
    differences = np.arange(2 * n_rows + 1) / 2.0 / (n_rows + 1.0)
    return np.asarray(np.exp(-0.5 * (differences / bandwidth) ** 2))


def _at(row: int, ranks: NDArray[np.int64], by_difference: Matrix) -> Matrix:
    """The kernels of each column between one row and all."""
    return np.asarray(by_difference[np.abs(ranks - ranks[:, row : row + 1])])

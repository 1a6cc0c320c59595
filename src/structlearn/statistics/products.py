"""Means, products and correlations of columns, in blocks that stay in a cache and that threads share."""

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.blocks import in_blocks

VALUES_AT_ONCE = 2**15  # of a table that are centred at once: 256 KiB, which stay in a cache
ROWS_AT_ONCE = 256  # of a product
COLUMNS_AT_ONCE = 64  # of correlations that are looked through
VISITS_OF_A_VALUE = 2.0  # that is centred
VISITS_OF_A_PRODUCT = 0.05  # rows that are visited in the time of one of its multiplications


def centred_rows(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None, n_jobs: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean of each row, and the rows without theirs, times the roots of the weights."""
    means, centred = np.empty(len(values)), np.empty(values.shape)
    n_at_once = max(VALUES_AT_ONCE // max(values.shape[1], 1), 1)

    def centre(rows: slice) -> None:
        for start in range(rows.start, rows.stop, n_at_once):
            some = slice(start, min(start + n_at_once, rows.stop))
            part, found = values[some], centred[some]
            means[some] = np.average(part, axis=1, weights=weights)
            np.subtract(part, means[some, None], out=found)
            # A mean is rounded, by much where values are far from zero: what is left of it goes out as well.
            found -= np.average(found, axis=1, weights=weights)[:, None]
            # Without this a constant column would keep a trace of variance.
            ends_alike = np.flatnonzero(part[:, 0] == part[:, -1])
            found[ends_alike[(part[ends_alike] == part[ends_alike, :1]).all(axis=1)]] = 0.0
            if weights is not None:
                found *= np.sqrt(weights)

    in_blocks(centre, len(values), cost=VISITS_OF_A_VALUE * values.size, n_jobs=n_jobs)
    return means, centred


def largest_of_two(correlation: NDArray[np.float64], n_jobs: int) -> float:
    """The largest correlation of two columns, of either sign."""
    largest = [0.0]

    def look(columns: slice) -> None:
        for start in range(columns.start, columns.stop, COLUMNS_AT_ONCE):
            rows = correlation[start : min(start + COLUMNS_AT_ONCE, columns.stop)]
            beside = np.tril(rows[:, start : start + len(rows)], -1)
            ends = [(below.min(initial=0.0), below.max(initial=0.0)) for below in (rows[:, :start], beside)]
            largest.extend(max(high, -low) for low, high in ends)

    in_blocks(look, len(correlation), cost=float(correlation.size), n_jobs=n_jobs)
    return max(largest)


def mean_products(rows: NDArray[np.float64], size: float, n_jobs: int) -> NDArray[np.float64]:
    """The product of each row with each by this size, in blocks.

    In one piece, threads of OpenBLAS end the program from about 20,000 rows on (numpy issue 19685).
    """
    products = np.empty((len(rows), len(rows)))
    starts = list(range(0, len(rows), ROWS_AT_ONCE))
    # The first have few rows before them, the last many: one of each in turn makes shares that are alike.
    turns = [start for pair in zip(starts, starts[::-1], strict=True) for start in pair][: len(starts)]

    def multiply(some: slice) -> None:
        for start in turns[some]:
            here, before = rows[start : start + ROWS_AT_ONCE], rows[:start]
            block = products[start : start + ROWS_AT_ONCE, : start + len(here)]
            np.matmul(here, before.T, out=block[:, :start])
            np.matmul(here, here.T, out=block[:, start:])
            block /= size
            products[:start, start : start + len(here)] = block[:, :start].T

    in_blocks(multiply, len(turns), cost=VISITS_OF_A_PRODUCT * rows.size * len(rows), n_jobs=n_jobs)
    return products

"""Cuts of a column by itself: bins of equal frequency, or of equal width."""

import numpy as np
from numpy.typing import NDArray

Cuts = NDArray[np.float64]


def quantile_cuts(values: NDArray[np.float64], n_bins: int) -> Cuts:
    """Cuts between bins of as equal numbers of rows as ties allow, at most so many bins.

    A cut lies half-way between the smallest value that has at least k / n_bins of the rows at or below it and
    the next larger one; cuts that fall together are one.
    """
    different, counts = np.unique(values, return_counts=True)
    if different.size < 2:
        return np.zeros(0)
    wanted = np.arange(1, n_bins) * values.size
    places = np.unique(np.searchsorted(np.cumsum(counts) * n_bins, wanted))
    return _between(different, places[places < different.size - 1])


def width_cuts(values: NDArray[np.float64], n_bins: int) -> Cuts:
    """Cuts between bins of equal width from the smallest to the largest value."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.zeros(0)
    shares = np.arange(1, n_bins) / n_bins
    # Shares of either end: the width of huge numbers of both signs would be infinite.
    return np.unique(low * (1.0 - shares) + high * shares)


def _between(different: NDArray[np.float64], places: NDArray[np.int64]) -> Cuts:
    below, above = different[places], different[places + 1]
    middle = below / 2 + above / 2
    return np.where((middle >= above) | (middle < below), below, middle)  # no number lies between neighbours

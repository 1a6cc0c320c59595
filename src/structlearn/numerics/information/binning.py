"""Continuous columns cut into bins, so that they can be counted."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.information.columns import Columns, Matrix, average_ranks
from structlearn.numerics.information.settings import Settings

FEWEST_BINS, MOST_BINS = 2, 20
ROWS_PER_CELL = 5  # of a table of two columns, as far as there are so many rows


def usual_bins(n_rows: int) -> int:
    """So many bins that a cell of two columns holds five rows on average."""
    return min(max(math.isqrt(n_rows // ROWS_PER_CELL), FEWEST_BINS), MOST_BINS)


def coded(columns: Columns, settings: Settings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The codes of all columns, continuous ones in bins, and how many levels each has."""
    n_bins = settings.n_bins or usual_bins(columns.values.shape[1])
    is_continuous = columns.levels == 0
    codes, levels = np.zeros(columns.values.shape, dtype=np.int64), columns.levels.copy()
    codes[~is_continuous] = columns.values[~is_continuous]
    cut = equal_frequency if settings.binning == "frequency" else equal_width
    codes[is_continuous] = cut(columns.values[is_continuous], n_bins)
    levels[is_continuous] = n_bins
    return codes, levels


def equal_frequency(values: Matrix, n_bins: int) -> NDArray[np.int64]:
    """Bins of as equal numbers of rows as ties allow; equal values are in the same bin."""
    n_rows = values.shape[1]
    return np.asarray((average_ranks(values) - 0.5) * n_bins / n_rows).astype(np.int64)


def equal_width(values: Matrix, n_bins: int) -> NDArray[np.int64]:
    """Bins of equal width from the smallest to the largest value; a constant column is in the first."""
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    # Halves first: the width of huge numbers of both signs would be infinite.
    width = np.where(high > low, high / 2 - low / 2, 1.0)
    places = (values / 2 - low / 2) / width * n_bins
    return np.asarray(np.minimum(places, n_bins - 1)).astype(np.int64)

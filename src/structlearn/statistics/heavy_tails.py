"""How much the variances of columns vary whose tails are not those of a Gaussian."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.protocol import FourthMoments, HasFourthMoments, HasRows, Rows, Statistics

Numbers = NDArray[np.float64]
Columns = NDArray[np.int64]
MOST_VALUES = 1 << 22  # that are looked at together
FEWEST_ROWS = 5.0  # fewer have no fourth moment above that of a Gaussian


def variance_factors(statistics: Statistics, columns: Columns, n_errors: float) -> Numbers:
    """How many times as much as that of a Gaussian the variance of some rows of each column varies.

    A variance of n rows varies (κ - 1) / 2 times as much, κ the fourth moment of the standardised column
    (Box, 1953; Layard, 1973). The factor is 1 up to so many standard errors above the 3 of a Gaussian, and
    where a source has neither rows nor fourth moments.
    """
    asked, which = np.unique(columns, return_inverse=True)
    factors = np.ones(len(asked))
    start = 0
    for some in _fourth_moments(statistics, asked):
        factors[start : start + len(some.sizes)] = _factors(some, n_errors)
        start += len(some.sizes)
    return factors[which]


def _fourth_moments(statistics: Statistics, columns: Columns) -> Iterator[FourthMoments]:
    """Those of the columns, by blocks; none where the source does not know them."""
    if isinstance(statistics, HasRows):
        # With gaps each column has rows of its own.
        step = max(MOST_VALUES // max(statistics.n_rows, 1), 1) if statistics.is_complete else 1
        for start in range(0, len(columns), step):
            yield _of_rows(statistics.rows(columns[start : start + step].tolist()))
    elif isinstance(statistics, HasFourthMoments) and len(columns):
        yield statistics.fourth_moments(columns.tolist())


def _of_rows(rows: Rows) -> FourthMoments:
    weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
    size = weights.sum()
    squares = (rows.values - weights @ rows.values / size) ** 2
    second = weights @ squares / size
    fourth = weights @ (squares / np.where(second > 0.0, second, 1.0)) ** 2 / size
    return FourthMoments(np.full(len(fourth), size), fourth)


def _factors(moments: FourthMoments, n_errors: float) -> Numbers:
    sizes, fourth = moments
    is_heavy = (fourth > 3.0 + n_errors * np.sqrt(24.0 / sizes)) & (sizes >= FEWEST_ROWS)
    if not is_heavy.any():
        return np.ones(len(fourth))
    # The G₂ of Fisher, which is right on average for a Gaussian: the moment itself is too small.
    excess = (sizes - 1.0) / ((sizes - 2.0) * (sizes - 3.0)) * ((sizes + 1.0) * (fourth - 3.0) + 6.0)
    return 1.0 + 0.5 * np.where(is_heavy, excess, 0.0)

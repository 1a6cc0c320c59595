"""How much a comparison of variances may say of columns whose tails are not those of a Gaussian."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import HasRows, Rows, Statistics

Numbers = NDArray[np.float64]
Columns = NDArray[np.int64]
MOST_VALUES = 1 << 22  # that are looked at together
FEWEST_ROWS = 5.0  # fewer have no fourth moment above that of a Gaussian


def shares_of_variances(statistics: Statistics, columns: Columns) -> Numbers:
    """What Bartlett's ratio is multiplied with for each column, so that χ² stays what it is compared with.

    A variance of n rows varies (κ - 1) / 2 times as much as that of a Gaussian, κ the fourth moment of
    the standardised column (Box, 1953; Layard, 1973). The share is 1 up to a standard error above the 3 of a
    Gaussian, and where a source has no rows but only moments.
    """
    if not isinstance(statistics, HasRows):
        return np.ones(len(columns))
    asked, which = np.unique(columns, return_inverse=True)
    blocks = [_shares(statistics.rows(some.tolist())) for some in _blocks(statistics, asked)]
    return np.concatenate(blocks)[which]


def _blocks(statistics: Statistics, columns: Columns) -> Iterator[Columns]:
    """Columns by the rows that they share: with gaps each has its own."""
    step = max(MOST_VALUES // max(statistics.n_rows, 1), 1) if statistics.is_complete else 1
    for start in range(0, len(columns), step):
        yield columns[start : start + step]


def _shares(rows: Rows) -> Numbers:
    weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
    size = weights.sum()
    squares = (rows.values - weights @ rows.values / size) ** 2
    second = weights @ squares / size
    varies = second > 0.0
    fourth = weights @ (squares / np.where(varies, second, 1.0)) ** 2 / size
    is_heavy = varies & (fourth > 3.0 + np.sqrt(24.0 / size)) & (size >= FEWEST_ROWS)
    if not is_heavy.any():
        return np.ones(len(fourth))
    # The G₂ of Fisher, which is right on average for a Gaussian: the moment itself is too small.
    excess = (size - 1.0) / ((size - 2.0) * (size - 3.0)) * ((size + 1.0) * (fourth - 3.0) + 6.0)
    return np.where(is_heavy, 2.0 / (2.0 + np.where(is_heavy, excess, 0.0)), 1.0)

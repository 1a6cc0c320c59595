"""Where the mean of a column changes, once."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEWEST = 2  # rows on either side: one is an outlier
# (1 + 3r)/n is what a mean takes from a correlation r; so many of them, and series that wander are let be.
LOST_TO_MEANS = 5.0
PRICE = 1.5  # times ln n: a half for the second mean, one for the place


def gains(values: Floats) -> Floats:
    """What a second mean from each row on brings in log-likelihood, (rows, columns); none near the ends.

    (n/2) ln(RSS / (RSS before + RSS from the row on)), by sums up to each row.
    """
    n = len(values)
    centred = values - values.mean(axis=0)
    squares = np.square(centred).sum(axis=0)
    size = np.arange(n)[:, None]
    before = np.concatenate([np.zeros_like(centred[:1]), np.cumsum(centred, axis=0)[:-1]])
    # Both sides lose n/(size·(n − size)) times the square of what the rows before sum to.
    with np.errstate(divide="ignore", invalid="ignore"):
        left = 1.0 - before**2 * n / (size * (n - size)) / squares
        found = -0.5 * n * np.log(np.maximum(left, np.finfo(np.float64).tiny))
    found[: min(FEWEST, n)] = found[max(n - FEWEST + 1, 0) :] = 0.0
    return np.where(squares > 0.0, found, 0.0)


def level_shifts(values: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The row that the mean of each column changes at, and by how much the gain exceeds its price.

    Rows may follow each other: a gain counts by as many independent rows as tell as much, given the
    correlation of a column with itself a row later about the two means. Below 0 there is no change; the price
    is that of one column among all.
    """
    n, n_columns = values.shape
    of_rows = gains(values)
    at = of_rows.argmax(axis=0)
    is_behind = np.arange(n)[:, None] >= at
    about = values - np.where(is_behind, _means(values, is_behind), _means(values, ~is_behind))
    total = np.square(about).sum(axis=0)
    products = (about[1:] * about[:-1]).sum(axis=0)
    r = np.divide(products, total, out=np.zeros(n_columns), where=total > 0.0)
    r = r + LOST_TO_MEANS * (1.0 + 3.0 * np.maximum(r, 0.0)) / n
    share = np.clip((1.0 - r) / (1.0 + r), 0.0, 1.0)
    return at, share * of_rows.max(axis=0, initial=0.0) - PRICE * np.log(n) - np.log(n_columns)


def _means(values: Floats, is_in: NDArray[np.bool_]) -> Floats:
    found: Floats = (values * is_in).sum(axis=0) / np.maximum(is_in.sum(axis=0), 1)
    return found

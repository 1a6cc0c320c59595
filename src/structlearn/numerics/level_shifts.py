"""Where the means of columns change."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEWEST = 2  # rows on either side: one is an outlier
# (1 + 3r)/n is what a mean takes from a correlation r; so many of them, and series that wander are let be.
LOST_TO_MEANS = 5.0
FOR_A_MEAN, FOR_A_PLACE = 0.5, 1.0  # times ln n
FEWEST_OF_A_PART = 15  # rows: in fewer, what remembers looks as if it changed


def gains(values: Floats, fewest: int = FEWEST) -> Floats:
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
    found[: min(fewest, n)] = found[max(n - fewest + 1, 0) :] = 0.0
    return np.where(squares > 0.0, found, 0.0)


def level_shifts(
    values: Floats, *, among: int | None = None, fewest: int = FEWEST
) -> tuple[NDArray[np.int64], Floats]:
    """The row that the mean of each column changes at, and by how much the gain exceeds its price.

    Rows may follow each other: a gain counts by as many independent rows as tell as much, given the
    correlation of a column with itself a row later about the two means. Below 0 there is no change; the price
    is that of one column `among` so many, by default all that are here.
    """
    n, n_columns = values.shape
    of_rows = gains(values, fewest)
    at = of_rows.argmax(axis=0)
    price = (FOR_A_MEAN + FOR_A_PLACE) * np.log(n) + np.log(n_columns if among is None else among)
    return at, _share(values, at) * of_rows.max(axis=0, initial=0.0) - price


def joint_shift(values: Floats) -> tuple[int, float]:
    """The row that the means of all columns change at together, and by how much the gain exceeds its price.

    Gains add up, and each column pays for a mean of its own, but all for one place.
    """
    n, n_columns = values.shape
    of_rows = gains(values)
    together = of_rows @ _share(values, of_rows.argmax(axis=0))
    at = int(together.argmax())
    return at, float(together[at] - (FOR_A_MEAN * n_columns + FOR_A_PLACE) * np.log(n))


def all_shifts(values: Floats, *, among: int = 1, fewest: int = FEWEST) -> list[int]:
    """The rows that the mean of one column, (rows, 1), changes at: the surest first splits, then its parts.

    Binary segmentation (Scott and Knott, 1974). Further parts have no few rows.
    """
    (at,), (beyond,) = level_shifts(values, among=among, fewest=fewest)
    if beyond <= 0.0:
        return []
    before, behind = (
        all_shifts(part, among=among, fewest=FEWEST_OF_A_PART) for part in (values[:at], values[at:])
    )
    return [*before, int(at), *(int(at) + each for each in behind)]


def _share(values: Floats, at: NDArray[np.int64]) -> Floats:
    """The share of the rows of each column that are independent, with another mean from a row on."""
    n, n_columns = values.shape
    is_behind = np.arange(n)[:, None] >= at
    about = values - np.where(is_behind, _means(values, is_behind), _means(values, ~is_behind))
    total = np.square(about).sum(axis=0)
    products = (about[1:] * about[:-1]).sum(axis=0)
    r = np.divide(products, total, out=np.zeros(n_columns), where=total > 0.0)
    r = r + LOST_TO_MEANS * (1.0 + 3.0 * np.maximum(r, 0.0)) / n
    found: Floats = np.clip((1.0 - r) / (1.0 + r), 0.0, 1.0)
    return found


def _means(values: Floats, is_in: NDArray[np.bool_]) -> Floats:
    found: Floats = (values * is_in).sum(axis=0) / np.maximum(is_in.sum(axis=0), 1)
    return found

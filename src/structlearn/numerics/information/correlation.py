"""Information of columns that are normal, or normal after each is transformed: from correlations alone."""

import numpy as np

from structlearn.numerics.information.columns import Columns, Fill, Matrix
from structlearn.numerics.information.settings import Settings
from structlearn.rounding import ALMOST_ONE

LARGE = 1e100
LEAST_LEFT = 1.0 - ALMOST_ONE**2


def gaussian(columns: Columns, _settings: Settings) -> Fill:
    """−½ log(1 − r²), with Pearson's correlation."""
    rows = unit_rows(columns.values)

    def fill(start: int, end: int, out: Matrix) -> None:
        gaussian_in_place(_products(rows, start, end, out))

    return fill


def rank(columns: Columns, _settings: Settings) -> Fill:
    """The same with the correlation that Spearman's tells of a normal pair, r = 2 sin(π r_s / 6).

    Then 1 − r² = 2 cos(π r_s / 3) − 1.
    """
    rows = unit_rows(columns.ranked().values)

    def fill(start: int, end: int, out: Matrix) -> None:
        rank_in_place(_products(rows, start, end, out))

    return fill


def gaussian_in_place(block: Matrix) -> None:
    """Write the information of a normal pair in the place of its correlation."""
    np.square(block, out=block)
    _to_information(np.subtract(1.0, block, out=block))


def rank_in_place(block: Matrix) -> None:
    """Write it in the place of Spearman's correlation."""
    block *= np.pi / 3.0
    np.cos(block, out=block)
    block *= 2.0
    block -= 1.0
    _to_information(block)


def unit_rows(values: Matrix) -> Matrix:
    """The rows with mean 0 and length 1, so that their products are correlations; constants are zero."""
    smallest, largest = values.min(axis=1, initial=np.inf), values.max(axis=1, initial=-np.inf)
    size = np.maximum(np.abs(smallest), np.abs(largest))
    # Squares of numbers near the ends of what a double can hold would be infinite, or zero.
    is_extreme = (size > 0.0) & ((size > LARGE) | (size < 1.0 / LARGE))
    scaled = values / np.where(is_extreme, size, 1.0)[:, None] if is_extreme.any() else values
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("ij,ij->i", centred, centred))
    is_constant = (smallest == largest) | (length == 0.0)
    centred[is_constant] = 0.0
    centred /= np.where(is_constant, 1.0, length)[:, None]
    return np.asarray(centred)


def _products(rows: Matrix, start: int, end: int, out: Matrix) -> Matrix:
    """The block of the matrix that is to be filled, with the products of the rows in it."""
    return np.matmul(rows[start:end], rows[start:].T, out=out[start:end, start:])


def _to_information(left: Matrix) -> None:
    """Write −½ log of the shares 1 − r² in their place."""
    np.clip(left, LEAST_LEFT, 1.0, out=left)
    np.log(left, out=left)
    left *= -0.5
    left += 0.0  # no minus zero

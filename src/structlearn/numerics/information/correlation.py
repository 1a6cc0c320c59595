"""Information of columns that are normal, or normal after each is transformed: from correlations alone."""

import numpy as np

from structlearn.numerics.information.columns import Columns, Fill, Matrix, average_ranks
from structlearn.numerics.information.settings import Settings
from structlearn.rounding import ALMOST_ONE


def gaussian(columns: Columns, _settings: Settings) -> Fill:
    """−½ log(1 − r²), with Pearson's correlation."""
    return _filling(unit_rows(columns.values), is_of_ranks=False)


def rank(columns: Columns, _settings: Settings) -> Fill:
    """The same with the correlation that Spearman's tells of a normal pair, r = 2 sin(π r_s / 6)."""
    return _filling(unit_rows(average_ranks(columns.values)), is_of_ranks=True)


def unit_rows(values: Matrix) -> Matrix:
    """The rows with mean 0 and length 1, so that their products are correlations; constants are zero."""
    largest = np.abs(values).max(axis=1, keepdims=True, initial=0.0)
    # Squares of numbers near the ends of what a double can hold would be infinite, or zero.
    scaled = values / np.where(largest > 0.0, largest, 1.0)
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    centred[(values == values[:, :1]).all(axis=1)] = 0.0
    length = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    return np.asarray(centred / np.where(length > 0.0, length, 1.0))


def _filling(rows: Matrix, *, is_of_ranks: bool) -> Fill:
    def fill(start: int, end: int, out: Matrix) -> None:
        block = out[start:end, start:]
        np.matmul(rows[start:end], rows[start:].T, out=block)
        if is_of_ranks:
            np.clip(block, -1.0, 1.0, out=block)
            block *= np.pi / 6.0
            np.sin(block, out=block)
            block *= 2.0
        np.clip(block, -ALMOST_ONE, ALMOST_ONE, out=block)
        np.square(block, out=block)
        np.log1p(np.negative(block, out=block), out=block)
        block *= -0.5
        block += 0.0  # no minus zero

    return fill

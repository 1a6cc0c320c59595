"""Weights of rows, as they may be given."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.errors import DataError


def checked_weights(weights: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    """One finite number of at least 0 for each row, not all of them 0."""
    try:
        checked = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("weights: each weight is a number; one or more is not.") from None
    if checked.shape != (n_rows,):
        raise DataError(
            f"weights: {n_rows:,} rows need {n_rows:,} weights, not an array of shape {checked.shape}."
        )
    wrong = ~np.isfinite(checked) | (checked < 0)
    if wrong.any():
        first = int(wrong.argmax())
        raise DataError(
            f"weights: a weight is a finite number, at least 0; the one in row {first}, counted from 0, is "
            f"{checked[first]}."
        )
    if not checked.any():
        raise DataError("weights: all weights are 0, so that no row counts. Give some row a weight above 0.")
    return checked

"""How long the tails of columns are, by their fourth moments."""

import numpy as np
from numpy.typing import NDArray

FEWEST_DEVIATIONS = 5.0  # of long tails, beyond what normal columns have


def tails_of(columns: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how many deviations the fourth moment of each column, a row of the array, exceeds the normal one."""
    size = weights.sum()
    shares = weights / size
    sizes = np.abs(columns).max(axis=1, initial=0.0)
    numbers = columns / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    squares = (numbers - (numbers @ shares)[:, None]) ** 2
    usual = 3.0 * (squares @ shares) ** 2
    excess = np.divide(squares**2 @ shares, usual, out=np.zeros_like(usual), where=usual > 0.0) - 1.0
    return np.asarray(excess * 3.0 / np.sqrt(24.0 / size))

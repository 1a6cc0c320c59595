"""Partial correlations: what a precision matrix says of each two columns, given all others."""

import numpy as np
from numpy.typing import NDArray


def partial_correlations(precision: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each two columns; 1 on the diagonal."""
    scale = np.sqrt(np.diag(precision))
    partial = 0.0 - precision / np.outer(scale, scale)  # no minus before a zero
    np.fill_diagonal(partial, 1.0)
    return np.asarray(partial)

"""Penalties that theory names, from the size of a table, without a look at a path."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.later import special

COUPLING_CONSTANT = 2.5  # of the paper's c·√(log p / n); it recovers chains once n is about 80 log p
FEWEST_ROWS = 3  # a t distribution has n − 2 degrees of freedom
LEAST_QUANTILE = 1e-3  # a level near 1 with one candidate would name a penalty of 0 or less


def component_penalty(size: float, n_columns: int, alpha: float) -> float:
    """The penalty of (1/n)·SSE + λ·L1 that joins unconnected parts with probability `alpha` at most.

    Meinshausen and Bühlmann (2006), equation 9, for columns of variance 1.
    """
    return float(-2.0 / np.sqrt(size) * special.ndtri(alpha / (2.0 * n_columns**2)))


def level_penalty(covariance: NDArray[np.float64], size: float, alpha: float) -> float:
    """The penalty of a precision matrix that joins unconnected parts with probability `alpha` at most.

    Formula (3) of Banerjee, El Ghaoui and d'Aspremont (2008).
    """
    if size < FEWEST_ROWS:
        raise DataError(
            f"GraphicalLasso(penalty='theory'): {size:g} rows are too few; it takes {FEWEST_ROWS}."
        )
    deviations = np.sort(np.sqrt(np.diag(covariance)))[-2:]
    quantile = -float(special.stdtrit(size - 2, alpha / (2.0 * len(covariance) ** 2)))
    return float(deviations.prod() * quantile / np.sqrt(size - 2 + quantile**2))


def coupling_penalty(size: float, n_columns: int) -> float:
    """That of couplings of states −1 and 1, of the form in Ravikumar, Wainwright and Lafferty (2010)."""
    return float(COUPLING_CONSTANT * np.sqrt(np.log(max(n_columns, 2)) / size))


def slope_penalty(size: float, n_candidates: int, alpha: float) -> float:
    """A quantile of a slope at independence, per row: its standard deviation is about ¼ / √n at most."""
    quantile = -special.ndtri(alpha / (2.0 * max(n_candidates, 1)))
    return float(max(quantile, LEAST_QUANTILE) / (4.0 * np.sqrt(size)))

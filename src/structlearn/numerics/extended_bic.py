"""The extended BIC, for many models among many."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special

Floats = NDArray[np.float64]


def extended_bic(
    log_likelihood: Floats, n_parameters: Floats, *, size: float, n_candidates: float, gamma: float
) -> Floats:
    """−2·log-likelihood + k·log n + 2·γ·k·log(candidates), of Chen and Chen (2008); least is best.

    `n_candidates` is the number of columns that could be chosen: p − 1 for the regression of a
    node, p² for a whole graph (Foygel and Drton, 2010). With γ = 0 it is the BIC. A likelihood that
    is not a number, as of more parameters than rows, makes the criterion infinite.
    """
    k = np.asarray(n_parameters, dtype=np.float64)
    price = price_of_one(size, n_candidates, gamma)
    criterion = -2.0 * np.asarray(log_likelihood) + price * k
    return np.where(np.isnan(criterion), np.inf, criterion)


def price_of_one(size: float, n_candidates: float, gamma: float) -> float:
    """What each parameter costs."""
    return float(np.log(size) + 2.0 * gamma * np.log(max(n_candidates, 1.0)))


def price_for_few_rows(price: float, size: float) -> float:
    """What the likelihood of two columns gains by chance as often as a χ² of one degree exceeds `price`.

    With few rows -n log(1 - r²) of independent columns is larger than that χ²: of twenty rows a gain of 15 is
    five times as frequent.
    """
    freedom = size - 2.0
    if freedom <= 0.0:
        return np.inf
    quantile = float(special.stdtrit(freedom, special.chdtrc(1.0, price) / 2.0))
    return float(size * np.log1p(quantile**2 / freedom))

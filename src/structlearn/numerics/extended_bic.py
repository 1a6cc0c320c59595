"""The extended BIC, for many models among many."""

import numpy as np
from numpy.typing import NDArray

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
    price = np.log(size) + 2.0 * gamma * np.log(max(n_candidates, 1.0))
    criterion = -2.0 * np.asarray(log_likelihood) + price * k
    return np.where(np.isnan(criterion), np.inf, criterion)

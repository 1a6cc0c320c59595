"""How many bits a set of links must bring more than."""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

Threshold = float | Literal["bic", "chi2"]
Prices = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def prices_for(threshold: Threshold, alpha: float, size: float) -> Prices:
    """The price of links by the number of parameters that they add, in a table of that size."""
    if threshold == "bic":
        return lambda n_parameters: n_parameters * (math.log2(size) / (2.0 * size))
    if threshold == "chi2":
        return lambda n_parameters: chdtri(n_parameters, alpha) / (2.0 * size * math.log(2.0))
    return lambda n_parameters: np.full(len(n_parameters), float(threshold))

"""The density of a normal distribution."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray


def normal_log_density(apart: NDArray[np.float64], variances: ArrayLike) -> NDArray[np.float64]:
    """The log density of numbers this far from their means; -inf where a float does not hold it."""
    volumes = np.log(2.0 * math.pi * np.asarray(variances))
    with np.errstate(over="ignore"):
        found: NDArray[np.float64] = -0.5 * (volumes + apart**2 / variances)
    return found

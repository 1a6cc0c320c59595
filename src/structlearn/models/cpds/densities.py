"""The density of a normal distribution."""

import math

import numpy as np
from numpy.typing import NDArray


def normal_log_density(
    apart: NDArray[np.float64], variances: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """The log density of numbers this far from their means; -inf where a float does not hold it."""
    volumes = np.log(2.0 * math.pi * variances)
    with np.errstate(over="ignore"):
        return -0.5 * (volumes + apart**2 / variances)

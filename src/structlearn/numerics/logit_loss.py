"""Multinomial logit regressions without a penalty, from counted cells."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.softmax_newton import SoftmaxRegression

Floats = NDArray[np.float64]

RIDGE = 1e-6  # keeps perfectly separable regressions finite
TOLERANCE = 1e-7  # of the slope: the loss is then exact to far below the price of a parameter


def least_logit_loss(design: Floats, counts: Floats, must_stop: Callable[[], bool] = lambda: False) -> float:
    """Minus the largest log-likelihood of the counts, (cells, levels), given the design, (cells, columns).

    The first level that occurs is the base of the others. A ridge of 1e-6 keeps the coefficients of
    separable cells finite; what it takes off is not counted. A fit that must stop has a larger loss.
    """
    occurring = np.ascontiguousarray(counts[:, counts.any(axis=0)])
    regression = SoftmaxRegression(design, occurring, np.full(design.shape[1], RIDGE))
    return regression.loss(regression.fit(tolerance=TOLERANCE, must_stop=must_stop))

"""What linear effects leave of the columns, by their covariance S alone: entry [i, j] is that of i → j."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.inverses import log_size_and_inverse
from structlearn.numerics.products import product
from structlearn.run import MustStop, never

Floats = NDArray[np.float64]
Loss = Callable[[Floats, Floats, MustStop], tuple[float, Floats]]


def least_squares(weights: Floats, covariance: Floats, must_stop: MustStop = never) -> tuple[float, Floats]:
    """Half the sum of the variances that are left, ½ tr (I − W)ᵀ S (I − W)."""
    left = np.eye(len(weights)) - weights
    times = product(covariance, left, must_stop)
    return 0.5 * float(np.vdot(left, times)), -times


def equal_variances(weights: Floats, covariance: Floats, must_stop: MustStop = never) -> tuple[float, Floats]:
    """Minus the log-likelihood of a row with noise of one variance: (p/2) ln Σ left − ln |det(I − W)|."""
    left = np.eye(len(weights)) - weights
    times = product(covariance, left, must_stop)
    total = float(np.vdot(left, times))
    size, inverse = log_size_and_inverse(left, must_stop)
    return 0.5 * len(weights) * np.log(total) - size, -len(weights) * times / total + inverse.T


def own_variances(weights: Floats, covariance: Floats, must_stop: MustStop = never) -> tuple[float, Floats]:
    """The same where each column has noise of a variance of its own: ½ Σ ln left − ln |det(I − W)|."""
    left = np.eye(len(weights)) - weights
    times = product(covariance, left, must_stop)
    variances = np.einsum("ij,ij->j", left, times)
    size, inverse = log_size_and_inverse(left, must_stop)
    return 0.5 * float(np.log(variances).sum()) - size, -times / variances + inverse.T


LOSSES: dict[str, Loss] = {
    "least-squares": least_squares,
    "equal-variances": equal_variances,
    "own-variances": own_variances,
}

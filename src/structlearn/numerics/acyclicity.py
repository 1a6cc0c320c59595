"""Smooth measures of cycles, 0 for DAGs alone, with their gradients: entry [i, j] is the weight of i → j."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.later import linalg

Floats = NDArray[np.float64]
Measured = tuple[float, Floats]
ROUNDING = 1e-12  # by which the inverse of a matrix that has no negative entry may be below 0


def exponential(weights: Floats) -> Measured:
    """Tr exp(W ∘ W) − p: closed walks of every length (Zheng et al., 2018)."""
    found = linalg.expm(np.square(weights))
    return float(np.trace(found)) - len(weights), found.T * (2.0 * weights)


def polynomial(weights: Floats) -> Measured:
    """Tr (I + W ∘ W / p)^p − p: closed walks of up to p steps (Yu et al., 2019)."""
    p = len(weights)
    step = np.eye(p) + np.square(weights) / p
    before = np.linalg.matrix_power(step, p - 1)
    return float(np.vdot(before.T, step)) - p, before.T * (2.0 * weights)


def log_determinant(weights: Floats, scale: float) -> Measured:
    """−ln det(sI − W ∘ W) + p ln s (Bello et al., 2022); infinite where the spectral radius reaches s."""
    p = len(weights)
    matrix = scale * np.eye(p) - np.square(weights)
    sign, size = np.linalg.slogdet(matrix)
    if sign <= 0.0:
        return math.inf, weights
    inverse = np.linalg.inv(matrix)
    # Inside, it is a sum of walks. Elsewhere an even number of eigenvalues may be negative.
    if not np.isfinite(inverse).all() or inverse.min() < -ROUNDING * inverse.max():
        return math.inf, weights
    return float(p * math.log(scale) - size), 2.0 * inverse.T * weights

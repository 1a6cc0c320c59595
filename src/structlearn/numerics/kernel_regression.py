"""Regression in curves of any shape, by kernels and a ridge that the rows choose."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.by_rows import median_distance
from structlearn.later import distance

Floats = NDArray[np.float64]
RIDGES = np.logspace(-4, 1, 6)


def cross_fitted_residuals(inputs: Floats, target: Floats) -> Floats:
    """What regressions leave of the target: of every second row by the others, and the other way round.

    A Gaussian kernel as wide as the median distance, beside a line; the ridge is that of the least
    generalised cross-validation (Craven and Wahba, 1979). Without inputs, the distance from the mean.
    """
    found, is_held = np.empty(len(target)), np.arange(len(target)) % 2 == 1
    kernel = _kernel(inputs) if inputs.shape[1] else None
    for held in (is_held, ~is_held):
        found[held] = _held_out(inputs, target, kernel, held)
    return found


def _kernel(inputs: Floats) -> Floats:
    found: Floats = np.exp(
        distance.cdist(inputs, inputs, "sqeuclidean") / (-2.0 * median_distance(inputs) ** 2)
    )
    return found


def _held_out(inputs: Floats, target: Floats, kernel: Floats | None, held: NDArray[np.bool_]) -> Floats:
    known = ~held
    if kernel is None:
        return np.asarray(target[held] - target[known].mean())
    design = np.column_stack([np.ones(len(target)), inputs])
    # A line first, so that what is far out is not drawn to the mean.
    bent = target - design @ _shortest(design[known], target[known])
    values, vectors = np.linalg.eigh(kernel[np.ix_(known, known)])
    parts = vectors.T @ bent[known]
    n = len(values)
    left = 1.0 - values / (values + RIDGES[:, None] * n)
    criterion = np.square(left * parts).sum(axis=1) / np.square(left.sum(axis=1) / n)
    ridge = RIDGES[int(criterion.argmin())] * n
    weights = vectors @ (parts / (np.maximum(values, 0.0) + ridge))
    return np.asarray(bent[held] - kernel[np.ix_(held, known)] @ weights)


def _shortest(design: Floats, target: Floats) -> Floats:
    """The slopes of least squares; of many that fit as well those of the least size."""
    n_rows, n_slopes = design.shape
    if n_slopes <= n_rows:
        return np.asarray(np.linalg.lstsq(design, target, rcond=None)[0])
    return np.asarray(design.T @ np.linalg.lstsq(design @ design.T, target, rcond=None)[0])

"""Multinomial logit regressions without a penalty, by Newton's method on counted cells."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

Floats = NDArray[np.float64]

RIDGE = 1e-6  # keeps perfectly separable regressions finite
MOST_STEPS = 50
SETTLED = 1e-10  # share of the loss that a step gains
SHORTEST = 1e-6


def least_logit_loss(design: Floats, counts: Floats) -> float:
    """Minus the largest log-likelihood of the counts, (cells, levels), given the design, (cells, columns).

    The first level that occurs is the base of the others. A ridge of 1e-6 keeps the coefficients of
    separable cells finite; what it takes off is not counted.
    """
    counts = counts[:, counts.any(axis=0)]
    weights = np.zeros((design.shape[1], counts.shape[1] - 1))
    if not weights.size:
        return 0.0
    loss, objective = _loss(design, counts, weights)
    for _ in range(MOST_STEPS):
        step = _newton_step(design, counts, weights)
        length = 1.0
        trial_loss, trial = _loss(design, counts, weights + step)
        while trial > objective and length > SHORTEST:
            length *= 0.5
            trial_loss, trial = _loss(design, counts, weights + length * step)
        if trial > objective:
            break
        gained, objective, loss = objective - trial, trial, trial_loss
        weights = weights + length * step
        if gained <= SETTLED * objective:
            break
    return loss


def _log_shares(design: Floats, weights: Floats) -> Floats:
    linear = design @ weights
    return np.asarray(log_softmax(np.column_stack([np.zeros(len(linear)), linear]), axis=1))


def _loss(design: Floats, counts: Floats, weights: Floats) -> tuple[float, float]:
    """The loss, and with the ridge."""
    loss = -float((counts * _log_shares(design, weights)).sum())
    return loss, loss + 0.5 * RIDGE * float((weights**2).sum())


def _newton_step(design: Floats, counts: Floats, weights: Floats) -> Floats:
    sizes = counts.sum(axis=1)
    shares = np.exp(_log_shares(design, weights))[:, 1:]
    slope = design.T @ (counts[:, 1:] - sizes[:, None] * shares) - RIDGE * weights
    n_columns, n_outputs = weights.shape
    curvature = np.empty((n_outputs, n_columns, n_outputs, n_columns))
    for a in range(n_outputs):
        for b in range(a + 1):
            bend = sizes * shares[:, a] * ((a == b) - shares[:, b])
            curvature[a, :, b, :] = curvature[b, :, a, :] = (design * bend[:, None]).T @ design
    hessian = curvature.reshape(weights.size, weights.size) + RIDGE * np.eye(weights.size)
    return np.asarray(np.linalg.solve(hessian, slope.T.ravel()).reshape(n_outputs, n_columns).T)

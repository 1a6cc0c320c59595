"""Softmax regression with a ridge that treats all states alike: weights of contrasts, by Newton's method."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from structlearn.later import sparse_linalg
from structlearn.numerics.blas_threads import threads_for
from structlearn.run import MustStop, never

Floats = NDArray[np.float64]

MOST_STEPS = 50  # a ridge keeps the weights finite, and 5 to 15 do
TOLERANCE = 1e-9  # of the steepest slope, per row
LARGEST_SYSTEM = 1000  # weights, beyond which a step by products of matrices is quicker
NEARLY = 1e-3  # of the slope, that may be left of it after a step by products
SHORTEST = 1e-6  # share of a step below which the objective only falls by rounding


@dataclass(frozen=True)
class ContrastFit:
    """The least objective, and by how much each cell is expected too often, in contrasts."""

    objective: float
    excess: Floats


@cache
def contrasts(n_levels: int) -> Floats:
    """An orthonormal basis (levels, levels - 1) of what sums to zero over the states."""
    basis = np.linalg.qr(np.eye(n_levels)[:, 1:] - 1.0 / n_levels)[0]
    return np.asarray(basis, dtype=np.float64)


def fit_contrasts(design: Floats, counts: Floats, ridge: float, must_stop: MustStop = never) -> ContrastFit:
    """Minimise minus the log-likelihood of `counts` (cells, levels) plus half the ridge times the squares.

    An intercept is added that costs nothing. As the basis is orthonormal, the ridge on contrasts is that on
    the weights of all states, whichever comes first. What must stop early has a larger objective.
    """
    basis = contrasts(counts.shape[1])
    columns = np.column_stack([design, np.ones(len(design))])
    prices = np.append(np.full(design.shape[1], ridge), 0.0)
    weights = np.zeros((columns.shape[1], basis.shape[1]))
    with threads_for(weights.size):
        objective, shares = _at(columns, counts, weights, basis, prices)
        for _ in range(MOST_STEPS):
            excess = (counts.sum(axis=1, keepdims=True) * shares - counts) @ basis
            slope = columns.T @ excess + prices[:, None] * weights
            if np.abs(slope).max(initial=0.0) <= TOLERANCE * counts.sum() or must_stop():
                break
            find_step = _newton_step if slope.size <= LARGEST_SYSTEM else _conjugate_step
            step = find_step(columns, counts.sum(axis=1), shares, basis, prices, slope)
            length = 1.0
            while length > SHORTEST:
                new_objective, new_shares = _at(columns, counts, weights - length * step, basis, prices)
                if new_objective < objective:
                    break
                length /= 2.0
            else:
                break
            weights, objective, shares = weights - length * step, new_objective, new_shares
    return ContrastFit(objective, (counts.sum(axis=1, keepdims=True) * shares - counts) @ basis)


def _at(
    columns: Floats, counts: Floats, weights: Floats, basis: Floats, prices: Floats
) -> tuple[float, Floats]:
    """The objective, and the probabilities of the states in each cell."""
    logits = columns @ weights @ basis.T
    logits -= logits.max(axis=1, keepdims=True)
    log_shares = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    objective = -float((counts * log_shares).sum()) + 0.5 * float((prices[:, None] * weights**2).sum())
    return objective, np.exp(log_shares)


def _newton_step(
    columns: Floats, sizes: Floats, shares: Floats, basis: Floats, prices: Floats, slope: Floats
) -> Floats:
    n_columns, n_outputs = slope.shape
    means = shares @ basis
    curvature = np.zeros((n_columns, n_outputs, n_columns, n_outputs))
    # Over the fewer of both: products of matrices do the rest.
    if n_outputs <= n_columns:
        for a in range(n_outputs):
            for b in range(a + 1):
                spread = sizes * (shares @ (basis[:, a] * basis[:, b]) - means[:, a] * means[:, b])
                part = columns.T @ (columns * spread[:, None])
                curvature[:, a, :, b] = curvature[:, b, :, a] = part
    else:
        for u in range(n_columns):
            for v in range(u + 1):
                mass = sizes * columns[:, u] * columns[:, v]
                part = (basis * (mass @ shares)[:, None]).T @ basis - (means * mass[:, None]).T @ means
                curvature[u, :, v] = curvature[v, :, u] = part
    for a in range(n_outputs):
        curvature[np.arange(n_columns), a, np.arange(n_columns), a] += prices
    square = curvature.reshape(n_columns * n_outputs, -1)
    ground = 1e-12 * max(float(np.trace(square)), 1.0) / len(square) * np.eye(len(square))
    return np.asarray(np.linalg.solve(square + ground, slope.ravel()), dtype=np.float64).reshape(slope.shape)


def _conjugate_step(
    columns: Floats, sizes: Floats, shares: Floats, basis: Floats, prices: Floats, slope: Floats
) -> Floats:
    """The same by conjugate gradients, nearly: a matrix of curvatures would fill the memory."""
    masses = sizes[:, None] * shares

    def bent(step: Floats) -> Floats:
        moved = columns @ step.reshape(slope.shape) @ basis.T
        pulled = masses * (moved - (shares * moved).sum(axis=1, keepdims=True))
        return np.asarray(columns.T @ (pulled @ basis) + prices[:, None] * step.reshape(slope.shape)).ravel()

    system = sparse_linalg.LinearOperator((slope.size, slope.size), matvec=bent, dtype=np.float64)
    step, _ = sparse_linalg.cg(system, slope.ravel(), rtol=NEARLY, maxiter=MOST_STEPS)
    return np.asarray(step, dtype=np.float64).reshape(slope.shape)

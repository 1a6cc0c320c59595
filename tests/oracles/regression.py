"""Penalised regressions by slow and plain means, and samples of graphs that they should find."""

from itertools import pairwise

import numpy as np
from scipy.optimize import minimize


def lasso_objective(gram, target, total, penalties, w):
    return 0.5 * (total - 2 * target @ w + w @ gram @ w) + penalties @ np.abs(w)


def lasso_by_plain_descent(gram, target, penalties, n_sweeps=20_000):
    """Every coordinate in turn, without screening, active sets or anything else."""
    w = np.zeros(len(target))
    for _ in range(n_sweeps):
        before = w.copy()
        for j in range(len(w)):
            pull = target[j] - gram[j] @ w + gram[j, j] * w[j]
            w[j] = np.sign(pull) * max(abs(pull) - penalties[j], 0.0) / gram[j, j]
        if np.abs(w - before).max() < 1e-13:
            break
    return w


def lasso_violation(gram, target, penalties, w):
    """How far the subgradient conditions are from true."""
    slope = target - gram @ w
    inside = np.maximum(np.abs(slope) - penalties, 0.0)
    return np.where(w != 0, np.abs(slope - penalties * np.sign(w)), inside).max()


def logistic_objective(design, outcome, penalty, intercept, w):
    z = intercept + design @ w
    return np.mean(np.logaddexp(0.0, z) - outcome * z) + penalty * np.abs(w).sum()


def group_softmax_by_smoothing(columns, starts, codes, n_levels, penalties):
    """The group-penalised softmax with √(‖W_t‖² + tiny) in place of each norm, by quasi-Newton steps."""
    n, p = columns.shape

    def objective(flat):
        weights, intercepts = flat[: p * n_levels].reshape(p, n_levels), flat[p * n_levels :]
        linear = columns @ weights + intercepts
        logs = linear - np.logaddexp.reduce(linear, axis=1, keepdims=True)
        residual = np.exp(logs)
        residual[np.arange(n), codes] -= 1.0
        value, slope = -logs[np.arange(n), codes].mean(), columns.T @ residual / n
        for t, (a, b) in enumerate(pairwise(starts)):
            norm = np.sqrt((weights[a:b] ** 2).sum() + 1e-16)
            value += penalties[t] * norm
            slope[a:b] += penalties[t] * weights[a:b] / norm
        return value, np.concatenate([slope.ravel(), residual.mean(axis=0)])

    options = {"maxiter": 3000, "maxfun": 5000, "ftol": 1e-14, "gtol": 1e-9}
    start = np.zeros(p * n_levels + n_levels)
    return minimize(objective, start, jac=True, method="L-BFGS-B", options=options).fun


def gaussian_rows(precision, n_rows, rng):
    return rng.normal(size=(n_rows, len(precision))) @ np.linalg.cholesky(np.linalg.inv(precision)).T


def chain_precision(p, strength=0.4):
    return np.eye(p) + strength * (np.eye(p, k=1) + np.eye(p, k=-1))


def hub_precision(n_hubs=5, size=10, strength=0.25):
    precision = np.eye(n_hubs * size)
    for hub in range(0, n_hubs * size, size):
        precision[hub, hub + 1 : hub + size] = precision[hub + 1 : hub + size, hub] = strength
    return precision


def random_precision(p, rng, density=0.05):
    upper = np.triu(rng.random((p, p)) < density, k=1)
    joined = (upper + upper.T).astype(float)
    lowest = np.linalg.eigvalsh(0.3 * joined)[0]
    return 0.3 * joined + (abs(lowest) + 0.2) * np.eye(p)


def f1(found, truth):
    """Of two symmetric matrices whose zeros off the diagonal say that there is no edge."""
    found, truth = (np.triu(np.asarray(matrix) != 0, k=1) for matrix in (found, truth))
    return 2 * (found & truth).sum() / max(found.sum() + truth.sum(), 1)


def ising_chain_rows(p, n_rows, coupling, rng):
    """An Ising chain without field: each spin agrees with the one before with probability σ(2·coupling)."""
    first = rng.choice([-1, 1], size=(n_rows, 1))
    agrees = rng.random((n_rows, p - 1)) < 1 / (1 + np.exp(-2 * coupling))
    return np.hstack([first, first * np.cumprod(np.where(agrees, 1, -1), axis=1)])


def ising_rows(couplings, n_rows, rng, *, blocks=None, n_sweeps=100):
    """Gibbs sampling, one chain per row; spins of a block, not coupled to each other, move at once."""
    spins = rng.choice([-1.0, 1.0], size=(n_rows, len(couplings)))
    for _ in range(n_sweeps):
        for block in range(len(couplings)) if blocks is None else blocks:
            up = 1 / (1 + np.exp(-2 * spins @ couplings[:, block]))
            spins[:, block] = np.where(rng.random(up.shape) < up, 1.0, -1.0)
    return spins.astype(int)


def chessboard(side):
    """The two colours of a square grid's places."""
    colour = np.add.outer(np.arange(side), np.arange(side)).ravel() % 2
    return [np.flatnonzero(colour == 0), np.flatnonzero(colour == 1)]


def grid_couplings(side, strength, rng):
    """A square grid whose couplings are ±strength at random."""
    couplings = np.zeros((side**2, side**2))
    for i in range(side**2):
        for j in ([i + 1] if (i + 1) % side else []) + ([i + side] if i + side < side**2 else []):
            couplings[i, j] = couplings[j, i] = strength * rng.choice([-1, 1])
    return couplings

"""Sparse precision matrices by their definitions: objective, dual, optimality, slow solvers."""

import numpy as np
from scipy.optimize import minimize

S4 = np.array([[1, 0.5, 0.3, 0.1], [0.5, 1, 0.4, 0.2], [0.3, 0.4, 1, 0.6], [0.1, 0.2, 0.6, 1]])
"""The covariance matrix of docs/references/regression.md#sparse-precision."""


def off_diagonal(penalty, p):
    return penalty * (1.0 - np.eye(p))


def everywhere(penalty, p):
    return np.full((p, p), penalty)


def objective(covariance, penalties, precision):
    priced = np.where(precision == 0.0, 0.0, penalties * np.abs(precision))
    return np.trace(covariance @ precision) + priced.sum() - np.linalg.slogdet(precision)[1]


def optimality_residual(covariance, penalties, precision):
    """How far W - S is from ρ sign X on non-zeros, and beyond ρ on zeros."""
    pull = np.linalg.inv(precision) - covariance
    with np.errstate(invalid="ignore"):
        at_nonzero = np.abs(pull - penalties * np.sign(precision))
        at_zero = np.abs(pull) - penalties
    return max(np.where(precision != 0.0, at_nonzero, at_zero).max(), 0.0)


def block_coordinate(covariance, penalties, n_rounds=60):
    """Algorithm A of Banerjee et al.: each column of W by a quadratic program in a box."""
    w = covariance + np.diag(np.diag(penalties))
    p = len(w)
    for _ in range(n_rounds):
        for j in range(p):
            others = np.delete(np.arange(p), j)
            inverse = np.linalg.inv(w[np.ix_(others, others)])
            middle, width = covariance[others, j], penalties[others, j]
            found = minimize(
                lambda y, a=inverse: (y @ a @ y, 2.0 * a @ y),
                w[others, j],
                jac=True,
                method="L-BFGS-B",
                bounds=list(zip(middle - width, middle + width, strict=True)),
                options={"ftol": 1e-15, "gtol": 1e-12, "maxiter": 1000},
            )
            w[others, j] = w[j, others] = found.x
    return np.linalg.inv(w)


def random_correlation(seed, n_columns, n_rows):
    """Of rows whose columns are random sums of each other."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_rows, n_columns)) @ (
        np.eye(n_columns) + 0.4 * rng.normal(size=(n_columns, n_columns)) / np.sqrt(n_columns)
    )
    return np.corrcoef(rows, rowvar=False).reshape(n_columns, n_columns)


def draw(precision, n_rows, seed):
    """Normal rows with this precision matrix."""
    noise = np.random.default_rng(seed).normal(size=(len(precision), n_rows))
    return np.linalg.solve(np.linalg.cholesky(precision).T, noise).T


def fitted_by_edges(covariance, is_edge, n_rounds=20_000):
    """The covariance of most likelihood of a graph: each edge in turn gets the moments of its two columns."""
    precision = np.diag(1.0 / np.diag(covariance))
    pairs = np.argwhere(np.triu(is_edge, k=1)).tolist()
    for _ in range(n_rounds):
        before = precision.copy()
        for pair in pairs:
            block = np.ix_(pair, pair)
            now = np.linalg.inv(precision)[block]
            precision[block] += np.linalg.inv(covariance[block]) - np.linalg.inv(now)
        if np.abs(precision - before).max() < 1e-12:
            break
    return np.linalg.inv(precision)

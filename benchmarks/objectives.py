"""The penalised problems that libraries solve: an estimate's value, and how far from the best it can be.

Written from the definitions, apart from the solvers that are judged.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, xlogy

from benchmarks.tables import Table

Matrix = NDArray[np.float64]
Quality = tuple[float, float]


def standardised(table: Table) -> Matrix:
    """The columns with mean 0 and mean square 1."""
    centred = table.values - table.values.mean(axis=0)
    return np.asfortranarray(centred / np.sqrt((centred**2).mean(axis=0)))


def correlation(table: Table) -> Matrix:
    """What the graphical lasso takes for the covariance."""
    columns = standardised(table)
    return columns.T @ columns / len(columns)


def signs(table: Table) -> Matrix:
    """Binary columns as -1 and 1."""
    return np.asfortranarray(2.0 * table.values - 1.0)


def precision_quality(table: Table, estimate: Matrix) -> Quality:
    """Of -log det X + tr(S X) + penalty · Σ|X_ij| over i ≠ j; the dual is log det W + p."""
    covariance, precision = correlation(table), (estimate + estimate.T) / 2.0
    others = np.abs(precision).sum() - np.abs(np.diag(precision)).sum()
    try:
        factor = cho_factor(precision)
        value = (covariance * precision).sum() + table.penalty * others - _log_determinant(factor[0])
        step = np.clip(cho_solve(factor, np.eye(len(precision))) - covariance, -table.penalty, table.penalty)
        is_in = precision != 0.0
        step[is_in] = table.penalty * np.sign(precision[is_in])
        np.fill_diagonal(step, 0.0)
        best = _log_determinant(cho_factor(covariance + step)[0]) + len(precision)
    except np.linalg.LinAlgError:
        return np.inf, np.inf
    return float(value), float(value - best)


def lasso_quality(table: Table, estimate: Matrix) -> Quality:
    """The mean over nodes of ½·mean squared error + penalty · Σ|w|, of standardised columns."""
    columns, weights = standardised(table), estimate[:, : len(estimate)]
    errors = columns - columns @ weights.T
    pulls = errors.T @ columns / len(columns)
    np.fill_diagonal(pulls, 0.0)
    scale = np.minimum(1.0, table.penalty / np.abs(pulls).max(axis=1))
    squares, products = (errors**2).mean(axis=0), (columns * errors).mean(axis=0)
    values = 0.5 * squares + table.penalty * np.abs(weights).sum(axis=1)
    best = scale * products - 0.5 * scale**2 * squares
    return float(values.mean()), float((values - best).mean())


def logistic_quality(table: Table, estimate: Matrix) -> Quality:
    """The mean over nodes of the mean logistic loss + ½·penalty · Σ|w|, of columns of signs.

    Half, as w is twice the coupling of the Ising model.
    """
    columns, penalty = signs(table), table.penalty / 2.0
    weights, intercepts = estimate[:, : len(estimate)], estimate[:, -1]
    linear = columns @ weights.T + intercepts
    errors = table.values - expit(linear)
    errors -= errors.mean(axis=0)  # the dual of a free intercept
    pulls = errors.T @ columns / len(columns)
    np.fill_diagonal(pulls, 0.0)
    scale = np.minimum(1.0, penalty / np.abs(pulls).max(axis=1))
    values = (np.logaddexp(0.0, linear) - table.values * linear).mean(axis=0)
    values += penalty * np.abs(weights).sum(axis=1)
    chances = np.clip(table.values - scale * errors, 0.0, 1.0)
    best = -(xlogy(chances, chances) + xlogy(1.0 - chances, 1.0 - chances)).mean(axis=0)
    return float(values.mean()), float((values - best).mean())


def _log_determinant(factor: Matrix) -> float:
    return 2.0 * float(np.log(np.diag(factor)).sum())

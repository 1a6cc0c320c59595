"""Minimisation of the penalised likelihood column by column, each by a lasso.

Banerjee, El Ghaoui and d'Aspremont (2008), Model selection through sparse maximum likelihood
estimation for multivariate Gaussian or binary data, Journal of Machine Learning Research 9, whose
problem in a column is the dual of the lasso of Friedman, Hastie and Tibshirani (2008), Sparse
inverse covariance estimation with the graphical lasso, Biostatistics 9.
"""

import numpy as np

from structlearn.numerics.descent import lasso
from structlearn.numerics.precision.penalised_likelihood import (
    Matrix,
    PrecisionFit,
    dual_start,
    factor_of,
    gap_of_inverse,
    inverse_of,
    log_determinant,
)
from structlearn.run import MustStop, never

MOST_ROUNDS = 500  # far more than converge; where columns are collinear the gap says how far it came


def block(
    covariance: Matrix, penalties: Matrix, *, tolerance: float, must_stop: MustStop = never
) -> PrecisionFit:
    """Minimise, going round the columns until the gap is at most `tolerance` for each of them."""
    p = len(covariance)
    # From a point of the dual, and nowhere else, every round improves it and it stays invertible.
    inverse = dual_start(covariance, penalties)
    slopes = np.zeros((p, p))
    best = _fit(covariance, penalties, np.diag(1.0 / np.diag(inverse)), 0)
    for n_rounds in range(1, MOST_ROUNDS + 1):
        for column in range(p):
            if must_stop():
                return best
            _improve_column(covariance, penalties, inverse, slopes, column, tolerance)
        fit = _fit(covariance, penalties, _precision(inverse, slopes), n_rounds)
        best = fit if fit.gap <= best.gap else best
        if best.gap <= tolerance * p:
            break
    return best


def _improve_column(
    covariance: Matrix, penalties: Matrix, inverse: Matrix, slopes: Matrix, column: int, tolerance: float
) -> None:
    weights = penalties[column].copy()
    weights[column] = np.inf
    fit = lasso(
        inverse,
        covariance[column],
        penalty=1.0,
        weights=weights,
        start=slopes[column],
        tolerance=0.01 * tolerance,
        total=inverse[column, column],
    )
    slopes[column] = fit.coefficients
    variance = inverse[column, column]
    inverse[column] = inverse @ fit.coefficients
    inverse[:, column] = inverse[column]
    inverse[column, column] = variance


def _precision(inverse: Matrix, slopes: Matrix) -> Matrix:
    """The matrix that has these regressions; an entry is zero where either of its two is."""
    diagonal = 1.0 / (np.diag(inverse) - (inverse * slopes).sum(axis=1))
    precision = -slopes * diagonal[:, None]
    precision = np.where((slopes == 0.0) | (slopes.T == 0.0), 0.0, 0.5 * (precision + precision.T))
    np.fill_diagonal(precision, diagonal)
    return precision


def _fit(covariance: Matrix, penalties: Matrix, precision: Matrix, n_rounds: int) -> PrecisionFit:
    factor = factor_of(precision)
    if factor is None:
        return PrecisionFit(precision, np.zeros_like(precision), -np.inf, np.inf, n_rounds)
    inverse, size = inverse_of(factor), log_determinant(factor)
    gap = gap_of_inverse(covariance, penalties, precision, inverse, size)
    return PrecisionFit(precision, inverse, size, gap, n_rounds)

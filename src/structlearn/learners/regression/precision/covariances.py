"""Covariances of columns, of parts of their rows, and what a precision matrix loses on them."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.precision.penalised_likelihood import Matrix, factor_of, log_determinant

Values = NDArray[np.float64]


def covariance_of(rows: Values, *, standardise: bool) -> Matrix:
    """Of rows, with variances of 1 where asked, and in any case for columns that are constant."""
    centred = rows - rows.mean(axis=0)
    centred[:, (rows == rows[:1]).all(axis=0)] = 0.0
    return scaled(centred.T @ centred / len(rows), standardise=standardise)


def scaled(covariance: Matrix, *, standardise: bool) -> Matrix:
    """The covariances, or the correlations; a constant column has variance 1 and no covariances."""
    variances = np.diag(covariance)
    kept = np.where(variances > 0.0, variances, 1.0)
    found = covariance / np.sqrt(np.outer(kept, kept)) if standardise else covariance.copy()
    np.fill_diagonal(found, 1.0 if standardise else kept)
    return found


def moments_beside(kept: Values, held_out: Values, *, standardise: bool) -> Matrix:
    """The second moments of held-out rows about the mean of the kept, in their units."""
    apart = held_out - kept.mean(axis=0)
    if standardise:
        deviation = kept.std(axis=0)
        apart = apart / np.where(deviation > 0.0, deviation, 1.0)
    moments: Matrix = apart.T @ apart / len(held_out)
    return moments


def loss(precision: Matrix, covariance: Matrix) -> float:
    """-2 / n times the log-likelihood of rows with this covariance, but for a constant."""
    factor = factor_of(precision)
    if factor is None:
        return np.inf
    return float(np.vdot(precision, covariance)) - log_determinant(factor)

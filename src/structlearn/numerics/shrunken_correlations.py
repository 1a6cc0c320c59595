"""Partial correlations of a correlation matrix that is shrunk towards independence."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.statistics import Statistics, rows_of

FEWEST_ROWS = 3  # the variance of a correlation cannot be estimated from fewer


def best_shrinkage(rows: NDArray[np.float64]) -> float:
    """The shrinkage of correlations with the least expected squared error.

    `rows` are standardised with the unbiased variance. Sums over pairs come from two products of
    the rows with themselves, of the smaller of the two shapes.
    """
    n = len(rows)
    squares = rows**2
    # Σ_ij w̄_ij² and Σ_ij Σ_k w_kij², over all pairs, then less the diagonal.
    gram = rows @ rows.T if n < rows.shape[1] else rows.T @ rows
    all_means = float((gram**2).sum()) / n**2
    all_squares = float((squares.sum(axis=1) ** 2).sum())
    own_means = float((squares.sum(axis=0) ** 2).sum()) / n**2
    own_squares = float((squares**2).sum())
    mean_squares = all_means - own_means
    variance = n / (n - 1) ** 3 * (all_squares - own_squares - n * mean_squares)
    correlations = (n / (n - 1)) ** 2 * mean_squares
    if correlations <= 0.0:
        return 1.0
    return float(np.clip(variance / correlations, 0.0, 1.0))


def partial_correlations(rows: NDArray[np.float64], shrinkage: float) -> NDArray[np.float64]:
    """Partial correlations of the shrunken correlation matrix; 1 on the diagonal, 0 for constants."""
    n, p = rows.shape
    if shrinkage > 0.0 and n < p:
        # (λ I + (1 - λ) XᵀX / (n - 1))⁻¹ by the rows, which are fewer (Woodbury).
        scaled = rows * np.sqrt((1.0 - shrinkage) / (n - 1))
        inner = shrinkage * np.eye(n) + scaled @ scaled.T
        precision = (np.eye(p) - scaled.T @ np.linalg.solve(inner, scaled)) / shrinkage
    else:
        shrunken = (1.0 - shrinkage) * (rows.T @ rows) / (n - 1)
        np.fill_diagonal(shrunken, 1.0)
        precision = np.linalg.inv(shrunken)
    scale = np.sqrt(np.diag(precision))
    partial = -precision / np.outer(scale, scale)
    np.fill_diagonal(partial, 1.0)
    return np.asarray(partial)


def refuse_few_rows(owner: str, n_rows: int, n_columns: int) -> None:
    """Without shrinkage correlations have an inverse only where different rows are more than the columns."""
    if n_rows <= n_columns:
        raise DataError(
            f"{owner}(shrinkage=0): without shrinkage the table must have more different rows than columns, "
            f"not {n_rows} and {n_columns}. Give a number above 0."
        )


def standardised_rows(owner: str, statistics: Statistics) -> NDArray[np.float64]:
    """The rows with mean 0 and unbiased variance 1; constant columns are zero."""
    rows = rows_of(owner, statistics, range(len(statistics.names)))
    if rows.weights is not None:
        raise DataError(f"{owner} takes no case weights.")
    if statistics.n_rows < FEWEST_ROWS:
        raise DataError(f"{owner}: {statistics.n_rows} rows are too few; it takes {FEWEST_ROWS}.")
    centred = rows.values - rows.values.mean(axis=0)
    deviation = np.sqrt((centred**2).sum(axis=0) / (len(centred) - 1))
    constant = np.diag(statistics.moments().covariance) == 0.0
    return np.where(constant, 0.0, centred / np.where(constant, 1.0, deviation))

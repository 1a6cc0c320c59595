"""The Gaussian likelihood of a precision matrix with an L1 penalty, its dual, and their gap.

The precision matrix X minimises `-log det X + tr(S X) + Σ ρ_ij |X_ij|` for a covariance matrix S and
penalties ρ, of which some may be 0 and some infinite (then the entry is 0). The dual maximises
`log det W + p` over W with |W_ij - S_ij| <= ρ_ij.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.later import lapack, sparse
from structlearn.numerics.kernels.precision import free_pairs, mirror

Matrix = NDArray[np.float64]
MANY = 300  # columns from which a product of sparse matrices is quicker than the determinant of a full one
NEARBY = 0.1  # the δ up to which the bound is taken for the gap: it is at most a fifth more


@dataclass(frozen=True, slots=True)
class PrecisionFit:
    """A precision matrix, its inverse, and how far its penalised likelihood may be from the best."""

    precision: Matrix
    covariance: Matrix
    log_determinant: float  # of the precision matrix
    gap: float
    n_steps: int


def factor_of(matrix: Matrix, *, overwrite: bool = False) -> Matrix | None:
    """The Cholesky factor, below the diagonal (above it is rubbish); None if not positive definite."""
    # The transpose of a symmetric matrix is itself, in the order of memory that LAPACK wants.
    factor, failed = lapack.dpotrf(matrix.T, lower=0, clean=0, overwrite_a=overwrite)
    return None if failed else factor.T


def log_determinant(factor: Matrix) -> float:
    """Of the matrix that has this Cholesky factor."""
    return 2.0 * float(np.log(np.diag(factor)).sum())


def inverse_of(factor: Matrix) -> Matrix:
    """Of the matrix that has this Cholesky factor."""
    inverse: Matrix = lapack.dpotri(factor.T, lower=0)[0].T
    mirror(inverse)
    return inverse


def objective(covariance: Matrix, penalties: Matrix, precision: Matrix) -> float:
    """What is minimised; infinite where the matrix is not positive definite."""
    factor = factor_of(precision)
    return np.inf if factor is None else price(covariance, penalties, precision) - log_determinant(factor)


def price(covariance: Matrix, penalties: Matrix, precision: Matrix) -> float:
    """What is minimised, but for the determinant."""
    at = _filled(precision)
    entries = precision.take(at)
    return float(covariance.take(at) @ entries + penalties.take(at) @ np.abs(entries))


def duality_gap(covariance: Matrix, penalties: Matrix, precision: Matrix, inverse: Matrix) -> float:
    """The objective of `precision` less that of a point of the dual beside its `inverse`.

    On non-zero entries that point is where the optimum must be, S + ρ sign X, so that the gap
    vanishes with the square of the distance to the optimum, not with the distance.
    """
    factor = factor_of(precision)
    if factor is None:
        return np.inf
    return gap_of_inverse(covariance, penalties, precision, inverse, log_determinant(factor))


def gap_of_inverse(
    covariance: Matrix, penalties: Matrix, precision: Matrix, inverse: Matrix, size: float
) -> float:
    """The duality gap of a `precision` whose inverse and log-determinant, `size`, are known."""
    if len(precision) >= MANY:
        gap = gap_nearby(covariance, penalties, precision, inverse)
        if gap is not None:
            return gap
    at = _filled(precision)
    entries = precision.take(at)
    prices = covariance.take(at) * entries + penalties.take(at) * np.abs(entries)
    for dual in _dual_points(covariance, penalties, precision, inverse):
        dual_factor = factor_of(dual)
        if dual_factor is not None:
            # tr(X⁻¹ X) stands for p, entry by entry: what is nearly zero in sum is so in each term.
            excess = float((prices - inverse.take(at) * entries).sum())
            return max(0.0, excess - log_determinant(dual_factor) - size)
    return np.inf


def gap_nearby(covariance: Matrix, penalties: Matrix, precision: Matrix, inverse: Matrix) -> float | None:
    """An upper bound of the gap that needs no determinant, sharp where the optimum is near; None elsewhere.

    For the point of the dual D the gap is tr M - log det (1 + M) with M = X (D - X⁻¹), whose eigenvalues
    are real. It is at most tr M² / 2 (1 - δ), where δ² = tr M² < 1 bounds each of them. D is not X⁻¹ in few
    entries: those that are free to move.
    """
    rows, ends = free_pairs(covariance, inverse, precision, penalties)
    pairs = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0)), rows
    entries, beside = precision[pairs], inverse[pairs] - covariance[pairs]
    signs = np.sign(np.where(entries == 0.0, beside, entries))
    starts = np.concatenate(([0], ends))
    sparse_precision, sparse_step = (
        _mirrored(sparse.csr_array((values, rows, starts), shape=precision.shape))
        for values in (entries, signs * penalties[pairs] - beside)
    )
    product = sparse_precision @ sparse_step
    square = float(product.multiply(product.T).sum())
    return square / (2.0 - 2.0 * np.sqrt(square)) if 0.0 <= square < NEARBY**2 else None


def _mirrored(lower: Any) -> Any:
    """The symmetric sparse matrix with this lower triangle."""
    return lower + sparse.tril(lower, k=-1).T


def dual_point(covariance: Matrix, penalties: Matrix, precision: Matrix, inverse: Matrix) -> Matrix | None:
    """The point of the dual beside `inverse` that `duality_gap` compares with."""
    points = _dual_points(covariance, penalties, precision, inverse)
    return next((dual for dual in points if factor_of(dual) is not None), None)


def _dual_points(
    covariance: Matrix, penalties: Matrix, precision: Matrix, inverse: Matrix
) -> Iterator[Matrix]:
    beside, at = inverse - covariance, _filled(precision)
    np.maximum(np.minimum(beside, penalties, out=beside), -penalties, out=beside)
    beside.put(at, np.sign(precision.take(at)) * penalties.take(at))
    beside += covariance
    yield beside
    yield dual_start(covariance, penalties)


def _filled(matrix: Matrix) -> NDArray[np.int64]:
    """The places that are not zero, row by row: numpy finds them much faster among truth values."""
    return np.flatnonzero(matrix != 0.0)


def dual_start(covariance: Matrix, penalties: Matrix) -> Matrix:
    """A point that the dual allows: S with its other entries shrunk alike as far as the penalties let."""
    size = np.abs(covariance)
    np.fill_diagonal(size, 0.0)
    ratios = np.divide(penalties, size, out=np.full_like(size, np.inf), where=size > 0.0)
    start = covariance * (1.0 - min(1.0, float(ratios.min(initial=np.inf))))
    np.fill_diagonal(start, np.diag(covariance) + np.diag(penalties))
    return start

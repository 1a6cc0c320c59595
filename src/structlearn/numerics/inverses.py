"""Determinants and inverses of large matrices, which end within a moment where time is up."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import lapack, linalg
from structlearn.numerics.products import product
from structlearn.run import MustStop, OutOfTime, never

Floats = NDArray[np.float64]
AT_ONCE = 256  # columns that are eliminated, or solved for, between two looks at the clock


def log_size_and_inverse(matrix: Floats, must_stop: MustStop = never) -> tuple[float, Floats]:
    """The logarithm of |det A| and the inverse of A: −∞ and 0s where there is none; or raise `OutOfTime`."""
    if len(matrix) <= AT_ONCE:
        sign, size = np.linalg.slogdet(matrix)
        is_singular = sign == 0.0
        inverse = np.zeros_like(matrix) if is_singular else np.asarray(np.linalg.inv(matrix), np.float64)
        return (-np.inf if is_singular else float(size)), inverse
    factors, order = _eliminated(matrix, must_stop)
    if not np.diag(factors).all():
        return -np.inf, np.zeros_like(matrix)
    found = np.eye(len(matrix))[order]
    for start in range(0, len(matrix), AT_ONCE):
        _go_on(must_stop)
        some = slice(start, start + AT_ONCE)
        found[:, some] = _solved(factors, _solved_below(factors, found[:, some]))
    return float(np.log(np.abs(np.diag(factors))).sum()), found


def _eliminated(matrix: Floats, must_stop: MustStop) -> tuple[Floats, NDArray[np.int64]]:
    """L below the diagonal and U on and above it, with L U = the rows of the matrix in the order given."""
    left, order = matrix.copy(), np.arange(len(matrix))
    for start in range(0, len(matrix), AT_ONCE):
        _go_on(must_stop)
        end = min(start + AT_ONCE, len(matrix))
        panel, pivots, _ = lapack.dgetrf(left[start:, start:end])
        moved = np.arange(start, len(matrix))
        for row, pivot in enumerate(pivots.tolist()):
            moved[[row, pivot]] = moved[[pivot, row]]
        left[start:], order[start:] = left[moved], order[moved]
        left[start:, start:end] = panel
        if end < len(matrix):
            left[start:end, end:] = _solved_below(panel[: end - start], left[start:end, end:])
            left[end:, end:] -= product(panel[end - start :], left[start:end, end:], must_stop)
    return left, order


def _solved_below(factors: Floats, right: Floats) -> Floats:
    return np.asarray(
        linalg.solve_triangular(factors, right, lower=True, unit_diagonal=True, check_finite=False)
    )


def _solved(factors: Floats, right: Floats) -> Floats:
    return np.asarray(linalg.solve_triangular(factors, right, check_finite=False))


def _go_on(must_stop: MustStop) -> None:
    if must_stop():
        raise OutOfTime

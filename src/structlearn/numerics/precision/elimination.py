"""The determinant and the inverse of a sparse positive definite matrix.

Columns that few others are joined with are eliminated first, which joins those. Of a tree nearly nothing is
left, of a random graph with eight neighbours each a half, nearly full: that is for LAPACK.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.kernels.elimination import eliminate, fill_inverse
from structlearn.numerics.precision.penalised_likelihood import Matrix, factor_of, inverse_of, log_determinant

Columns = NDArray[np.int64]
MANY = 150  # columns; fewer are factored before they have been looked at
_NO_COLUMNS, _NO_NUMBERS = np.empty(0, dtype=np.int64), np.empty(0)
NOTHING = (_NO_COLUMNS, _NO_COLUMNS, _NO_COLUMNS, _NO_NUMBERS, _NO_NUMBERS)


@dataclass(frozen=True, slots=True)
class SparseFactor:
    """What `eliminate` says of the columns that are gone; those that are left, and their Cholesky factor."""

    gone: tuple[Columns, Columns, Columns, Matrix, Matrix]
    left: Columns
    factor: Matrix

    @property
    def log_determinant(self) -> float:
        """Of the matrix."""
        return float(np.log(self.gone[-1]).sum()) + log_determinant(self.factor)

    def inverse(self) -> Matrix:
        """Of the matrix."""
        of_left = inverse_of(self.factor)
        if not len(self.gone[0]):
            return of_left
        p = len(self.left) + len(self.gone[0])
        inverse = np.zeros((p, p))
        inverse[np.ix_(self.left, self.left)] = of_left
        fill_inverse(*self.gone, inverse)
        return inverse


def sparse_factor(matrix: Matrix) -> SparseFactor | None:
    """Of a symmetric matrix; None if it is not positive definite."""
    rest, left, gone = matrix.copy(), np.arange(len(matrix)), NOTHING
    if len(matrix) >= MANY:
        gone = eliminate(rest, np.count_nonzero(rest, axis=1) - 1)
        if not (gone[-1] > 0.0).all():
            return None
        left = np.setdiff1d(left, gone[0])
        rest = rest[np.ix_(left, left)] if len(gone[0]) else rest
    factor = factor_of(rest, overwrite=True)
    return None if factor is None else SparseFactor(gone, left, factor)

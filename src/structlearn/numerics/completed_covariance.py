"""A covariance matrix completed to the one of most likelihood whose inverse is zero off a graph.

The entries of the graph are kept, and the others are moved to where the determinant is largest (Dempster,
1972, Covariance selection, Biometrics 28). From a good start, such as that of a graph with an edge more, a
few steps of Newton's method suffice; each solves for all free entries at once by conjugate gradients.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import lapack

Matrix = NDArray[np.float64]
ZERO = 1e-9  # of a partial correlation: determinants are then good to all digits but the last two
MOST_STEPS = 100
ENOUGH = 0.1  # of a residual of conjugate gradients: Newton's next step corrects the rest


def completed_covariance(covariance: Matrix, is_free: NDArray[np.bool_]) -> Matrix:
    """Move the free entries of a positive definite matrix until its inverse is zero there."""
    found, precision = covariance, _inverse(covariance)
    if precision is None:
        raise np.linalg.LinAlgError("the matrix is not positive definite")
    for _ in range(MOST_STEPS):
        slopes = np.where(is_free, precision, 0.0)
        scale = np.sqrt(np.diag(precision))
        if float(np.abs(slopes / np.outer(scale, scale)).max(initial=0.0)) <= ZERO:
            break
        step = _newton_step(precision, slopes, is_free)
        found, precision = _moved(found, step, precision)
    return found


def _newton_step(precision: Matrix, slopes: Matrix, is_free: NDArray[np.bool_]) -> Matrix:
    """Solve K D K = K on the free entries, by conjugate gradients scaled with the diagonal."""
    diagonal = np.diag(precision)
    scale = np.outer(diagonal, diagonal) + precision**2
    step, residual = np.zeros_like(slopes), slopes.copy()
    scaled = residual / scale
    direction, size = scaled.copy(), float((residual * scaled).sum())
    enough = ENOUGH**2 * size
    for _ in range(len(precision)):
        image = np.where(is_free, precision @ direction @ precision, 0.0)
        length = size / float((direction * image).sum())
        step += length * direction
        residual -= length * image
        scaled = residual / scale
        before, size = size, float((residual * scaled).sum())
        if size <= enough:
            break
        direction = scaled + (size / before) * direction
    return step


def _moved(found: Matrix, step: Matrix, precision: Matrix) -> tuple[Matrix, Matrix]:
    """The matrix after a step, shortened until it is positive definite and its determinant has grown."""
    before = np.linalg.slogdet(precision)[1]
    for _ in range(60):
        moved = found + step
        inverse = _inverse(moved)
        if inverse is not None and np.linalg.slogdet(inverse)[1] <= before + 1e-12:
            return moved, inverse
        step = 0.5 * step
    return found, precision


def _inverse(matrix: Matrix) -> Matrix | None:
    factor, failed = lapack.dpotrf(matrix, lower=1)
    if failed:
        return None
    if not factor.size:  # of which LAPACK complains on standard error
        return matrix
    lower = np.tril(lapack.dpotri(factor, lower=1)[0])
    return np.asarray(lower + np.tril(lower, k=-1).T)

"""Matrices of low norm that fit the entries that are known: margins for signs, squares for numbers.

The norm is that of the singular values, the smallest (‖U‖² + ‖V‖²)/2 over all U·Vᵀ that make the matrix.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.later import optimize

Floats = NDArray[np.float64]
Known = NDArray[np.bool_]
Slopes = Callable[[Floats, Floats], tuple[Floats, Floats]]

MOST_STEPS = 2000
ENOUGH = 1e-9  # the change, per size of the matrix, at which soft-impute has arrived


class LowNorm(NamedTuple):
    """Row factors U, column factors V, and the value of what was minimised."""

    rows: Floats
    columns: Floats
    value: float

    def matrix(self) -> Floats:
        """U·Vᵀ."""
        return self.rows @ self.columns.T


def hinge(width: float = 1.0) -> Slopes:
    """The hinge max(0, 1 − z) of z = label · fitted, with a round corner of this width.

    With width 1 it is the smooth hinge of Rennie and Srebro; as it goes to 0, the hinge itself.
    """

    def loss(labels: Floats, fitted: Floats) -> tuple[Floats, Floats]:
        short = np.maximum(1.0 - labels * fitted, 0.0)
        is_corner = short < width
        values = np.where(is_corner, short**2 / (2.0 * width), short - width / 2.0)
        return values, -labels * np.where(is_corner, short / width, 1.0)

    return loss


def squares(labels: Floats, fitted: Floats) -> tuple[Floats, Floats]:
    """Half the squared difference, and its slope."""
    return 0.5 * (fitted - labels) ** 2, fitted - labels


def factorised(
    labels: Floats, is_known: Known, start: tuple[Floats, Floats], cost: float, loss: Slopes
) -> LowNorm:
    """Minimise (‖U‖² + ‖V‖²)/2 + cost · loss of the known entries, by L-BFGS.

    A local optimum whose factors have less than full rank is a global one.
    """
    rows, columns = np.nonzero(is_known)
    wanted, (n_rows, rank) = labels[rows, columns], start[0].shape
    cut = n_rows * rank

    def value_and_slope(point: Floats) -> tuple[float, Floats]:
        left, right = point[:cut].reshape(-1, rank), point[cut:].reshape(-1, rank)
        values, slopes = loss(wanted, np.einsum("ij,ij->i", left[rows], right[columns]))
        pull = np.zeros(labels.shape)
        pull[rows, columns] = cost * slopes
        gradient = np.concatenate([(left + pull @ right).ravel(), (right + pull.T @ left).ravel()])
        return 0.5 * float(point @ point) + cost * float(values.sum()), gradient

    point, value = minimised(value_and_slope, np.concatenate([start[0].ravel(), start[1].ravel()]))
    return LowNorm(point[:cut].reshape(-1, rank), point[cut:].reshape(-1, rank), value)


def minimised(
    value_and_slope: Callable[[Floats], tuple[float, Floats]], begin: Floats
) -> tuple[Floats, float]:
    """Where L-BFGS ends, and the value there."""
    settings = {"maxiter": MOST_STEPS, "maxfun": 10 * MOST_STEPS, "ftol": 1e-12, "gtol": 1e-6}
    found = optimize.minimize(value_and_slope, begin, jac=True, method="L-BFGS-B", options=settings)
    return np.asarray(found.x), float(found.fun)


def small_start(shape: tuple[int, int], rank: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Factors to begin from; at 0 no direction would lead downwards."""
    return 0.1 * rng.normal(size=(shape[0], rank)), 0.1 * rng.normal(size=(shape[1], rank))


def shrunken(matrix: Floats, by: float) -> Floats:
    """The matrix with its singular values made smaller by so much, down to 0."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray((left * np.maximum(values - by, 0.0)) @ right)


def soft_imputed(
    labels: Floats,
    is_known: Known,
    penalty: float,
    stop: Callable[[], bool] = lambda: False,
    *,
    shifts: bool = False,
) -> Floats:
    """Minimise half the squared error of the known entries + penalty · the sum of singular values.

    With `shifts` each row and each column has a number of its own besides, which costs nothing: what rows
    and columns have in common is left as it is when singular values are made smaller.
    """
    fitted, known = np.zeros(labels.shape), np.where(is_known, labels, 0.0)
    size = max(float(np.linalg.norm(known)), np.finfo(float).tiny)
    for _ in range(MOST_STEPS):
        filled = np.where(is_known, known, fitted)
        common = _in_common(filled) if shifts else 0.0
        better = common + shrunken(filled - common, penalty)
        change = float(np.linalg.norm(better - fitted))
        fitted = better
        if change <= ENOUGH * size or stop():
            break
    return fitted


def _in_common(matrix: Floats) -> Floats:
    """What means of rows and columns say of each entry."""
    return np.asarray(matrix.mean(axis=1, keepdims=True) + matrix.mean(axis=0) - matrix.mean())

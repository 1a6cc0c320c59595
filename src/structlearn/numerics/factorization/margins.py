"""Matrices of low norm beside what rows and columns have in common, of one set with itself, or of grades."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.factorization.low_norm import Slopes, hinge, minimised

Floats = NDArray[np.float64]
Known = NDArray[np.bool_]


class Graded(NamedTuple):
    """The fitted matrix U·Vᵀ, the thresholds of each row, and the value of what was minimised."""

    matrix: Floats
    thresholds: Floats
    value: float

    def grades(self) -> NDArray[np.int64]:
        """How many thresholds of its row an entry exceeds."""
        return np.asarray((self.matrix[:, :, None] > self.thresholds[:, None, :]).sum(axis=2))


def shifted(
    labels: Floats, is_known: Known, start: tuple[Floats, Floats], cost: float, loss: Slopes
) -> tuple[Floats, float]:
    """U·Vᵀ and a free number for each row and each column, fitted together; and the value.

    Minimises (‖U‖² + ‖V‖²)/2 + cost · loss of the known entries; the free numbers cost nothing.
    """
    (n_rows, rank), n_columns = start[0].shape, len(start[1])
    sizes = [n_rows * rank, n_columns * rank, n_rows, n_columns]

    def matrix_of(point: Floats) -> Floats:
        left, right, by_row, by_column = np.split(point, np.cumsum(sizes)[:-1])
        product = left.reshape(-1, rank) @ right.reshape(-1, rank).T
        return np.asarray(product + by_row[:, None] + by_column)

    def value_and_slope(point: Floats) -> tuple[float, Floats]:
        values, pull = _pulled(labels, is_known, matrix_of(point), cost, loss)
        left, right, *_ = np.split(point, np.cumsum(sizes)[:-1])
        left, right = left.reshape(-1, rank), right.reshape(-1, rank)
        slopes = [left + pull @ right, right + pull.T @ left, pull.sum(axis=1), pull.sum(axis=0)]
        norm = 0.5 * float((left**2).sum() + (right**2).sum())
        return norm + values, np.concatenate([slope.ravel() for slope in slopes])

    begin = np.concatenate([start[0].ravel(), start[1].ravel(), np.zeros(n_rows + n_columns)])
    point, value = minimised(value_and_slope, begin)
    return matrix_of(point), value


def symmetric(
    labels: Floats, is_known: Known, start: Floats, cost: float, loss: Slopes
) -> tuple[Floats, float]:
    """U·S·Uᵀ, where S is 1 for the first half of the factors and −1 for the others; and the value.

    Minimises ‖U‖² + cost · loss of the known entries: of a symmetric matrix the norm of its singular values.
    """
    rank = start.shape[1]
    signs = np.where(np.arange(rank) < (rank + 1) // 2, 1.0, -1.0)

    def value_and_slope(point: Floats) -> tuple[float, Floats]:
        factors = point.reshape(-1, rank)
        values, pull = _pulled(labels, is_known, (factors * signs) @ factors.T, cost, loss)
        slope = 2.0 * factors + (pull + pull.T) @ (factors * signs)
        return float((factors**2).sum()) + values, slope.ravel()

    point, value = minimised(value_and_slope, start.ravel())
    factors = point.reshape(-1, rank)
    return np.asarray((factors * signs) @ factors.T), value


def graded(
    grades: NDArray[np.int64],
    is_known: Known,
    start: tuple[Floats, Floats],
    cost: float,
    n_grades: int,
) -> Graded:
    """Grades from 0 on, by thresholds of each row (Srebro, Rennie and Jaakkola 2005).

    The fitted entry must be above the thresholds of its row below its grade and below the others, by a
    margin: each costs the smooth hinge.
    """
    (n_rows, rank), n_columns = start[0].shape, len(start[1])
    cuts = np.cumsum([n_rows * rank, n_columns * rank])
    sides = np.where(np.arange(n_grades - 1) < grades[:, :, None], 1.0, -1.0)  # above or below
    loss = hinge()

    def value_and_slope(point: Floats) -> tuple[float, Floats]:
        left, right, thresholds = np.split(point, cuts)
        left, right, thresholds = (
            left.reshape(-1, rank),
            right.reshape(-1, rank),
            thresholds.reshape(n_rows, -1),
        )
        away = (left @ right.T)[:, :, None] - thresholds[:, None, :]
        values, slopes = loss(sides, away)
        slopes = cost * slopes * is_known[:, :, None]
        pull = slopes.sum(axis=2)
        parts = [left + pull @ right, right + pull.T @ left, -slopes.sum(axis=1)]
        norm = 0.5 * float((left**2).sum() + (right**2).sum())
        return norm + cost * float(values[is_known].sum()), np.concatenate([part.ravel() for part in parts])

    even = np.arange(n_grades - 1) - (n_grades - 2) / 2.0
    begin = np.concatenate([start[0].ravel(), start[1].ravel(), np.tile(even, n_rows)])
    point, value = minimised(value_and_slope, begin)
    left, right, thresholds = np.split(point, cuts)
    matrix = left.reshape(-1, rank) @ right.reshape(-1, rank).T
    return Graded(matrix, np.sort(thresholds.reshape(n_rows, -1), axis=1), value)


def _pulled(
    labels: Floats, is_known: Known, fitted: Floats, cost: float, loss: Slopes
) -> tuple[float, Floats]:
    """What the known entries cost, and by how much more for each step of a fitted one."""
    values, slopes = loss(labels[is_known], fitted[is_known])
    pull = np.zeros(fitted.shape)
    pull[is_known] = cost * slopes
    return cost * float(values.sum()), pull

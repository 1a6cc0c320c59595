"""The second-order model of the penalised likelihood at a point, and where it is least."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.kernels.precision import curve, free_pairs, minimise_model
from structlearn.numerics.precision.penalised_likelihood import Matrix

Values = NDArray[np.float64]
Places = NDArray[np.int64]

# The share of the slopes that a step may leave: 0.3 took more steps in all, 0.01 more sweeps.
SLOPES_LEFT = 0.1
MOST_SWEEPS = 12  # what has not settled by then is nearly collinear, and conjugate gradients are quicker
MOST_CURVES = 200  # products with the curvature; the line search makes good what is missing


@dataclass(frozen=True, slots=True)
class SecondOrderModel:
    """The model on the pairs that are free to move, an entry for each.

    `value` is the precision, `gradient` that of the likelihood; `rows`, `columns` and `ends` are as in
    `kernels.precision`.
    """

    inverse: Matrix
    rows: Places
    columns: Places
    ends: Places
    penalty: Values
    value: Values
    gradient: Values

    @classmethod
    def at(
        cls, covariance: Matrix, penalties: Matrix, precision: Matrix, inverse: Matrix
    ) -> "SecondOrderModel":
        """The model at this precision matrix, whose inverse is given."""
        rows, ends = free_pairs(covariance, inverse, precision, penalties)
        columns = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        pairs = columns, rows
        gradient = covariance[pairs] - inverse[pairs]
        return cls(inverse, rows, columns, ends, penalties[pairs], precision[pairs], gradient)

    @property
    def times(self) -> Values:
        """How often each pair stands in a symmetric matrix."""
        return np.where(self.rows == self.columns, 1.0, 2.0)

    def promise(self, target: Values) -> float:
        """How much lower the objective would be at `target` if the likelihood were linear."""
        gains = self.gradient * (self.value - target)
        gains += self.penalty * (np.abs(self.value) - np.abs(target))
        return float(self.times @ gains)

    def minimum(self) -> Values:
        """Where the model is least, or near it.

        Coordinate descent finds out which pairs are zero. Where it is slow, as for nearly collinear
        columns, conjugate gradients end the work on the others.
        """
        target = self.value.copy()
        is_near = minimise_model(
            self.inverse,
            self.gradient,
            self.penalty,
            self.rows,
            self.ends,
            np.zeros_like(self.inverse),
            SLOPES_LEFT,
            MOST_SWEEPS,
            target,
        )
        if is_near:
            return target
        further = self._least_with_signs_of(target)
        return further if self.promise(further) > 0.5 * self.promise(target) else target

    def _least_with_signs_of(self, start: Values) -> Values:
        """The least over the pairs that are not zero in `start`; those that would change sign become zero."""
        kept = start != 0.0
        rows, columns = self.rows[kept], self.columns[kept]
        ends = np.cumsum(np.bincount(columns, minlength=len(self.ends)))
        slopes = self.gradient + self.penalty * np.sign(start)
        slopes += self._curved(self.rows, self.ends, start - self.value)
        diagonal = np.diag(self.inverse)
        curvature = diagonal[rows] * diagonal[columns]
        curvature += np.where(rows == columns, 0.0, self.inverse[rows, columns] ** 2)
        target = start.copy()
        target[kept] += conjugate_gradients(
            lambda direction: self._curved(rows, ends, direction),
            -slopes[kept],
            curvature=curvature,
            times=self.times[kept],
        )
        return np.where((target * start < 0.0) & (self.penalty > 0.0), 0.0, target)

    def _curved(self, rows: Places, ends: Places, direction: Values) -> Values:
        """How the slopes of pairs change along a direction in which only they move."""
        changes = np.empty(len(rows))
        curve(self.inverse, rows, ends, direction, np.zeros_like(self.inverse), changes)
        return changes


def conjugate_gradients(
    curved: Callable[[Values], Values], wanted: Values, *, curvature: Values, times: Values
) -> Values:
    """Solve `curved(x) = wanted` until a share of the slopes is left.

    `curvature` is the diagonal, for scaling; `times` weigh the entries of products.
    """
    found, left = np.zeros_like(wanted), wanted.copy()
    scaled = left / curvature
    direction, size = scaled.copy(), float(times @ (left * scaled))
    enough = (SLOPES_LEFT**2) * size
    for _ in range(MOST_CURVES):
        if size <= enough:
            break
        change = curved(direction)
        length = size / float(times @ (direction * change))
        found += length * direction
        left -= length * change
        scaled = left / curvature
        before, size = size, float(times @ (left * scaled))
        direction = scaled + size / before * direction
    return found

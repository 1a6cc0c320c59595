"""Softmax regression with a ridge, from counted cells: Newton's method, or L-BFGS where it is large."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.kernels.softmax_cells import softmax_derivatives
from structlearn.numerics.quasi_newton import quasi_newton
from structlearn.numerics.softmax_matrices import softmax_by_matrices

Floats = NDArray[np.float64]

MOST_KERNEL_COLUMNS = 40  # beyond, products of matrices are quicker
MOST_NEWTON_PARAMETERS = 400  # a step costs their square, but ten do what takes L-BFGS hundreds
MOST_STEPS = 100  # without a ridge, weights of separated states grow without end
SHORTEST = 1e-6  # share of a step below which the objective only falls by rounding
ROUNDING = 1e-13  # share of the objective by which a step may seem to be too long
TOLERANCE = 1e-9  # of the steepest slope, per row


@dataclass(frozen=True, slots=True)
class Derivatives:
    """The objective at some weights with its first and second derivatives."""

    objective: float
    slope: Floats
    curvature: Floats


@dataclass(frozen=True, slots=True)
class SoftmaxRegression:
    """Cells to explain: minus the log-likelihood plus half the ridges times the squared weights is least.

    `design` is (cells, columns), `counts` (cells, levels) and `ridges` has one number for each column.
    The first level is the base: weights are (levels - 1, columns).
    """

    design: Floats
    counts: Floats
    ridges: Floats

    def fit(
        self,
        start: Floats | None = None,
        *,
        tolerance: float = TOLERANCE,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> Floats:
        """Give the weights of the least objective, or those reached when it must stop."""
        weights = np.zeros((self.counts.shape[1] - 1, self.design.shape[1])) if start is None else start
        if not weights.size:
            return weights
        if weights.size <= MOST_NEWTON_PARAMETERS:
            with threads_for(weights.size):
                return self._newton(weights, tolerance, must_stop)
        return self._quasi_newton(weights, tolerance, must_stop)

    def loss(self, weights: Floats) -> float:
        """Minus the log-likelihood."""
        return self._fill(weights, np.empty_like(weights), np.empty((0, 0, 0, 0)))

    def derivatives(self, weights: Floats, *, second: bool = True) -> Derivatives:
        """The objective, its slope, (levels - 1, columns), and its curvature, square."""
        slope = np.empty_like(weights)
        curvature = np.empty((*weights.shape, *weights.shape) if second else (0, 0, 0, 0))
        objective = self._fill(weights, slope, curvature) + 0.5 * float((self.ridges * weights**2).sum())
        slope += self.ridges * weights
        if not second:
            return Derivatives(objective, slope, np.zeros((0, 0)))
        square = curvature.reshape(weights.size, weights.size)
        square[np.diag_indices_from(square)] += np.tile(self.ridges, len(weights))
        return Derivatives(objective, slope, square)

    def _fill(self, weights: Floats, slope: Floats, curvature: Floats) -> float:
        fill = softmax_derivatives if self.design.shape[1] <= MOST_KERNEL_COLUMNS else softmax_by_matrices
        return float(fill(self.design, self.counts, weights, slope, curvature))

    def _newton(self, weights: Floats, tolerance: float, must_stop: Callable[[], bool]) -> Floats:
        steepest = tolerance * self.counts.sum()
        here = self.derivatives(weights)
        for _ in range(MOST_STEPS):
            if np.abs(here.slope).max() <= steepest or must_stop():
                break
            step = _solved(here.curvature, here.slope.ravel()).reshape(weights.shape)
            length, there = 1.0, self.derivatives(weights - step)
            while there.objective > here.objective * (1 + ROUNDING) and length > SHORTEST:
                length *= 0.5
                there = self.derivatives(weights - length * step)
            if length <= SHORTEST:
                break
            weights, here = weights - length * step, there
        return weights

    def _quasi_newton(self, weights: Floats, tolerance: float, must_stop: Callable[[], bool]) -> Floats:
        size = self.counts.sum()

        def per_row(flat: Floats) -> tuple[float, Floats]:
            at = self.derivatives(flat.reshape(weights.shape), second=False)
            return at.objective / size, at.slope.ravel() / size

        found = quasi_newton(per_row, weights.ravel(), tolerance=tolerance, must_stop=must_stop)
        return found.reshape(weights.shape)


def _solved(hessian: Floats, slope: Floats) -> Floats:
    """The Newton step, the shortest one where columns are linearly dependent."""
    try:
        return np.asarray(np.linalg.solve(hessian, slope))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(hessian, slope)[0])

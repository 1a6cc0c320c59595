"""Sparse precision matrices on a card; `numerics/precision/newton.py` is the twin.

Steps, line search and duality gap are those of the twin. What a step minimises, the second-order model, has
no loop over pairs here: proximal gradients with the lengths of Barzilai and Borwein find the zeros, and
conjugate gradients go on with the other entries.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cupy
from structlearn.gpu.curvature import curving
from structlearn.run import MustStop, never

Matrix = NDArray[np.float64]
SMALLEST = 500  # columns below which the processor is done before the card has started
N_MATRICES = 24  # that are in the card's memory at once, with those that operations make on their way
FORBIDDEN = 1e100  # stands for an infinite penalty, which times zero would be no number
MOST_STEPS = 60  # as in the twin: near an optimum each doubles the digits
SUFFICIENT = 1e-4  # share of the promise that a step must keep, as usual since Armijo
ROUNDING = 1e-14  # of an objective, for each column
SHORTEST_STEP = 1e-9  # thirty halvings: a step so short changes nothing that can be seen
UNBOUNDED = 1e7  # times the inverse variances: the likelihood has no maximum
# The share of the slopes that a step may leave: a factorisation costs about eight products, and with 0.1
# the products of better steps cost more than the steps they saved.
SLOPES_LEFT = 0.3
MOST_TURNS = 20  # of gradients and conjugate gradients: hard problems took 2 to 20
GRADIENTS = 8  # in a turn; 4 took more turns, and 16 no fewer
CONJUGATE_GRADIENTS = 15  # in a turn; the zeros have mostly changed by then


def bytes_needed(n_columns: int) -> int:
    """The card's memory that the matrices take."""
    return 8 * N_MATRICES * n_columns**2


def newton_on_card(
    covariance: Matrix, penalties: Matrix, start: Matrix, *, tolerance: float, must_stop: MustStop = never
) -> tuple[Matrix, Matrix, float, float, int]:
    """Minimise until the gap is at most `tolerance` for each column and the zeros stay where they are.

    The precision matrix, its inverse, its log determinant, the gap and the number of steps. Begins at
    `start`, or where that is not positive definite, at the best diagonal.
    """
    cupy = load_cupy()
    import cupyx  # noqa: PLC0415, it comes with CuPy

    with cupyx.errstate(linalg="raise"):
        found = minimise(cupy, covariance, penalties, start, tolerance=tolerance, must_stop=must_stop)
    cupy.get_default_memory_pool().free_all_blocks()
    return found


def minimise(
    xp: Any, covariance: Matrix, penalties: Matrix, start: Matrix, *, tolerance: float, must_stop: MustStop
) -> tuple[Matrix, Matrix, float, float, int]:
    """What `newton_on_card` does, with the arrays of a module that is numpy or like it."""
    problem = _Problem(xp, covariance, penalties)
    enough = max(tolerance, ROUNDING) * len(covariance)
    precision, log_det = problem.beginning(start)
    inverse, n_steps, stands_still = problem.inverse(precision), 0, False
    gap = problem.gap(precision, inverse, log_det)
    while (gap > enough or not stands_still) and n_steps < MOST_STEPS and problem.is_bounded(precision):
        target = _Model(problem, precision, inverse).minimum(must_stop)
        moved = None if must_stop() else problem.line_search(precision, inverse, log_det, target)
        if moved is None:
            break
        stands_still = bool(((moved[0] != 0.0) == (precision != 0.0)).all())
        precision, log_det = moved
        inverse, n_steps = problem.inverse(precision), n_steps + 1
        gap = problem.gap(precision, inverse, log_det)
    here = getattr(xp, "asnumpy", np.asarray)
    return here(precision), here(inverse), log_det, gap, n_steps


class _Problem:
    """The penalised likelihood of a covariance matrix."""

    def __init__(self, xp: Any, covariance: Matrix, penalties: Matrix) -> None:
        self.xp = xp
        self.covariance = _symmetric(xp.asarray(covariance))
        self.penalties = xp.minimum(xp.asarray(penalties), FORBIDDEN)

    def beginning(self, start: Matrix) -> tuple[Any, float]:
        """A first precision matrix and its log determinant."""
        precision = self.xp.asarray(start)
        log_det = self.log_determinant(precision)
        if log_det == -math.inf:
            precision = self.xp.diag(1.0 / self.xp.diagonal(self.covariance + self.penalties))
            log_det = self.log_determinant(precision)
        return precision, log_det

    def is_bounded(self, precision: Any) -> bool:
        """Whether the diagonal looks as if there were an optimum."""
        return bool((self.xp.diagonal(precision) * self.xp.diagonal(self.covariance) < UNBOUNDED).all())

    def log_determinant(self, matrix: Any) -> float:
        """Minus infinity where the matrix is not positive definite."""
        try:
            diagonal = self.xp.diagonal(self.xp.linalg.cholesky(matrix))
        except np.linalg.LinAlgError:
            return -math.inf
        return 2.0 * float(self.xp.log(diagonal).sum())

    def inverse(self, precision: Any) -> Any:
        """Symmetric to the last digit, so that all that is made of it is."""
        return _symmetric(self.xp.linalg.inv(precision))

    def price(self, new: Any, old: Any) -> float:
        """How much more the penalties of a matrix are than those of another."""
        return float((self.penalties * (abs(new) - abs(old))).sum())

    def line_search(
        self, precision: Any, inverse: Any, log_det: float, target: Any
    ) -> tuple[Any, float] | None:
        """The first of ever shorter steps that is positive definite and lower; None if none is."""
        step, length, point = target - precision, 1.0, target
        rise = float((self.covariance * step).sum())
        promise = float((inverse * step).sum()) - rise - self.price(target, precision)
        while length > SHORTEST_STEP:
            reached = self.log_determinant(point)
            change = length * rise + self.price(point, precision) - reached + log_det
            if change <= ROUNDING * len(step) - SUFFICIENT * length * promise:
                return point, reached
            length /= 2.0
            point = precision + length * step
        return None

    def gap(self, precision: Any, inverse: Any, log_det: float) -> float:
        """The objective less that of a point of the dual beside the inverse."""
        xp, penalties = self.xp, self.penalties
        beside = xp.clip(inverse - self.covariance, -penalties, penalties)
        beside = xp.where(precision == 0.0, beside, xp.sign(precision) * penalties)
        dual = self.log_determinant(self.covariance + beside)
        excess = float(((self.covariance + beside - inverse) * precision).sum())
        return max(0.0, excess - dual - log_det)


class _Model:
    """The second-order model at a precision matrix, of its free pairs; `target` moves to where it is least.

    A pair is free unless it is zero and its slope is no more than its penalty: then it stays so in this step.
    What is known of the pairs are vectors, each pair once, and `weights` says how often it is in a matrix.
    """

    def __init__(self, problem: _Problem, precision: Any, inverse: Any) -> None:
        xp, slopes = problem.xp, problem.covariance - inverse
        is_free = (abs(slopes) > problem.penalties) | (precision != 0.0)
        here = self._here = xp.nonzero(xp.triu(is_free))
        diagonal = xp.diagonal(inverse)
        self._xp, self._precision, self._penalties = xp, precision, problem.penalties[here]
        self._target, self._slopes = precision[here], slopes[here]
        self._curvature = diagonal[here[0]] * diagonal[here[1]] + inverse[here] ** 2
        self._weights = xp.where(here[0] == here[1], 1.0, 2.0)
        self._curved = curving(xp, inverse, here)
        self._stiffness = 1.0

    def minimum(self, must_stop: MustStop) -> Any:
        """Where the model is least, or near it."""
        enough = SLOPES_LEFT**2 * self._size(self._pull())
        for _ in range(MOST_TURNS):
            self._shrink()
            if must_stop() or self._size(self._pull()) <= enough:
                break
            self._lower_on_face()
            if must_stop() or self._size(self._pull()) <= enough:
                break
        found = self._precision.copy()
        found[self._here] = found[self._here[::-1]] = self._target
        return found

    def _pull(self) -> Any:
        """The slopes that no penalty holds."""
        xp, penalties = self._xp, self._penalties
        at_zero = xp.clip(-self._slopes, -penalties, penalties)
        return self._slopes + xp.where(self._target == 0.0, at_zero, penalties * xp.sign(self._target))

    def _sum(self, values: Any) -> float:
        """Over the matrix, of numbers of pairs."""
        return float((self._weights * values).sum())

    def _size(self, slopes: Any) -> float:
        return self._sum(slopes**2 / self._curvature)

    def _falls(self, move: Any, change: Any) -> bool:
        """Whether the model is lower after a move that changes the slopes like this; then it is made."""
        moved = self._target + move
        price = self._penalties * (abs(moved) - abs(self._target))
        if self._sum((self._slopes + 0.5 * change) * move + price) >= 0.0:
            return False
        self._target, self._slopes = moved, self._slopes + change
        return True

    def _shrink(self) -> None:
        """Some proximal gradient steps, each as long as the curvature along the last one lets it be."""
        xp = self._xp
        for _ in range(GRADIENTS):
            weight = self._stiffness * self._curvature
            point = self._target - self._slopes / weight
            move = xp.sign(point) * xp.maximum(abs(point) - self._penalties / weight, 0.0)
            move -= self._target
            size = self._sum(self._curvature * move**2)
            if size == 0.0:
                return
            change = self._curved(move)
            stiffness = self._sum(move * change) / size
            self._stiffness = stiffness if self._falls(move, change) else max(stiffness, 2 * self._stiffness)

    def _lower_on_face(self) -> None:
        """Go towards the least point that is zero where `target` is; what would change sign becomes zero."""
        target, pull = self._target, self._pull()
        way = self._conjugate_gradients(self._xp.where(target == 0.0, 0.0, -pull))
        length = 1.0
        while length > SHORTEST_STEP:
            point = target + length * way
            turns = (target * point < 0.0) & (self._penalties > 0.0)
            move = self._xp.where(turns, -target, length * way)
            if self._falls(move, self._curved(move)):
                return
            length /= 4.0

    def _conjugate_gradients(self, left: Any) -> Any:
        """The direction, zero where `left` is, along which the slopes would change by it."""
        kept, found = left != 0.0, self._xp.zeros_like(left)
        scaled = left / self._curvature
        direction, size = scaled, self._sum(left * scaled)
        enough = 0.01 * SLOPES_LEFT**2 * size
        for _ in range(CONJUGATE_GRADIENTS):
            if size <= enough:
                break
            change = self._curved(direction) * kept
            length = size / self._sum(direction * change)
            found = found + length * direction
            left = left - length * change
            scaled = left / self._curvature
            before, size = size, self._sum(left * scaled)
            direction = scaled + size / before * direction
        return found


def _symmetric(matrix: Any) -> Any:
    return 0.5 * (matrix + matrix.T)

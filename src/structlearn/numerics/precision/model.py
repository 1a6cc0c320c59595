"""The second-order model of the penalised likelihood at a point, and where it is least."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.kernels.precision import COLUMNS_AT_ONCE, curve, descend_columns, free_pairs
from structlearn.numerics.precision.penalised_likelihood import Matrix
from structlearn.run import MustStop, never

Values = NDArray[np.float64]
Places = NDArray[np.int64]

# The share of the slopes that a step may leave: 0.1 took more steps in all, 0.03 more sweeps.
SLOPES_LEFT = 0.07
STEPS_AT_ONCE = 1 << 24  # of a sweep, between two looks at the clock: some hundredths of a second
MANY = 300  # columns from which numbers of half the length save time: the matrices leave the cache
BENDING = 1e-3  # by which curvature may be off, relatively: a step leaves far more
MOST_SWEEPS = 12  # what has not settled by then is nearly collinear, and conjugate gradients are quicker
MOST_TURNS = 50  # of descent and conjugate gradients: hard problems took 2 to 20
MOST_CURVES = 200  # products with the curvature; the line search makes good what is missing


@dataclass(frozen=True, slots=True)
class SecondOrderModel:
    """The model on the pairs that are free to move, an entry for each.

    `value` is the precision, `gradient` that of the likelihood; `rows`, `columns` and `ends` are as in
    `kernels.precision`. `inverse` may be rounded: the least of the model is only where to look next.
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
        value, gradient = precision[pairs], covariance[pairs] - inverse[pairs]
        if len(inverse) >= MANY and _bears_rounding(inverse, rows, columns, value):
            inverse = inverse.astype(np.float32)
        return cls(inverse, rows, columns, ends, penalties[pairs], value, gradient)

    @property
    def times(self) -> Values:
        """How often each pair stands in a symmetric matrix."""
        return np.where(self.rows == self.columns, 1.0, 2.0)

    def promise(self, target: Values) -> float:
        """How much lower the objective would be at `target` if the likelihood were linear."""
        gains = self.gradient * (self.value - target)
        gains += self.penalty * (np.abs(self.value) - np.abs(target))
        return float(self.times @ gains)

    def minimum(self, must_stop: MustStop = never) -> Values:
        """Where the model is least, or near it; or how far it came when it must stop.

        Coordinate descent finds out which pairs are zero. Where it is slow, as for nearly collinear
        columns, conjugate gradients go on with the others, in turns: a step that is far from the least
        makes the whole search crawl.
        """
        target, product = self.value.copy(), np.zeros_like(self.inverse)
        enough = SLOPES_LEFT**2 * self._slopes_left(target, self.gradient)
        for _ in range(MOST_TURNS):
            if self._descend(product, target, must_stop) or must_stop():
                break
            slopes = self.gradient + self._curved(self.rows, self.ends, target - self.value, product)
            if self._slopes_left(target, slopes) <= enough:
                break
            target = self._lower_on_face(target, slopes, must_stop)
            self._curved(self.rows, self.ends, target - self.value, product)
        return target

    def _descend(self, product: Matrix, target: Values, must_stop: MustStop) -> bool:
        """Sweep over all pairs until another would meet few of the slopes the first met, and say whether.

        What another would meet is taken to fall as it did last.
        """
        met_first, met_before, slices = 0.0, 0.0, self._slices()
        for sweep in range(MOST_SWEEPS):
            met = 0.0
            for start, stop in slices:
                if must_stop():
                    return False
                met += descend_columns(
                    self.inverse,
                    self.gradient,
                    self.penalty,
                    self.rows,
                    self.ends,
                    product,
                    start,
                    stop,
                    target,
                )
            met_first = met if sweep == 0 else met_first
            if met <= SLOPES_LEFT * met_first or met**2 <= SLOPES_LEFT * met_first * met_before:
                return True
            met_before = met
        return False

    def _slices(self) -> list[tuple[int, int]]:
        """Columns in slices of a bounded number of steps; each begins where columns are copied anew."""
        steps = self.ends * len(self.ends)
        cuts = np.searchsorted(steps, np.arange(STEPS_AT_ONCE, int(steps[-1]), STEPS_AT_ONCE))
        cuts = np.unique(cuts // COLUMNS_AT_ONCE * COLUMNS_AT_ONCE)
        return list(pairwise([0, *cuts[cuts > 0].tolist(), len(self.ends)]))

    def _slopes_left(self, target: Values, slopes: Values) -> float:
        """The squares of the slopes at `target` that no penalty holds, by curvature."""
        held = np.where(
            target == 0.0, np.clip(-slopes, -self.penalty, self.penalty), self.penalty * np.sign(target)
        )
        return float(self.times @ ((slopes + held) ** 2 / self._curvature))

    def _lower_on_face(self, start: Values, slopes: Values, must_stop: MustStop) -> Values:
        """A lower point among those that are zero where `start` is: half-way to the least, and again half.

        What would change its sign becomes zero. The last of the ways goes to the first such zero only,
        where the model is lower for certain.
        """
        kept = start != 0.0
        rows, columns = self.rows[kept], self.columns[kept]
        ends = np.cumsum(np.bincount(columns, minlength=len(self.ends)))
        pull = slopes[kept] + self.penalty[kept] * np.sign(start[kept])
        scratch = np.zeros_like(self.inverse)
        direction = np.zeros_like(start)
        direction[kept] = conjugate_gradients(
            lambda along: self._curved(rows, ends, along, scratch),
            -pull,
            curvature=self._curvature[kept],
            times=self.times[kept],
            must_stop=must_stop,
        )
        crosses = (start * (start + direction) < 0.0) & (self.penalty > 0.0)
        first = float(np.min(np.abs(start[crosses] / direction[crosses]), initial=1.0))
        length = 1.0
        while length > first:
            point = start + length * direction
            point[crosses & (start * point < 0.0)] = 0.0
            if self._fall(start, slopes, point, scratch) > 0.0:
                return point
            length /= 2.0
        point = start + first * direction
        point[crosses & (np.abs(start) <= first * np.abs(direction))] = 0.0
        return point

    def _fall(self, start: Values, slopes: Values, point: Values, scratch: Matrix) -> float:
        """How much lower the model is at `point` than at `start`, where it has these slopes."""
        move = point - start
        bend = self._curved(self.rows, self.ends, move, scratch)
        rise = (slopes + 0.5 * bend) * move + self.penalty * (np.abs(point) - np.abs(start))
        return -float(self.times @ rise)

    @property
    def _curvature(self) -> Values:
        """How the slope of each pair changes with the pair alone."""
        diagonal = np.diag(self.inverse)
        shared = np.where(self.rows == self.columns, 0.0, self.inverse[self.rows, self.columns] ** 2)
        own: Values = diagonal[self.rows] * diagonal[self.columns] + shared
        return own

    def _curved(self, rows: Places, ends: Places, direction: Values, product: Matrix) -> Values:
        """How the slopes of pairs change along a direction in which only they move.

        `product` becomes the direction, as a matrix, times the inverse.
        """
        changes = np.empty(len(rows))
        curve(self.inverse, rows, ends, direction, product, changes)
        return changes


def _bears_rounding(inverse: Matrix, rows: Places, columns: Places, value: Values) -> bool:
    """Whether the model hardly bends otherwise where the inverse has half the digits.

    The inverse has no eigenvalue below one over the largest row of the precision, in sum of sizes.
    """
    size = np.abs(value)
    both = np.bincount(columns, weights=size, minlength=len(inverse))
    both += np.bincount(rows, weights=np.where(rows == columns, 0.0, size), minlength=len(inverse))
    error = float(np.finfo(np.float32).eps) * math.sqrt(float(np.vdot(inverse, inverse)))
    return error * float(both.max()) <= BENDING


def conjugate_gradients(
    curved: Callable[[Values], Values],
    wanted: Values,
    *,
    curvature: Values,
    times: Values,
    must_stop: MustStop = never,
) -> Values:
    """Solve `curved(x) = wanted` until a share of the slopes is left, or it must stop.

    `curvature` is the diagonal, for scaling; `times` weigh the entries of products.
    """
    found, left = np.zeros_like(wanted), wanted.copy()
    scaled = left / curvature
    direction, size = scaled.copy(), float(times @ (left * scaled))
    enough = (SLOPES_LEFT**2) * size
    for _ in range(MOST_CURVES):
        if size <= enough or must_stop():
            break
        change = curved(direction)
        length = size / float(times @ (direction * change))
        found += length * direction
        left -= length * change
        scaled = left / curvature
        before, size = size, float(times @ (left * scaled))
        direction = scaled + size / before * direction
    return found

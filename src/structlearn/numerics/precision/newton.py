"""Second-order minimisation of the penalised likelihood, on the entries that are free to move.

Hsieh, Sustik, Dhillon and Ravikumar (2014), QUIC: quadratic approximation for sparse inverse
covariance estimation, Journal of Machine Learning Research 15.
"""

from dataclasses import dataclass

import numpy as np

from structlearn.numerics.precision.elimination import SparseFactor, sparse_factor
from structlearn.numerics.precision.model import SecondOrderModel, Values
from structlearn.numerics.precision.penalised_likelihood import (
    Matrix,
    PrecisionFit,
    gap_of_inverse,
    price,
)
from structlearn.run import MustStop, never

MOST_STEPS = 60  # near an optimum each doubles the digits: after sixty there is none
SUFFICIENT = 1e-4  # share of the promise that a step must keep, as usual since Armijo
ROUNDING = 1e-14  # of an objective, for each column
FINEST_MOVE = 1e-11  # share of the largest entry below which moves are rounding
SHORTEST_STEP = 1e-9  # thirty halvings: a step so short changes nothing that can be seen
FEW = 300  # columns up to which a last step, for all digits, takes no time
UNBOUNDED = 1e7  # times the inverse variances: the likelihood has no maximum


@dataclass(frozen=True, slots=True)
class _Point:
    precision: Matrix
    inverse: Matrix
    log_determinant: float

    @classmethod
    def at(cls, precision: Matrix, factor: SparseFactor) -> "_Point":
        return cls(precision, factor.inverse(), factor.log_determinant)

    def gap(self, covariance: Matrix, penalties: Matrix) -> float:
        """How far the objective may be above the least."""
        return gap_of_inverse(covariance, penalties, self.precision, self.inverse, self.log_determinant)


def newton(
    covariance: Matrix,
    penalties: Matrix,
    start: Matrix,
    *,
    tolerance: float,
    must_stop: MustStop = never,
) -> PrecisionFit:
    """Minimise until the gap is at most `tolerance` for each column.

    Begins at `start`, or where that is not positive definite or worse, at the best diagonal. A gap
    below rounding cannot be seen, but it shrinks with the square of the moves: for such a `tolerance`
    these must be below its root.
    """
    enough = max(tolerance, ROUNDING) * len(covariance)
    most = UNBOUNDED / np.diag(covariance)
    point, n_steps, before = _beginning(covariance, penalties, start), 0, 0.0
    while n_steps < MOST_STEPS and not must_stop() and (np.diag(point.precision) < most).all():
        model = SecondOrderModel.at(covariance, penalties, point.precision, point.inverse)
        target = model.minimum(must_stop)
        moved = _line_search(covariance, point, model, target)
        if moved is None:
            break
        point, n_steps, promise = moved, n_steps + 1, model.promise(target)
        has_settled = tolerance >= ROUNDING or _is_short(model.value, target, np.sqrt(tolerance))
        # What the next step would promise, if promises go on falling as they did: the gap is not far from it.
        to_come = promise * min(promise / before, 1.0) if before > 0.0 and len(covariance) > FEW else promise
        if has_settled and to_come <= 10.0 * enough:
            gap = point.gap(covariance, penalties)
            if gap <= enough:
                return PrecisionFit(point.precision, point.inverse, point.log_determinant, gap, n_steps)
        before = promise
    gap = point.gap(covariance, penalties)
    return PrecisionFit(point.precision, point.inverse, point.log_determinant, gap, n_steps)


def _beginning(covariance: Matrix, penalties: Matrix, start: Matrix) -> _Point:
    variances = np.diag(covariance) + np.diag(penalties)
    least, factor = len(variances) + float(np.log(variances).sum()), sparse_factor(start)
    if factor is not None and price(covariance, penalties, start) - factor.log_determinant <= least:
        return _Point.at(start, factor)
    return _Point(np.diag(1.0 / variances), np.diag(variances), -float(np.log(variances).sum()))


def _line_search(covariance: Matrix, point: _Point, model: SecondOrderModel, target: Values) -> _Point | None:
    """The first of ever shorter steps that is positive definite and lower; None if none is."""
    pairs = model.columns, model.rows
    promise, length, entries = model.promise(target), 1.0, target
    while length > SHORTEST_STEP:
        precision = point.precision.copy()
        precision[pairs] = precision[pairs[::-1]] = entries
        factor = sparse_factor(precision)
        if factor is not None:
            linear = covariance[pairs] * (entries - model.value)
            linear += model.penalty * (np.abs(entries) - np.abs(model.value))
            change = float(model.times @ linear) - factor.log_determinant + point.log_determinant
            if change <= ROUNDING * len(precision) - SUFFICIENT * length * promise:
                return _Point.at(precision, factor)
        length /= 2.0
        entries = model.value + length * (target - model.value)
    return None


def _is_short(value: Values, target: Values, most: float) -> bool:
    """Whether no entry moves by more than that, or than rounding lets it."""
    finest = FINEST_MOVE * float(np.abs(target).max())
    return float(np.abs(target - value).max()) <= max(most, finest)

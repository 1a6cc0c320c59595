"""Regressions with a penalty on whole groups of columns: least squares and softmax."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.kernels.groups import descend_groups
from structlearn.numerics.kernels.softmax_cells import log_softmax

Floats = NDArray[np.float64]

MOST_STEPS = 2000  # where states are separated weights grow without end, and the gap says so
MOST_SWEEPS = 1000  # of a quadratic model, which the next step may replace
INNER = 1e-4  # share of the squared violation at which the quadratic model is solved well enough
ROUNDING = 1e-13  # of a loss of about 1
NEVER = 1e-13  # stands for the share of a state that does not occur: its logarithm is finite


@dataclass(frozen=True, slots=True)
class Grouped:
    """Columns in groups, centred and weighted, with what every regression on them shares.

    `columns` is (rows, columns); group t has those from starts[t] up to starts[t + 1]. `row_weights`
    sum to 1, and so does the variance of each group's columns together.
    """

    columns: Floats
    starts: NDArray[np.int64]
    row_weights: Floats
    gram: Floats
    bounds: Floats

    @classmethod
    def of(cls, columns: Floats, starts: NDArray[np.int64], row_weights: Floats) -> "Grouped":
        """Groups with their Gram matrix and the largest eigenvalue of each block on its diagonal."""
        gram = (columns * row_weights[:, None]).T @ columns
        bounds = [float(np.linalg.eigvalsh(gram[a:b, a:b])[-1]) for a, b in pairwise(starts)]
        return cls(columns, starts, row_weights, np.ascontiguousarray(gram), np.array(bounds))

    def norms(self, matrix: Floats) -> Floats:
        """The Frobenius norm of each group's rows of a matrix."""
        return np.sqrt(np.add.reduceat((matrix**2).sum(axis=1), self.starts[:-1]))


class Loss(Protocol):
    """A convex loss of a response; its curvature is between two numbers wherever it matters."""

    steepest: float
    flattest: float

    def alone(self, row_weights: Floats) -> Floats:
        """The best intercepts where nothing else explains the response."""

    def at(self, linear: Floats) -> tuple[Floats, Floats]:
        """The loss of each row, and the residuals: minus its slope."""


class SquaredLoss:
    """Half the squared error of a continuous response."""

    steepest = flattest = 1.0

    def __init__(self, response: Floats) -> None:
        self._response = response[:, None]

    def alone(self, row_weights: Floats) -> Floats:
        """The mean."""
        return row_weights @ self._response

    def at(self, linear: Floats) -> tuple[Floats, Floats]:
        """The loss of each row, and the residuals."""
        errors = self._response - linear
        return 0.5 * (errors**2).sum(axis=1), errors


class SoftmaxLoss:
    """Minus the log-probability of a discrete response; its curvature is ½ at most (Böhning, 1992)."""

    steepest, flattest = 0.5, 5e-4

    def __init__(self, codes: NDArray[np.int64], n_levels: int) -> None:
        self._rows, self._codes, self._n_levels = np.arange(len(codes)), codes, n_levels

    def alone(self, row_weights: Floats) -> Floats:
        """The logarithms of the shares; a state that does not occur is all but impossible."""
        shares = np.bincount(self._codes, weights=row_weights, minlength=self._n_levels)
        return np.log(np.maximum(shares, NEVER))

    def shares(self, row_weights: Floats) -> Floats:
        """The weight of each row at its state, (rows, states)."""
        found = np.zeros((len(self._rows), self._n_levels))
        found[self._rows, self._codes] = row_weights
        return found

    def at(self, linear: Floats) -> tuple[Floats, Floats]:
        """The loss of each row, and the residuals."""
        logs = log_softmax(linear)
        residuals = -np.exp(logs)
        residuals[self._rows, self._codes] += 1.0
        return -logs[self._rows, self._codes], residuals


@dataclass(slots=True)
class GroupFit:
    """A solution: weights (columns, outputs), intercepts, the mean loss and its duality gap."""

    weights: Floats
    intercepts: Floats
    loss: float
    gap: float

    @classmethod
    def empty(cls, n_columns: int, intercepts: Floats) -> "GroupFit":
        """No column explains anything."""
        return cls(np.zeros((n_columns, len(intercepts))), intercepts, 0.0, 0.0)


def fit_groups(
    grouped: Grouped,
    loss: Loss,
    penalties: Floats,
    start: GroupFit,
    *,
    tolerance: float = 1e-8,
    must_stop: Callable[[], bool] = lambda: False,
) -> GroupFit:
    """Minimise the mean loss plus Σ_t penalties_t·‖W_t‖; infinite penalties leave a group out.

    Each step minimises a quadratic model whose curvature is the same everywhere. It is taken back, with
    more curvature, where the loss turns out to be above the model; ever less is tried otherwise.
    It ends when no condition of the optimum is off by more than `tolerance`, or it must stop.
    """
    point, curvature = Point.at(grouped, loss, start.weights, start.intercepts), loss.steepest
    for _ in range(MOST_STEPS):
        worst = point.violation(penalties)
        if worst <= tolerance or must_stop():
            break
        trial, promised = point.model_minimum(penalties, curvature, INNER * worst * worst)
        if trial.mean > promised + ROUNDING and curvature < loss.steepest:
            curvature = min(2.0 * curvature, loss.steepest)
        else:
            point, curvature = trial, max(0.7 * curvature, loss.flattest)
    return GroupFit(point.weights, point.intercepts, point.mean, point.gap(penalties))


@dataclass(frozen=True, slots=True)
class Point:
    """Weights, and the loss there: its mean, and minus its slope for each weight and intercept."""

    grouped: Grouped
    loss: Loss
    weights: Floats
    intercepts: Floats
    mean: float
    gradient: Floats
    lift: Floats

    @classmethod
    def at(cls, grouped: Grouped, loss: Loss, weights: Floats, intercepts: Floats) -> "Point":
        """Weigh the loss at these weights."""
        used = np.flatnonzero(weights.any(axis=1))
        losses, residuals = loss.at(grouped.columns[:, used] @ weights[used] + intercepts)
        residuals = residuals * grouped.row_weights[:, None]
        mean, gradient = float(losses @ grouped.row_weights), grouped.columns.T @ residuals
        return cls(grouped, loss, weights, intercepts, mean, gradient, residuals.sum(axis=0))

    def model_minimum(self, penalties: Floats, curvature: float, tolerance: float) -> tuple["Point", float]:
        """The minimum of the quadratic model here, and what the model says the loss is there."""
        shared, weights, gradient = self.grouped, self.weights.copy(), self.gradient.copy()
        blocks = (shared.gram, shared.starts, shared.bounds)
        descend_groups(*blocks, penalties, curvature, weights, gradient, tolerance, MOST_SWEEPS)
        step, rise = weights - self.weights, self.lift / curvature
        gained = float((step * (self.gradient + gradient)).sum() + self.lift @ rise)
        return Point.at(shared, self.loss, weights, self.intercepts + rise), self.mean - 0.5 * gained

    def violation(self, penalties: Floats) -> float:
        """How far the conditions of the optimum are from true, at the worst group or intercept."""
        sizes, pulls = self.grouped.norms(self.weights), self.grouped.norms(self.gradient)
        kept = np.isfinite(penalties)
        ratio = np.divide(penalties, sizes, out=np.zeros_like(sizes), where=kept & (sizes > 0.0))
        spread = np.repeat(ratio, np.diff(self.grouped.starts))
        inside = self.grouped.norms(self.gradient - spread[:, None] * self.weights)
        off = np.where(sizes > 0.0, inside, pulls - penalties)
        return max(float(np.max(off[kept], initial=0.0)), float(np.abs(self.lift).max()))

    def gap(self, penalties: Floats) -> float:
        """A bound on the duality gap: scaling the residual by s leaves s times the dual objective."""
        sizes, pulls = self.grouped.norms(self.weights), self.grouped.norms(self.gradient)
        bind = np.isfinite(penalties) & (penalties > 0.0)
        scale = 1.0 / np.max(pulls[bind] / penalties[bind], initial=1.0)
        linear = float((self.weights * self.gradient).sum())
        paid = float(sizes[bind] @ penalties[bind])
        return max(paid - linear + (1.0 - scale) * (self.mean + linear), 0.0)

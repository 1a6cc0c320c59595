"""Softmax regression with a penalty on whole groups of columns, by Newton's method on counted cells."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.group_descent import GroupFit
from structlearn.numerics.kernels.groups import descend_groups
from structlearn.numerics.kernels.softmax_cells import log_softmax

Floats = NDArray[np.float64]

MOST_STEPS = 50  # a few do, but separable cells have no optimum to end at
MOST_SWEEPS = 2000  # of a quadratic model: the next one starts where this one stopped
INNER = 1e-2  # share of the squared violation at which the quadratic model is solved well enough
LEAST_CURVATURE = 1e-7  # columns may say the same: without it the model has no single minimum
SHORTEST = 1e-4  # a shorter step moves less than the tolerance of any caller
ROUNDING = 1e-14  # of a mean loss near 1: what a sum over cells may be off by


@cache
def contrasts(n: int) -> Floats:
    """Columns of length 1 at right angles to each other and to equal numbers, (n, n − 1), by Helmert."""
    place = np.arange(1, n)
    found = np.triu(np.ones((n, n - 1)))
    found[place, place - 1] = -place
    return np.asarray(found / np.sqrt(place * (place + 1.0)))


@dataclass(frozen=True, slots=True)
class Cells:
    """Joint states of some columns, and how often each state of another column goes with them.

    `design` is (cells, columns + 1) with ones last; `shares`, (cells, levels), sums to 1. Group t has the
    columns from starts[t] up to starts[t + 1]; the last group is the intercept.
    """

    design: Floats
    shares: Floats
    starts: NDArray[np.int64]

    def fit(
        self,
        penalties: Floats,
        start: GroupFit,
        *,
        tolerance: float,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> GroupFit:
        """Minimise minus the mean log-likelihood plus Σ_t penalties_t·‖W_t‖; the intercept is free.

        Each step solves the quadratic model and goes as far along as the objective falls, until no
        condition of the optimum is off by more than `tolerance`, or it must stop. Weights of all levels may
        shift alike, so it goes by their contrasts, and those of the solution sum to 0.
        """
        prices = np.append(penalties, 0.0)
        apart = contrasts(self.shares.shape[1])
        point = self._at(np.vstack([start.weights, start.intercepts]) @ apart)
        for _ in range(MOST_STEPS):
            weights, shares = point.weights, point.shares
            off = self.shares - self.shares.sum(axis=1, keepdims=True) * shares
            slope = self.design.T @ (off @ apart)
            worst = self._violation(weights, slope, prices)
            if worst <= tolerance or must_stop():
                break
            step = self._model_minimum(weights, slope, shares, prices, INNER * worst * worst) - weights
            lower = self._lower(point, step, prices)
            if lower is None:
                break
            point = lower
        *found, intercepts = point.weights @ apart.T
        return GroupFit(np.array(found).reshape(-1, len(apart)), intercepts, point.loss, np.nan)

    def _at(self, weights: Floats) -> "_Point":
        logs = log_softmax(self.design @ (weights @ contrasts(self.shares.shape[1]).T))
        return _Point(weights, -float((self.shares * logs).sum()), np.exp(logs))

    def _norms(self, matrix: Floats) -> Floats:
        return np.sqrt(np.add.reduceat((matrix**2).sum(axis=1), self.starts[:-1]))

    def _violation(self, weights: Floats, slope: Floats, prices: Floats) -> float:
        sizes = self._norms(weights)
        ratio = np.divide(prices, sizes, out=np.zeros_like(sizes), where=sizes > 0.0)
        inside = self._norms(slope - np.repeat(ratio, np.diff(self.starts))[:, None] * weights)
        return float(np.where(sizes > 0.0, inside, self._norms(slope) - prices).max())

    def _model_minimum(
        self, weights: Floats, slope: Floats, shares: Floats, prices: Floats, tolerance: float
    ) -> Floats:
        hessian = self._hessian(shares)
        starts = self.starts * weights.shape[1]
        bounds = np.array([_largest_eigenvalue(hessian[a:b, a:b]) for a, b in pairwise(starts.tolist())])
        found, gradient = weights.reshape(-1, 1).copy(), slope.reshape(-1, 1).copy()
        descend_groups(hessian, starts, bounds, prices, 1.0, found, gradient, tolerance, MOST_SWEEPS)
        return found.reshape(weights.shape)

    def _hessian(self, shares: Floats) -> Floats:
        """The second derivatives, with the contrasts of each column side by side."""
        apart = contrasts(shares.shape[1])
        n_columns, n_contrasts = self.design.shape[1], apart.shape[1]
        sizes, means = self.shares.sum(axis=1), shares @ apart
        hessian = np.empty((n_columns, n_contrasts, n_columns, n_contrasts))
        for a in range(n_contrasts):
            for b in range(a + 1):
                bend = sizes * (shares @ (apart[:, a] * apart[:, b]) - means[:, a] * means[:, b])
                part = (self.design * bend[:, None]).T @ self.design
                hessian[:, a, :, b] = hessian[:, b, :, a] = part
        flat = hessian.reshape(n_columns * n_contrasts, n_columns * n_contrasts)
        flat[np.diag_indices_from(flat)] += LEAST_CURVATURE
        return flat

    def _lower(self, point: "_Point", step: Floats, prices: Floats) -> "_Point | None":
        """As far along a step as the objective falls; None where it does not."""
        objective, length = point.loss + float(prices @ self._norms(point.weights)), 1.0
        while length >= SHORTEST:
            trial = self._at(point.weights + length * step)
            if trial.loss + float(prices @ self._norms(trial.weights)) < objective - ROUNDING:
                return trial
            length *= 0.5
        return None


class _Point(NamedTuple):
    """Weights, their mean loss, and the probabilities of the levels in each cell."""

    weights: Floats
    loss: float
    shares: Floats


def _largest_eigenvalue(block: Floats) -> float:
    # A group has often one column, and LAPACK takes 20 µs to hand it back.
    return float(block[0, 0] if len(block) == 1 else np.linalg.eigvalsh(block)[-1])

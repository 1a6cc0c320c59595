"""The solutions of one regression on groups of columns, from the largest penalty down."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.hybrid.l1.coded_rows import CodedRows, Problem
from structlearn.numerics.group_descent import GroupFit

Floats = NDArray[np.float64]
PRECISION = 1e-3  # share of a penalty by which a condition of the optimum may be off: only sets count


class GroupPath:
    """The solutions at penalties that fall, each the start of the next.

    `bars` are the penalties of the columns relative to each other: 0 is free, infinity leaves one out. After
    it must stop, solutions are only near.
    """

    def __init__(
        self,
        table: CodedRows,
        child: int,
        bars: Floats,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._must_stop = must_stop
        self._table, self._child, self._bars = table, child, bars
        grouped = table.grouped
        self._loss = table.loss(child)
        self._fit = GroupFit.empty(grouped.columns.shape[1], self._loss.alone(grouped.row_weights))
        self._is_member = bars == 0.0
        self._problem: Problem | None = None
        self._fit_members(0.0)

    @property
    def is_active(self) -> NDArray[np.bool_]:
        """Which columns have weights."""
        return np.asarray(self._table.grouped.norms(self._fit.weights) > 0.0)

    def largest_penalty(self) -> float:
        """The smallest penalty at which only free columns have weights; to be asked for at the start."""
        bind = np.isfinite(self._bars) & (self._bars > 0.0)
        return float(np.max(self.pulls()[bind] / self._bars[bind], initial=0.0))

    def pulls(self) -> Floats:
        """How steeply the loss falls along each column, at the best direction."""
        grouped, weights = self._table.grouped, self._fit.weights
        used = np.flatnonzero(weights.any(axis=1))
        _, residuals = self._loss.at(grouped.columns[:, used] @ weights[used] + self._fit.intercepts)
        return grouped.norms(grouped.columns.T @ (residuals * grouped.row_weights[:, None]))

    def move_to(self, penalty: float) -> None:
        """Solve among the columns that matter, and take in others until none pulls too hard."""
        bind = np.isfinite(self._bars)
        while True:
            self._fit_members(penalty)
            too_hard = bind & ~self._is_member & (self.pulls() > penalty * self._bars * (1.0 + PRECISION))
            if not too_hard.any() or self._must_stop():
                break
            self._is_member |= too_hard
            self._problem = None

    def _fit_members(self, penalty: float) -> None:
        members = np.flatnonzero(self._is_member)
        if not len(members):
            return
        if self._problem is None:
            self._problem = self._table.problem(self._child, members)
        columns = self._table.columns_of(members)
        start = GroupFit(self._fit.weights[columns], self._fit.intercepts, 0.0, 0.0)
        tolerance = PRECISION * penalty if penalty else PRECISION
        found = self._problem.fit(
            penalty * self._bars[members], start, tolerance=tolerance, must_stop=self._must_stop
        )
        self._fit.weights[columns] = found.weights
        self._fit.intercepts = found.intercepts

"""Regularisation paths of columns of any kind, with a penalty on all indicators of a column together."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.hybrid.l1.families import Mask, Members
from structlearn.learners.hybrid.l1.logit_refit import least_logit_loss
from structlearn.learners.hybrid.l1.softmax_groups import Cells
from structlearn.learners.regression.nodewise.mixed_regressions import LEAST_VARIANCE, Coding
from structlearn.learners.regression.penalties.path import penalty_path
from structlearn.numerics.group_descent import Grouped, GroupFit, Loss, fit_groups
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]

MOST_PARAMETERS = 2000  # a Newton step solves as many equations
LARGEST_NUMBER_BITS = 62
PRECISION = 1e-3  # share of a penalty by which a condition of the optimum may be off


class Problem(Protocol):
    """A regression on some columns only."""

    def fit(self, penalties: Floats, start: GroupFit, *, tolerance: float) -> GroupFit:
        """The solution at penalties for each of the columns."""


@dataclass(frozen=True, slots=True)
class RowsProblem:
    """The regression of a continuous column, or of one with very many states, on the rows themselves."""

    grouped: Grouped
    loss: Loss

    def fit(self, penalties: Floats, start: GroupFit, *, tolerance: float) -> GroupFit:
        """The solution at penalties for each of the columns."""
        return fit_groups(self.grouped, self.loss, penalties, start, tolerance=tolerance)


class CodedRows:
    """The rows of a table, each distinct one once, with their columns as numbers in groups."""

    def __init__(self, statistics: Statistics) -> None:
        stored = statistics.rows(range(len(statistics.names)))
        weights = np.ones(statistics.n_rows) if stored.weights is None else stored.weights
        self.values, place = np.unique(stored.values, axis=0, return_inverse=True)
        self.weights = np.asarray(np.bincount(place.ravel(), weights), dtype=np.float64)
        self.levels = statistics.levels
        self._coding = Coding(self.values, self.levels, self.weights)
        self.varies: Mask = np.asarray(self._coding.spread > 0.0)
        numbers = self._coding.numbers(self.values)
        self.grouped = Grouped.of(numbers, self._coding.starts, self.weights / self.weights.sum())

    def loss(self, child: int) -> Loss:
        """The loss of predicting a column."""
        return self._coding.loss(self.values, child)

    def columns_of(self, members: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers that stand for some columns."""
        starts = self.grouped.starts
        return np.concatenate([np.arange(starts[m], starts[m + 1]) for m in members])

    def problem(self, child: int, members: NDArray[np.int64]) -> Problem:
        """The regression of a column on some others; rows that agree in those are one."""
        columns, widths = self.columns_of(members), np.diff(self.grouped.starts)[members]
        starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        n_weights = (len(columns) + 1) * int(self.levels[child])
        if not self.levels[child] or n_weights > 2 * MOST_PARAMETERS:
            gram = np.ascontiguousarray(self.grouped.gram[np.ix_(columns, columns)])
            shares, bounds = self.grouped.row_weights, self.grouped.bounds[members]
            part = Grouped(self.grouped.columns[:, columns], starts, shares, gram, bounds)
            return RowsProblem(part, self.loss(child))
        first, place = self.distinct(members)
        design = np.column_stack([self.grouped.columns[np.ix_(first, columns)], np.ones(len(first))])
        return Cells(design, self.counts(child, place, len(first)), np.append(starts, len(columns) + 1))

    def distinct(self, members: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A row for each joint state of some columns, and the number of the state of every row."""
        levels = self.levels[members]
        values = self.values[:, members]
        if len(members) and levels.all() and np.log2(levels).sum() < LARGEST_NUMBER_BITS:
            # Sorting one number for each row is many times quicker than sorting rows.
            radix = np.append(np.cumprod(levels[:0:-1])[::-1], 1)
            _, first, place = np.unique(
                values.astype(np.int64) @ radix, return_index=True, return_inverse=True
            )
        else:
            _, first, place = np.unique(values, axis=0, return_index=True, return_inverse=True)
        return first, place.ravel()

    def counts(self, child: int, cells: NDArray[np.int64], n_cells: int) -> Floats:
        """The share of the rows in each cell with each state of a column."""
        n_levels = int(self.levels[child])
        joint = cells * n_levels + self.values[:, child].astype(np.int64)
        shares = np.bincount(joint, self.grouped.row_weights, minlength=n_cells * n_levels)
        return np.asarray(shares.reshape(n_cells, n_levels), dtype=np.float64)


class GroupPaths:
    """Multinomial logit regressions of discrete columns, linear ones of continuous columns.

    Parameters
    ----------
    statistics : Statistics
        The data; equal rows are counted once.
    price : float
        What a parameter costs.
    n_penalties, smallest_share
        The penalties of the path, and the smallest as a share of the largest.
    """

    most_idle = 5

    def __init__(
        self, statistics: Statistics, *, price: float, n_penalties: int, smallest_share: float
    ) -> None:
        self._table = CodedRows(statistics)
        self._values, self._row_weights = self._table.values, self._table.weights
        self._size = float(self._row_weights.sum())
        self._levels = statistics.levels
        self._n_free = np.where(self._levels > 0, self._levels - 1, 1)
        self._price = price
        self._n_penalties, self._smallest_share = n_penalties, smallest_share

    def active_sets(self, child: int, is_free: Mask, is_allowed: Mask) -> Iterator[Members]:
        """The columns in use, from the largest penalty down."""
        is_used = is_allowed & self._table.varies
        if not self._table.varies[child] or not is_used.any():
            return
        bars = np.where(is_used, np.where(is_free, 0.0, 1.0), np.inf)
        path = GroupPath(self._table, child, bars)
        penalties = penalty_path(
            path.largest_penalty(), n_penalties=self._n_penalties, smallest_share=self._smallest_share
        )
        previous: Members | None = None
        for penalty in penalties:
            path.move_to(float(penalty))
            members = tuple(np.flatnonzero(path.is_active | is_free).tolist())
            if self._n_parameters(child, members) >= min(self._size, MOST_PARAMETERS):
                break
            if members != previous:
                yield members
            if len(members) == is_used.sum():
                break
            previous = members

    def cost(self, child: int, members: Members) -> float:
        """The description length of the column given these, with all parameters at their most likely."""
        cells, design = self._cells(members)
        n_parameters = self._n_parameters(child, members)
        if not self._levels[child]:
            return self._least_squares(child, cells, design) + self._price * n_parameters
        counts = self._size * self._table.counts(child, cells, len(design))
        return least_logit_loss(design, counts) + self._price * n_parameters

    def least_cost_beyond(self, child: int, members: Members) -> float:
        """What no larger family costs less than: its parameters, as probabilities cost nothing if 1."""
        if not self._levels[child]:
            return -np.inf
        return self._price * (self._n_parameters(child, members) + float(self._levels[child] - 1))

    def _n_parameters(self, child: int, members: Members) -> float:
        n_columns = 1 + float(self._n_free[list(members)].sum())
        return n_columns * float(self._levels[child] - 1) if self._levels[child] else n_columns + 1.0

    def _cells(self, members: Members) -> tuple[NDArray[np.int64], Floats]:
        """The number of each row's joint state of the members, and the design of each state."""
        chosen = np.array(members, dtype=np.int64)
        first, cells = self._table.distinct(chosen)
        states = self._values[np.ix_(first, chosen)]
        columns = [np.ones((len(states), 1))]
        for place, member in enumerate(members):
            own = states[:, [place]]
            is_state = own == np.arange(1, max(self._levels[member], 1))
            columns.append(is_state.astype(np.float64) if self._levels[member] else own)
        return cells, np.hstack(columns)

    def _least_squares(self, child: int, cells: NDArray[np.int64], design: Floats) -> float:
        """Minus the largest log-likelihood of a continuous column."""
        root = np.sqrt(self._row_weights)
        outcome = self._values[:, child]
        spread = float(self._row_weights @ (outcome - self._row_weights @ outcome / self._size) ** 2)
        weighted = design[cells] * root[:, None]
        fitted = weighted @ np.linalg.lstsq(weighted, outcome * root, rcond=None)[0]
        left = max(float(((outcome * root - fitted) ** 2).sum()), LEAST_VARIANCE * spread)
        return 0.5 * self._size * (np.log(2.0 * np.pi * left / self._size) + 1.0) if left > 0.0 else 0.0


class GroupPath:
    """The solutions of one regression at penalties that fall, each the start of the next.

    `bars` are the penalties of the columns relative to each
    other: 0 is free, infinity leaves one out.
    """

    def __init__(self, table: CodedRows, child: int, bars: Floats) -> None:
        self._table, self._child, self._bars = table, child, bars
        grouped = table.grouped
        self._loss = table.loss(child)
        self._fit = GroupFit.empty(grouped.columns.shape[1], self._loss.alone(grouped.row_weights))
        self._is_member = bars == 0.0
        self._problem: Problem | None = None
        self._fit_members(0.0)

    @property
    def is_active(self) -> Mask:
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
            if not too_hard.any():
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
        found = self._problem.fit(penalty * self._bars[members], start, tolerance=tolerance)
        self._fit.weights[columns] = found.weights
        self._fit.intercepts = found.intercepts

"""The rows of a table as regressions on groups of columns take them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.nodewise.coding import Coding
from structlearn.numerics.group_descent import Grouped, GroupFit, Loss, fit_groups
from structlearn.numerics.softmax_groups import Cells
from structlearn.statistics import Statistics, rows_of

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]

MOST_CELL_WEIGHTS = 4000  # of a softmax: each Newton step makes a matrix of their square, 128 MiB
LARGEST_NUMBER_BITS = 62  # a joint state is one whole number of 64 bits, the sign apart


class Problem(Protocol):
    """A regression on some columns only."""

    def fit(
        self, penalties: Floats, start: GroupFit, *, tolerance: float, must_stop: Callable[[], bool]
    ) -> GroupFit:
        """The solution at penalties for each of the columns, or what it is near when it must stop."""


@dataclass(frozen=True, slots=True)
class RowsProblem:
    """The regression of a continuous column, or of one with very many states, on the rows themselves."""

    grouped: Grouped
    loss: Loss

    def fit(
        self, penalties: Floats, start: GroupFit, *, tolerance: float, must_stop: Callable[[], bool]
    ) -> GroupFit:
        """The solution at penalties for each of the columns, or what it is near when it must stop."""
        return fit_groups(self.grouped, self.loss, penalties, start, tolerance=tolerance, must_stop=must_stop)


class CodedRows:
    """The rows of a table, each distinct one once, with their columns as numbers in groups."""

    def __init__(self, statistics: Statistics) -> None:
        stored = rows_of("L1MB", statistics, range(len(statistics.names)))
        weights = np.ones(statistics.n_rows) if stored.weights is None else stored.weights
        self.values, place = np.unique(stored.values, axis=0, return_inverse=True)
        self.weights = np.asarray(np.bincount(place.ravel(), weights), dtype=np.float64)
        self.levels = statistics.levels
        self._coding = Coding(self.values, self.levels, self.weights)
        self.varies: NDArray[np.bool_] = np.asarray(self._coding.spread > 0.0)
        numbers = self._coding.numbers(self.values)
        self.grouped = Grouped.of(numbers, self._coding.starts, self.weights / self.weights.sum())

    def loss(self, child: int) -> Loss:
        """The loss of predicting a column."""
        return self._coding.loss(self.values, child)

    def columns_of(self, members: Positions) -> Positions:
        """The numbers that stand for some columns."""
        starts = self.grouped.starts
        return np.concatenate([np.arange(starts[m], starts[m + 1]) for m in members])

    def problem(self, child: int, members: Positions) -> Problem:
        """The regression of a column on some others; rows that agree in those are one."""
        columns, widths = self.columns_of(members), np.diff(self.grouped.starts)[members]
        starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        n_weights = (len(columns) + 1) * int(self.levels[child])
        if not self.levels[child] or n_weights > MOST_CELL_WEIGHTS:
            gram = np.ascontiguousarray(self.grouped.gram[np.ix_(columns, columns)])
            shares, bounds = self.grouped.row_weights, self.grouped.bounds[members]
            part = Grouped(self.grouped.columns[:, columns], starts, shares, gram, bounds)
            return RowsProblem(part, self.loss(child))
        first, place = self.distinct(members)
        design = np.column_stack([self.grouped.columns[np.ix_(first, columns)], np.ones(len(first))])
        return Cells(design, self.counts(child, place, len(first)), np.append(starts, len(columns) + 1))

    def distinct(self, members: Positions) -> tuple[Positions, Positions]:
        """A row for each joint state of some columns, and the number of the state of every row."""
        levels = self.levels[members]
        values = self.values[:, members]
        if len(members) and levels.all() and np.log2(levels).sum() < LARGEST_NUMBER_BITS:
            # Sorting one number for each row is many times quicker than sorting rows.
            radix = np.append(np.cumprod(levels[:0:-1])[::-1], 1)
            states = values.astype(np.int64) @ radix
            _, first, place = np.unique(states, return_index=True, return_inverse=True)
        else:
            _, first, place = np.unique(values, axis=0, return_index=True, return_inverse=True)
        return first, place.ravel()

    def counts(self, child: int, cells: Positions, n_cells: int) -> Floats:
        """The share of the rows in each cell with each state of a column."""
        n_levels = int(self.levels[child])
        joint = cells * n_levels + self.values[:, child].astype(np.int64)
        shares = np.bincount(joint, self.grouped.row_weights, minlength=n_cells * n_levels)
        return np.asarray(shares.reshape(n_cells, n_levels), dtype=np.float64)

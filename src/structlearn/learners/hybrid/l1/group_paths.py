"""Regressions of columns of any kind, with a penalty on all indicators of a column together."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.hybrid.l1.coded_rows import CodedRows
from structlearn.learners.hybrid.l1.families import Mask, Members
from structlearn.learners.hybrid.l1.group_path import GroupPath
from structlearn.learners.hybrid.l1.path_sets import Place, SetAt, sets_along
from structlearn.learners.hybrid.l1.penalties import Penalties
from structlearn.learners.regression.nodewise.mixed_regressions import LEAST_VARIANCE
from structlearn.numerics.logit_loss import least_logit_loss
from structlearn.run import MustStop, never
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]
MOST_PARAMETERS = 2000  # a Newton step of the refit solves as many equations


class GroupPaths:
    """Multinomial logit regressions of discrete columns, linear ones of continuous columns.

    Equal rows are counted once.
    """

    most_idle = 5  # a refit costs more than all else, and later sets only get larger

    def __init__(self, statistics: Statistics, penalties: Penalties) -> None:
        self._penalties = penalties
        self._table = CodedRows(statistics)
        self._values, self._row_weights = self._table.values, self._table.weights
        self._size = float(self._row_weights.sum())
        self._levels = statistics.levels
        self._n_free = np.where(self._levels > 0, self._levels - 1, 1)

    def active_sets(
        self, child: int, is_free: Mask, is_allowed: Mask, must_stop: MustStop = never
    ) -> Iterator[Members]:
        """The columns in use, from the largest penalty down."""
        is_used = is_allowed & self._table.varies
        if not self._table.varies[child] or not is_used.any():
            return
        bars = np.where(is_used, np.where(is_free, 0.0, 1.0), np.inf)
        path = GroupPath(self._table, child, bars, must_stop)

        def set_at(penalty: float) -> Members:
            path.move_to(penalty)
            return tuple(np.flatnonzero(path.is_active | is_free).tolist())

        grid = self._grid(path.largest_penalty(), set_at, int(is_used.sum()))
        for members in sets_along(grid, set_at, must_stop):
            if self._n_parameters(child, members) >= min(self._size, MOST_PARAMETERS):
                break
            yield members

    def _grid(self, largest: float, set_at: SetAt, n_used: int) -> Iterator[Place]:
        """The penalties of the path with their sets, until one has all columns."""
        for penalty in self._penalties.below(largest).tolist():
            members = set_at(penalty)
            yield penalty, members
            if len(members) == n_used:
                break

    def cost(self, child: int, members: Members, must_stop: MustStop = never) -> float:
        """The description length of the column given these, with all parameters at their most likely."""
        cells, design = self._cells(members)
        price = self._penalties.price * self._n_parameters(child, members)
        if not self._levels[child]:
            return self._least_squares(child, cells, design) + price
        counts = self._size * self._table.counts(child, cells, len(design))
        return least_logit_loss(design, counts, must_stop) + price

    def least_cost_beyond(self, child: int, members: Members) -> float:
        """What no larger family costs less than: its parameters, as probabilities cost nothing if 1."""
        if not self._levels[child]:
            return -np.inf
        return self._penalties.price * (self._n_parameters(child, members) + float(self._levels[child] - 1))

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
            if self._levels[member]:
                is_state = states[:, [place]] == np.arange(1, self._levels[member])
                columns.append(is_state.astype(np.float64))
            else:  # standardised: regressions drop what is small beside others
                columns.append(
                    self._table.grouped.columns[np.ix_(first, self._table.columns_of(np.array([member])))]
                )
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

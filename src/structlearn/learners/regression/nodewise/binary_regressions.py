"""The logistic regression of each binary column on all others."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.learners.regression.nodewise.node_blocks import Go
from structlearn.learners.regression.nodewise.penalty_search import adaptive_weights
from structlearn.learners.regression.penalties.row_parts import rows_by_value
from structlearn.numerics.kernels.lasso import LONGEST_STEP
from structlearn.numerics.logistic_descent import LogisticBatch
from structlearn.statistics import Statistics, rows_of
from structlearn.statistics.protocol import Rows as StoredRows

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.int64]
REFIT_TOLERANCE = 1e-6  # of a slope: a criterion compares likelihoods of whole tables
Coding = Literal["signs", "zero-one"]


class BinaryTable:
    """Rows of binary columns, and the regressions of any part of them.

    With `coding="signs"` the states are −1 and 1 and a coefficient counts twice, as in the Ising model:
    P(x | others) ∝ exp(x·(field + Σ coupling_j·x_j)). With "zero-one" they are 0 and 1.
    """

    def __init__(self, statistics: Statistics, weights: Floats, *, coding: Coding, has_field: bool) -> None:
        stored = rows_of("IsingNeighborhoods", statistics, range(len(statistics.names)))
        self.n_rows = statistics.n_rows
        self._stored, self._weights, self._coding, self._has_field = stored, weights, coding, has_field
        self._statistics = statistics

    def everything(self) -> "BinaryRegressions":
        """The regressions on all rows."""
        return self.of(np.arange(self.n_rows))

    def of(self, rows: Rows) -> "BinaryRegressions":
        """The regressions on some of the rows."""
        row_weights = _row_weights(self._stored, rows)
        return BinaryRegressions(
            self._columns(rows),
            self._stored.values[rows].T == 1.0,
            row_weights,
            self._weights,
            has_field=self._has_field,
        )

    def rows_by_value(self) -> Rows:
        """The places of the rows, sorted by what they have."""
        return rows_by_value(self._stored)

    def losses(self, fitted: "BinaryRegressions", trained_on: Rows, held_out: Rows) -> Floats:  # noqa: ARG002, coding needs no training
        """The mean logistic loss of each node's regression on rows that were held out."""
        linear = fitted.with_field @ self._columns(held_out)
        outcomes = self._stored.values[held_out].T == 1.0
        row_weights = _row_weights(self._stored, held_out)
        return np.asarray((np.logaddexp(0.0, linear) - outcomes * linear) @ row_weights / row_weights.sum())

    def reweighted(self, coefficients: Floats) -> "BinaryTable":
        """The same rows where each column is penalised by the inverse of its coefficient."""
        weights = adaptive_weights(coefficients)
        return BinaryTable(self._statistics, weights, coding=self._coding, has_field=self._has_field)

    def _columns(self, rows: Rows) -> Floats:
        """The columns that explain, and one of ones for the field."""
        codes = self._stored.values[rows].T
        columns = 4.0 * codes - 2.0 if self._coding == "signs" else codes
        return np.ascontiguousarray(np.vstack([columns, np.ones(len(rows))]))


class BinaryRegressions:
    """All binary columns regressed on each other at some penalty.

    Minimises for each node the mean of log(1 + exp z) − y·z plus penalty·Σ weights_j·|w_j|. The last
    column of `with_field` is the intercept.
    """

    def __init__(
        self, columns: Floats, outcomes: Mask, row_weights: Floats, weights: Floats, *, has_field: bool
    ) -> None:
        self.size = float(row_weights.sum())
        self.gaps: Floats = np.zeros(len(outcomes))
        self._columns, self._outcomes, self._has_field = columns, np.ascontiguousarray(outcomes), has_field
        self._codes = np.vstack([outcomes, np.zeros_like(outcomes[:1])]).astype(np.uint8)
        self._shares = row_weights / self.size
        self._means = outcomes @ self._shares
        self._varies: Mask = np.asarray(outcomes.any(axis=1) & ~outcomes.all(axis=1))
        self._weights = np.where(self._varies, weights, np.inf)
        self.with_field: Floats = np.zeros((len(outcomes), len(columns)))
        start = np.full(len(outcomes), 0.5)
        if has_field:
            start[self._varies] = self._means[self._varies]
            self.with_field[:, -1] = special.logit(start)
        self._gradients = (self._shares * (outcomes - start[:, None])) @ columns.T
        self._previous = np.full(len(outcomes), np.inf)

    @property
    def coefficients(self) -> Floats:
        """Row by row the couplings of each node, its own zero."""
        return self.with_field[:, :-1]

    def largest_penalty(self) -> float:
        """The smallest penalty at which no column has a neighbour."""
        nodes = np.arange(len(self.gaps))
        weights = self._penalties(nodes, np.ones(len(nodes)))
        counts = np.isfinite(weights) & (weights > 0.0)
        return float(np.max(np.abs(self._gradients[counts]) / weights[counts], initial=0.0))

    def move_to(self, penalties: Floats, go: Go) -> None:
        """Solve for these penalties, one per node, starting from the solutions at hand."""

        def solve(block: slice) -> None:
            nodes = np.arange(block.start, block.stop)
            batch = self._batch(nodes, self._penalties(nodes, penalties[nodes]))
            batch.solve(self._strong(nodes, penalties[nodes]))
            self.with_field[nodes], self._gradients[nodes] = batch.coefficients, batch.gradients
            self.gaps[nodes] = batch.gaps() * self._varies[nodes]

        go(solve)
        self._previous = penalties

    def refitted_likelihoods(self, go: Go) -> tuple[Floats, Floats]:
        """The number of neighbours of each node, and its likelihood with them, without shrinkage."""
        sizes = np.count_nonzero(self.coefficients, axis=1).astype(np.float64)
        likelihoods = np.full(len(self.gaps), np.nan)

        def refit(block: slice) -> None:
            nodes = np.arange(block.start, block.stop)
            is_member = self.with_field[nodes] != 0.0
            is_member[:, -1] = self._has_field & self._varies[nodes]
            batch = self._batch(nodes, np.where(is_member, 0.0, np.inf))
            batch.solve(is_member, tolerance=REFIT_TOLERANCE)
            likelihoods[nodes] = -self.size * batch.losses * self._varies[nodes]

        go(refit)
        return sizes, likelihoods

    def _batch(self, nodes: Rows, penalties: Floats) -> LogisticBatch:
        return LogisticBatch(
            columns=self._columns,
            codes=self._codes,
            outcomes=self._outcomes[nodes],
            row_weights=self._shares,
            penalties=penalties,
            coefficients=self.with_field[nodes],
            gradients=self._gradients[nodes],
            losses=np.zeros(len(nodes)),
        )

    def _penalties(self, nodes: Rows, penalties: Floats) -> Floats:
        """The penalty of each column for each of the nodes; the field is free."""
        own = np.full((len(nodes), self.with_field.shape[1]), np.inf)
        weights = self._weights[nodes % len(self._weights)]
        # What may not be stays at infinity where the penalty is 0, as it is where nothing pulls.
        np.multiply(penalties[:, None], weights, out=own[:, :-1], where=np.isfinite(weights))
        own[np.arange(len(nodes)), nodes] = np.inf
        own[:, -1] = 0.0 if self._has_field else np.inf
        own[~self._varies[nodes]] = np.inf
        return own

    def _strong(self, nodes: Rows, penalties: Floats) -> Mask:
        """The columns that the sequential strong rule keeps, those in the model and the field.

        After a long step down the path the rule leaves little out, and those that pull come in later.
        """
        previous = self._previous[nodes]
        threshold = np.where(previous <= LONGEST_STEP * penalties, 2.0 * penalties - previous, np.inf)
        is_strong = np.abs(self._gradients[nodes]) >= self._penalties(nodes, threshold)
        may_be_in = np.isfinite(self._penalties(nodes, penalties))
        is_in = is_strong | (self.with_field[nodes] != 0.0)
        is_in[:, -1] = True
        return np.asarray(is_in & may_be_in)


def _row_weights(stored: StoredRows, rows: Rows) -> Floats:
    return np.ones(len(rows)) if stored.weights is None else stored.weights[rows]

"""The lasso of each continuous column on all others."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.nodewise.kernels.neighborhoods import refit_residuals, solve_nodes
from structlearn.learners.regression.nodewise.node_blocks import Go
from structlearn.learners.regression.nodewise.penalty_search import adaptive_weights
from structlearn.learners.regression.penalties.row_parts import rows_by_value
from structlearn.statistics import Rows as StoredRows
from structlearn.statistics import Statistics, rows_of

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
TOLERANCE = 1e-7  # of the duality gap, as a share of the variance; zeros are exact long before


class GaussianTable:
    """Rows of continuous columns, and the regressions of any part of them."""

    def __init__(self, statistics: Statistics, weights: Floats, *, l1_share: float) -> None:
        self._statistics, self._weights, self._l1_share = statistics, weights, l1_share
        self.n_rows = statistics.n_rows

    def everything(self) -> "GaussianRegressions":
        """The regressions on all rows."""
        moments = self._statistics.moments()
        return self._regressions(moments.correlation, moments.size)

    def of(self, rows: Rows) -> "GaussianRegressions":
        """The regressions on some of the rows."""
        values, row_weights = self._standardised(rows, like=rows)
        weighted = values * row_weights[:, None]
        return self._regressions(weighted.T @ values / row_weights.sum(), float(row_weights.sum()))

    def rows_by_value(self) -> Rows:
        """The places of the rows, sorted by what they have."""
        return rows_by_value(self._rows())

    def losses(self, fitted: "GaussianRegressions", trained_on: Rows, held_out: Rows) -> Floats:
        """Half the mean squared error of each node's regression on rows that were held out."""
        values, row_weights = self._standardised(held_out, like=trained_on)
        errors = values - values @ fitted.coefficients.T
        return np.asarray(0.5 * row_weights @ errors**2 / row_weights.sum())

    def reweighted(self, coefficients: Floats) -> "GaussianTable":
        """The same rows where each column is penalised by the inverse of its coefficient."""
        weights = adaptive_weights(coefficients)
        return GaussianTable(self._statistics, weights, l1_share=self._l1_share)

    def _regressions(self, correlation: Floats, size: float) -> "GaussianRegressions":
        return GaussianRegressions(correlation, self._weights, l1_share=self._l1_share, size=size)

    def _rows(self) -> StoredRows:
        everything = range(len(self._statistics.names))
        return rows_of("A regression on parts of the rows", self._statistics, everything)

    def _standardised(self, rows: Rows, *, like: Rows) -> tuple[Floats, Floats]:
        """Some rows, with the means of other rows taken off and their deviations divided out."""
        table = self._rows()
        row_weights = np.ones(self.n_rows) if table.weights is None else table.weights
        reference, sizes = table.values[like], row_weights[like]
        mean = sizes @ reference / sizes.sum()
        variance = sizes @ (reference - mean) ** 2 / sizes.sum()
        varies = (reference != reference[:1]).any(axis=0)
        scale = np.divide(1.0, np.sqrt(variance), out=np.zeros_like(variance), where=varies)
        return (table.values[rows] - mean) * scale, row_weights[rows]


class GaussianRegressions:
    """All columns regressed on each other at some penalty, on their correlations alone.

    Minimises for each node (1/2n)·SSE + penalty·(share·Σ weights_j·|w_j| + ½(1 − share)·‖w‖²) on
    standardised columns.

    Parameters
    ----------
    correlation : array of shape (p, p)
        What all nodes share; a constant column has zeros.
    weights : array of shape (1 or p, p)
        How each node penalises each column.
    l1_share : float
        The share of the penalty that is absolute; the rest is squared.
    size : float
        The number of rows behind the correlations.
    """

    def __init__(self, correlation: Floats, weights: Floats, *, l1_share: float, size: float) -> None:
        self.correlation, self.weights, self.l1_share, self.size = correlation, weights, l1_share, size
        self.coefficients: Floats = np.zeros(correlation.shape)  # pages of zeros cost nothing, copies do
        self.gaps: Floats = np.zeros(len(correlation))
        self._previous = np.full(len(correlation), np.inf)

    def largest_penalty(self) -> float:
        """The smallest penalty at which no column has a neighbour."""
        largest = 0.0
        for node, row in enumerate(self.correlation):
            weights = self.weights[node % len(self.weights)]
            counts = np.isfinite(weights) & (weights > 0.0)
            counts[node] = False
            largest = max(largest, float(np.max(np.abs(row[counts]) / weights[counts], initial=0.0)))
        return largest / self.l1_share

    def move_to(self, penalties: Floats, go: Go) -> None:
        """Solve for these penalties, one per node, starting from the solutions at hand."""
        absolute, squared = penalties * self.l1_share, penalties * (1.0 - self.l1_share)

        def solve(nodes: slice) -> None:
            solve_nodes(
                self.correlation,
                nodes.start,
                nodes.stop,
                self.weights,
                absolute,
                self._previous,
                squared,
                TOLERANCE,
                self.coefficients,
                self.gaps,
            )

        go(solve)
        self._previous = absolute

    def refitted_likelihoods(self, go: Go) -> tuple[Floats, Floats]:
        """The number of neighbours of each node, and its likelihood with them, without shrinkage."""
        sizes, left = np.zeros(len(self.gaps)), np.full(len(self.gaps), np.nan)

        def refit(nodes: slice) -> None:
            refit_residuals(self.correlation, nodes.start, nodes.stop, self.coefficients, sizes, left)

        go(refit)
        left[np.diag(self.correlation) == 0.0] = 1.0
        left[(left <= 0.0) | (sizes >= self.size - 1.0)] = np.nan
        return sizes, -0.5 * self.size * np.log(left)

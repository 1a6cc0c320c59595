"""The regression of each column on all others, for tables of any kinds of columns."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.nodewise.coding import Coding
from structlearn.learners.regression.nodewise.node_blocks import Go
from structlearn.learners.regression.nodewise.penalty_search import adaptive_weights
from structlearn.learners.regression.penalties.row_parts import rows_by_value
from structlearn.numerics.group_descent import Grouped, GroupFit, SoftmaxLoss, fit_groups
from structlearn.numerics.logit_loss import least_logit_loss
from structlearn.numerics.softmax_rows import fit_softmax
from structlearn.run import MustStop
from structlearn.statistics import Statistics, rows_of

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

REFIT_TOLERANCE = 1e-5  # of a slope: a criterion compares likelihoods of whole tables
LEAST_VARIANCE = 1e-12  # of a standardised column that others determine


class MixedTable:
    """Rows of columns of any kind, and the regressions of any part of them."""

    def __init__(self, statistics: Statistics, weights: Floats) -> None:
        stored = rows_of("IsingNeighborhoods", statistics, range(len(statistics.names)))
        self.n_rows = statistics.n_rows
        self._statistics, self._weights, self._stored = statistics, weights, stored
        self._values = stored.values
        self._row_weights = np.ones(self.n_rows) if stored.weights is None else stored.weights

    def everything(self) -> "MixedRegressions":
        """The regressions on all rows."""
        return self.of(np.arange(self.n_rows))

    def of(self, rows: Rows) -> "MixedRegressions":
        """The regressions on some of the rows."""
        return MixedRegressions(
            self._values[rows], self._statistics.levels, self._row_weights[rows], self._weights
        )

    def rows_by_value(self) -> Rows:
        """The places of the rows, sorted by what they have."""
        return rows_by_value(self._stored)

    def losses(self, fitted: "MixedRegressions", trained_on: Rows, held_out: Rows) -> Floats:  # noqa: ARG002, the coding was trained with the fit
        """The mean loss of each node's regression on rows that were held out."""
        row_weights = self._row_weights[held_out]
        return np.asarray(fitted.losses_on(self._values[held_out]) @ row_weights / row_weights.sum())

    def reweighted(self, coefficients: Floats) -> Self:
        """The same rows where each column is penalised by the inverse of its coefficient."""
        return type(self)(self._statistics, adaptive_weights(coefficients))


class MixedRegressions:
    """All columns regressed on each other at some penalty.

    Minimises for each node its mean loss, halved squares or minus the log-probability, plus
    penalty·spread·Σ weights_j·‖W_j‖ with the spread of the node as a response. `coefficients`
    holds the norms, with the sign where a norm is that of a single number.
    """

    def __init__(
        self, values: Floats, levels: NDArray[np.int64], row_weights: Floats, weights: Floats
    ) -> None:
        self.size = float(row_weights.sum())
        self.coding = Coding(values, levels, row_weights)
        varies = self.coding.spread > 0.0
        n_nodes = len(levels)
        self.gaps: Floats = np.zeros(n_nodes)
        self.coefficients: Floats = np.zeros((n_nodes, n_nodes))
        self._penalties: Floats = np.full(n_nodes, np.nan)
        self._grouped = Grouped.of(self.coding.numbers(values), self.coding.starts, row_weights / self.size)
        self._losses = [self.coding.loss(values, node) for node in range(n_nodes)]
        asked = varies & varies[:, None] & ~np.eye(n_nodes, dtype=bool)
        self._bars = np.where(asked, weights, np.inf)
        np.multiply(self._bars, self.coding.response_spread()[:, None], out=self._bars, where=asked)
        self._refitted: list[dict[bytes, float]] = [{} for _ in range(n_nodes)]
        self._fits = [
            GroupFit.empty(self._grouped.columns.shape[1], loss.alone(self._grouped.row_weights))
            for loss in self._losses
        ]

    def largest_penalty(self) -> float:
        """The smallest penalty at which no column has a neighbour."""
        largest = 0.0
        for node, fit in enumerate(self._fits):
            linear = np.broadcast_to(fit.intercepts, (len(self._grouped.columns), len(fit.intercepts)))
            _, residuals = self._losses[node].at(linear)
            pulls = self._grouped.norms(
                self._grouped.columns.T @ (residuals * self._grouped.row_weights[:, None])
            )
            bind = np.isfinite(self._bars[node])
            largest = max(largest, float(np.max(pulls[bind] / self._bars[node, bind], initial=0.0)))
        return largest

    def move_to(self, penalties: Floats, go: Go) -> None:
        """Solve for these penalties, one per node, starting from the solutions at hand."""

        def solve(nodes: slice) -> None:
            for node in range(nodes.start, nodes.stop):
                bars = self._bars[node]
                if not np.isfinite(bars).any() or penalties[node] == self._penalties[node]:
                    continue
                fit = self._solved(node, penalties[node] * bars, go.must_stop)
                self._penalties[node] = penalties[node]
                self._fits[node], self.gaps[node] = fit, fit.gap
                self.coefficients[node] = self._signed_norms(fit.weights)

        go(solve)

    def refitted_likelihoods(self, go: Go) -> tuple[Floats, Floats]:
        """The number of parameters of each node, and its likelihood with them, without shrinkage."""
        freedom = np.where(self.coding.levels > 0, self.coding.levels - 1, 1).astype(np.float64)
        chosen = self.coefficients != 0.0
        likelihoods = np.full(len(freedom), np.nan)

        def refit(nodes: slice) -> None:
            for node in range(nodes.start, nodes.stop):
                likelihoods[node] = self._refitted_likelihood(node, chosen[node])

        go(refit)
        return freedom * (chosen @ freedom), likelihoods

    def _refitted_likelihood(self, node: int, chosen: NDArray[np.bool_]) -> float:
        """The likelihood of a node with these neighbours; many penalties of a path choose the same."""
        known = self._refitted[node]
        if chosen.tobytes() not in known:
            known[chosen.tobytes()] = self._likelihood_with(node, chosen)
        return known[chosen.tobytes()]

    def _likelihood_with(self, node: int, chosen: NDArray[np.bool_]) -> float:
        loss, columns = self._losses[node], self._grouped.columns
        if isinstance(loss, SoftmaxLoss):
            members = np.repeat(chosen, self.coding.widths)
            design = np.column_stack([np.ones(len(columns)), columns[:, members]])
            return -least_logit_loss(design, loss.shares(self.size * self._grouped.row_weights))
        free = np.where(chosen, 0.0, np.inf)
        mean = fit_groups(self._grouped, loss, free, self._fits[node], tolerance=REFIT_TOLERANCE).loss
        return -0.5 * self.size * float(np.log(max(2.0 * mean, LEAST_VARIANCE)))

    def _solved(self, node: int, penalties: Floats, must_stop: MustStop) -> GroupFit:
        start, loss = self._fits[node], self._losses[node]
        if isinstance(loss, SoftmaxLoss):
            return fit_softmax(self._grouped, loss, penalties, start, must_stop=must_stop)
        return fit_groups(self._grouped, loss, penalties, start, must_stop=must_stop)

    def losses_on(self, values: Floats) -> Floats:
        """The loss of each node's regression on each of some other rows."""
        numbers = self.coding.numbers(values)
        return np.array(
            [
                self.coding.loss(values, node).at(numbers @ fit.weights + fit.intercepts)[0]
                for node, fit in enumerate(self._fits)
            ]
        )

    def _signed_norms(self, weights: Floats) -> Floats:
        norms = self._grouped.norms(weights)
        if weights.shape[1] > 1:
            return norms
        signs = np.sign(weights[self.coding.starts[:-1], 0])
        return np.where(self.coding.widths == 1, signs * norms, norms)

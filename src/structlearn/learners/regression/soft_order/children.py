"""What it costs to predict a column from others that take part by shares between 0 and 1.

Each column is one number or several; `group` says whose a number is. With share e, the squared weights of a
parent cost ½ ridge / e each: nothing can be had of a share of 0, which is that of the column itself. So what
is known of all numbers is there once, whichever of them is predicted.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.later import lapack
from structlearn.learners.regression.nodewise.coding import Coding
from structlearn.learners.regression.precision.covariances import scaled
from structlearn.learners.regression.soft_order.softmax_contrasts import contrasts, fit_contrasts
from structlearn.run import MustStop, never
from structlearn.statistics import Statistics, rows_of

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]


@dataclass(frozen=True)
class SquaredChild:
    """A continuous column of unit noise variance: half the sum of squares."""

    gram: Floats
    target: Floats
    total: float
    ridge: float
    group: Positions
    factor: Floats | None = None  # numbers in columns, with these products, where it has fewer rows
    place: int = 0  # of the column in it
    n_outputs: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether each of the other columns is a single number."""
        return len(set(self.group.tolist())) == len(self.group)

    def at(
        self,
        shares: Floats,
        must_stop: MustStop = never,  # noqa: ARG002, it takes no time
    ) -> tuple[float, Floats]:
        """The least loss plus ridge at given shares of the columns, and its slopes in them."""
        there = np.flatnonzero(shares[self.group] > 0.0)
        root = np.sqrt(shares[self.group][there])
        if self.factor is not None and len(there) > len(self.factor):
            parts, whole = self.factor[:, there] * root, self.factor[:, self.place]
            system = self.ridge * np.eye(len(parts)) + parts @ parts.T
            left = self.ridge * np.linalg.solve(system, whole)
            slopes = -(self.factor.T @ left)
            return 0.5 * float(whole @ left), _by_column(slopes[:, None], self.group, len(shares), self.ridge)
        system = self.ridge * np.eye(len(there)) + root[:, None] * self.gram[np.ix_(there, there)] * root
        weights = root * np.linalg.solve(system, root * self.target[there])
        slopes = weights @ self.gram[there] - self.target
        value = 0.5 * (self.total - float(self.target[there] @ weights))
        return value, _by_column(slopes[:, None], self.group, len(shares), self.ridge)

    def conic_loss(self, cvxpy: Any, weights: Any) -> Any:
        """The loss as an expression of a modelling language, for `weights` (numbers, outputs)."""
        values, vectors = np.linalg.eigh(self.gram)
        factor = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
        column = weights[:, 0]
        return 0.5 * self.total - self.target @ column + 0.5 * cvxpy.sum_squares(factor @ column)


@dataclass(frozen=True)
class SoftmaxChild:
    """A discrete column: minus the log-likelihood of a softmax regression in which no state is the base."""

    numbers: Floats
    rows: Positions  # of the numbers: those that differ in the other columns
    counts: Floats
    ridge: float
    group: Positions

    @property
    def n_outputs(self) -> int:
        """Weights for each number: contrasts of the states."""
        return int(self.counts.shape[1]) - 1

    def at(self, shares: Floats, must_stop: MustStop = never) -> tuple[float, Floats]:
        """The least loss plus ridge at given shares of the columns, and its slopes in them.

        What must stop early gives a loss that is not the least.
        """
        there = np.flatnonzero(shares[self.group] > 0.0)
        design = self.numbers[np.ix_(self.rows, there)] * np.sqrt(shares[self.group][there])
        fit = fit_contrasts(design, self.counts, self.ridge, must_stop)
        excess = np.zeros((len(self.numbers), fit.excess.shape[1]))
        excess[self.rows] = fit.excess
        slopes = self.numbers.T @ excess
        return fit.objective, _by_column(slopes, self.group, len(shares), self.ridge)

    def conic_loss(self, cvxpy: Any, weights: Any) -> Any:
        """The loss as an expression of a modelling language, for `weights` (numbers, outputs)."""
        n_cells, n_levels = self.counts.shape
        if n_levels == 1:
            return 0.0
        intercepts = cvxpy.Variable((1, n_levels - 1))
        sums = self.numbers[self.rows] @ weights + np.ones((n_cells, 1)) @ intercepts
        logits = sums @ contrasts(n_levels).T
        chosen = cvxpy.sum(cvxpy.multiply(self.counts, logits))
        return self.counts.sum(axis=1) @ cvxpy.log_sum_exp(logits, axis=1) - chosen


Child = SquaredChild | SoftmaxChild


def children_of(
    owner: str, statistics: Statistics, *, ridge: float, standardise: bool, must_stop: MustStop = never
) -> list[Child]:
    """The regression of each column on all others; fewer if it stops."""
    p = len(statistics.names)
    if not statistics.levels.any():
        gram = statistics.size * scaled(statistics.moments().covariance, standardise=standardise)
        factor = _factor(gram) if statistics.n_rows < p else None
        return [_squared(gram, np.arange(p), child, ridge, factor) for child in range(p)]
    stored = rows_of(owner, statistics, range(p))
    values, place = np.unique(stored.values, axis=0, return_inverse=True)
    counts = np.bincount(place.ravel(), stored.weights).astype(np.float64)
    coding = Coding(values, statistics.levels, counts)
    numbers = coding.numbers(values)
    group = np.repeat(np.arange(p), coding.widths)
    rows = numbers * np.sqrt(counts)[:, None]
    gram = np.zeros((0, 0)) if statistics.levels.all() else rows.T @ rows
    factor = rows if len(rows) < rows.shape[1] else None
    return [
        _softmax(numbers, values, counts, group, child, ridge)
        if statistics.levels[child]
        else _squared(gram, group, int(coding.starts[child]), ridge, factor)
        for child in range(p)
        if not must_stop()
    ]


def _squared(gram: Floats, group: Positions, place: int, ridge: float, factor: Floats | None) -> SquaredChild:
    return SquaredChild(gram, gram[place], float(gram[place, place]), ridge, group, factor, place)


def _factor(gram: Floats) -> Floats:
    """A matrix with as many rows as its columns have directions, and these products of them."""
    triangle, order, rank, _ = lapack.dpstrf(gram)
    factor = np.zeros((rank, len(gram)))
    factor[:, order - 1] = np.triu(triangle)[:rank]
    return factor


def _softmax(
    numbers: Floats, values: Floats, counts: Floats, group: Positions, child: int, ridge: float
) -> SoftmaxChild:
    """The distinct rows of the others, with how often the child has each of its states in them."""
    seen, state = np.unique(values[:, child], return_inverse=True)
    _, first, cell = np.unique(
        np.delete(values, child, axis=1), axis=0, return_index=True, return_inverse=True
    )
    table = np.zeros((len(first), len(seen)))
    np.add.at(table, (cell.ravel(), state), counts)
    return SoftmaxChild(numbers, first, table, ridge, group)


def _by_column(slopes: Floats, group: Positions, n_columns: int, ridge: float) -> Floats:
    """The slopes in the shares: at the optimum a weight is -share / ridge times its own slope."""
    squares = (slopes**2).sum(axis=1)
    found: Floats = -np.bincount(group, squares, minlength=n_columns) / (2.0 * ridge)
    return found

"""Penalised logistic regression, for one outcome or many on the same columns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.kernels.logistic import fit_logistic_nodes

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

TOLERANCE = 1e-9  # of a slope, per row
WORTH_A_ROUND = 1.5  # pull per penalty from which the hardest go first
SLACK = 1e-9  # share of a penalty by which a column left out may pull too hard


@dataclass(frozen=True, slots=True)
class LogisticFit:
    """A solution: how far its objective can be from the optimum, and the loss without the penalty."""

    intercept: float
    coefficients: Floats
    gap: float
    loss: float


@dataclass(slots=True)
class LogisticBatch:
    """Regressions of many outcomes on the same columns: what is given, and the solutions so far.

    `columns` is (columns, rows) and `outcomes` (outcomes, rows); the other arrays are (outcomes,
    columns). Infinite penalties leave a column out. `row_weights` sum to 1. `codes` are the columns
    as zeros and ones where all have two values at most, so that equal rows are counted once.
    """

    columns: Floats
    codes: NDArray[np.uint8]
    outcomes: Mask
    row_weights: Floats
    penalties: Floats
    coefficients: Floats
    gradients: Floats
    losses: Floats

    def solve(self, is_member: Mask, *, tolerance: float = TOLERANCE) -> None:
        """Solve with these columns at first, and with more until none left out pulls too hard.

        `gradients` are those at the start, or zero where they are not known.
        """
        residuals = np.zeros((len(self.outcomes), self.columns.shape[1]))
        todo = np.arange(len(self.outcomes))
        is_member |= self.hardest_pulls(todo, is_member)
        while len(todo):
            fit_logistic_nodes(
                self.columns,
                self.codes,
                self.outcomes,
                self.row_weights,
                self.penalties,
                is_member,
                todo,
                tolerance,
                self.coefficients,
                residuals,
                self.losses,
            )
            self.gradients[todo] = residuals[todo] @ self.columns.T
            new = self.hardest_pulls(todo, is_member[todo])
            is_member[todo] |= new
            todo = todo[new.any(axis=1)]

    def hardest_pulls(self, nodes: NDArray[np.int64], is_member: Mask) -> Mask:
        """The columns left out that pull harder than their penalty, by more than half of the most."""
        out = ~is_member & np.isfinite(self.penalties[nodes]) & (self.penalties[nodes] > 0.0)
        pulls = np.zeros(out.shape)
        np.divide(np.abs(self.gradients[nodes]), self.penalties[nodes], out=pulls, where=out)
        hardest = pulls.max(axis=1, initial=0.0)
        threshold = np.where(hardest > WORTH_A_ROUND, 0.5 * (1.0 + hardest), 1.0 + SLACK)
        return np.asarray(pulls > threshold[:, None])

    def gaps(self) -> Floats:
        """A bound on the duality gap of each solution.

        The dual point is the residual, scaled until it is feasible. The dual objective is concave and 0
        at 0, so scaling by s leaves at least s times what it was.
        """
        reach = np.where(self.penalties > 0.0, self.penalties, np.inf)
        pulls = np.abs(self.gradients) / reach
        scale = 1.0 / np.maximum(pulls.max(axis=1, initial=0.0), 1.0)
        linear = (self.coefficients * self.gradients).sum(axis=1)
        paid = np.where(self.coefficients != 0.0, self.penalties, 0.0) * np.abs(self.coefficients)
        gaps = paid.sum(axis=1) - linear + (1.0 - scale) * (self.losses + linear)
        return np.asarray(np.maximum(gaps, 0.0))


def logistic(
    design: Floats,
    outcome: Mask,
    *,
    penalty: float,
    weights: Floats | None = None,
    intercept: bool = True,
    row_weights: Floats | None = None,
    tolerance: float = TOLERANCE,
) -> LogisticFit:
    """Minimise the mean of log(1 + exp z) − y·z plus penalty·Σ weights_j·|w_j|, z = intercept + design·w.

    Parameters
    ----------
    design : array of shape (n, p)
        The columns that explain.
    outcome : array of shape (n,) of bool
        What is explained.
    penalty : float
        What multiplies the L1 norm; scikit-learn's C is 1 / (n·penalty). The intercept is free.
    weights : array of shape (p,), optional
        How much each column is penalised: 0 is free, infinity leaves it out. By default 1.
    intercept : bool, default True
        Whether there is an intercept.
    row_weights : array of shape (n,), optional
        How much each row counts; by default all the same.
    tolerance : float, default 1e-9
        How far a condition of the optimum may be from true.

    Examples
    --------
    >>> x = np.repeat([1.0, 0.0, 1.0, 0.0], [45, 15, 10, 30])[:, None]
    >>> y = np.repeat([True, False], [60, 40])
    >>> fit = logistic(x, y, penalty=0.05)
    >>> round(fit.intercept, 6), round(float(fit.coefficients[0]), 6)
    (-0.223144, 1.203973)
    """
    n, p = design.shape
    shares = np.full(n, 1.0 / n) if row_weights is None else row_weights / row_weights.sum()
    penalties = np.zeros((1, p + 1))
    penalties[0, :p] = np.full(p, penalty) if weights is None else penalty * weights
    penalties[0, p] = 0.0 if intercept else np.inf
    batch = LogisticBatch(
        codes=np.zeros((0, 0), dtype=np.uint8),
        columns=np.ascontiguousarray(np.vstack([design.T, np.ones(n)])),
        outcomes=np.asarray(outcome, dtype=np.bool_)[None],
        row_weights=shares,
        penalties=penalties,
        coefficients=np.zeros((1, p + 1)),
        gradients=np.zeros((1, p + 1)),
        losses=np.zeros(1),
    )
    batch.solve(penalties == 0.0, tolerance=tolerance)
    found = batch.coefficients[0]
    return LogisticFit(float(found[p]), found[:p], float(batch.gaps()[0]), float(batch.losses[0]))

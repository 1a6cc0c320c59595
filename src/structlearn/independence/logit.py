"""Nested logistic regressions of two discrete columns on conditions of any kind."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.kernels.logit import logit_likelihood
from structlearn.independence.tails import log_chi2_tail
from structlearn.statistics import Rows

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LogitComparison:
    """Whether x helps to predict y, and y to predict x, beyond the conditions.

    `statistic` is the smaller of the two likelihood ratios, `log_p` the logarithm of
    min(2 · smaller p-value, larger p-value). `is_attained` is False where classes are separated.
    """

    statistic: float
    dof: float
    log_p: float
    is_attained: bool


def compare_logits(rows: Rows, levels: NDArray[np.int64]) -> LogitComparison:
    """Compare regressions with and without each other; columns are (x, y, given…), levels 0 if continuous."""
    weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
    counted = rows.values[weights > 0], weights[weights > 0]
    if not len(counted[0]):
        return LogitComparison(0.0, 0.0, 0.0, is_attained=True)
    x, y = (np.unique(counted[0][:, j], return_inverse=True)[1].astype(np.int64) for j in (0, 1))
    conditions = _design(counted[0][:, 2:], levels[2:])
    dof = float(x.max() * y.max())
    n_slopes = max(x.max() * (conditions.shape[1] + y.max()), y.max() * (conditions.shape[1] + x.max()))
    if dof == 0.0 or len(x) <= n_slopes:
        return LogitComparison(0.0, 0.0, 0.0, is_attained=True)
    ratios, attained = zip(*(_ratio(conditions, *pair, counted[1]) for pair in ((x, y), (y, x))), strict=True)
    larger, smaller = np.sort(log_chi2_tail(np.array(ratios), np.full(2, dof)))[::-1]
    log_p = min(np.log(2.0) + smaller, larger)
    return LogitComparison(min(ratios), dof, float(log_p), is_attained=all(attained))


def _ratio(
    conditions: Matrix, target: NDArray[np.int64], other: NDArray[np.int64], weights: Matrix
) -> tuple[float, bool]:
    """The likelihood ratio of `other` as a further predictor, and whether both likelihoods are attained."""
    n_levels = int(target.max()) + 1
    wider = np.concatenate([conditions, _indicators(other)], axis=1)
    without, one = logit_likelihood(conditions, target, weights, n_levels)
    with_it, two = logit_likelihood(wider, target, weights, n_levels)
    return max(2.0 * (with_it - without), 0.0), bool(one and two)


def _design(values: Matrix, levels: NDArray[np.int64]) -> Matrix:
    """Ones, standardised numbers, and indicators of all levels that occur but one."""
    parts = [np.ones((len(values), 1))]
    for column, n_levels in zip(values.T, levels, strict=True):
        if n_levels:
            parts.append(_indicators(np.unique(column, return_inverse=True)[1]))
        elif (column != column[0]).any():
            parts.append(((column - column.mean()) / column.std())[:, None])
    return np.concatenate(parts, axis=1)


def _indicators(codes: NDArray[np.int64]) -> Matrix:
    indicators: Matrix = (codes[:, None] == np.arange(1, codes.max() + 1)).astype(np.float64)
    return indicators

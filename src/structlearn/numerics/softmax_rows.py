"""Softmax regression on groups of columns of a table: Newton's method among the groups that matter."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.group_descent import Grouped, GroupFit, Point, SoftmaxLoss, fit_groups
from structlearn.numerics.softmax_groups import Cells

Floats = NDArray[np.float64]

MOST_WEIGHTS = (
    1000  # a Newton step makes a matrix of their square; beyond, its price is above that of descent
)


def fit_softmax(
    grouped: Grouped,
    loss: SoftmaxLoss,
    penalties: Floats,
    start: GroupFit,
    *,
    tolerance: float = 1e-8,
    must_stop: Callable[[], bool] = lambda: False,
) -> GroupFit:
    """What `fit_groups` gives, in a few steps where it takes hundreds.

    It is solved among the groups that have weights or are free, and others are taken in until none pulls
    harder than its penalty.
    """
    fit, is_in = start, (grouped.norms(start.weights) > 0.0) | (penalties == 0.0)
    shares = loss.shares(grouped.row_weights)
    while True:
        is_in_column = np.repeat(is_in, np.diff(grouped.starts))
        columns = np.flatnonzero(is_in_column)
        if (len(columns) + 1) * shares.shape[1] > MOST_WEIGHTS:
            return fit_groups(grouped, loss, penalties, fit, tolerance=tolerance, must_stop=must_stop)
        among = _cells(grouped, shares, is_in, columns)
        before = GroupFit(fit.weights[columns], fit.intercepts, 0.0, 0.0)
        found = among.fit(penalties[is_in], before, tolerance=tolerance, must_stop=must_stop)
        fit = GroupFit.empty(len(is_in_column), found.intercepts)
        fit.weights[columns] = found.weights
        point = Point.at(grouped, loss, fit.weights, fit.intercepts)
        too_hard = ~is_in & (grouped.norms(point.gradient) > penalties + tolerance)
        if not too_hard.any() or must_stop():
            return GroupFit(point.weights, point.intercepts, point.mean, point.gap(penalties))
        is_in |= too_hard


def _cells(grouped: Grouped, shares: Floats, is_in: NDArray[np.bool_], columns: NDArray[np.int64]) -> Cells:
    design = np.column_stack([grouped.columns[:, columns], np.ones(len(shares))])
    return Cells(design, shares, np.cumsum([0, *np.diff(grouped.starts)[is_in], 1]))

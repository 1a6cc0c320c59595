"""Lasso paths of continuous columns, on one Gram matrix."""

from collections.abc import Iterator

import numpy as np

from structlearn.learners.hybrid.l1.families import Mask, Members
from structlearn.learners.regression.penalties.path import penalty_path
from structlearn.numerics.descent import largest_penalty, lasso_path
from structlearn.scores.likelihoods import Regressions
from structlearn.statistics import Statistics


class GaussianPaths:
    """Linear regressions of continuous columns on each other.

    Parameters
    ----------
    statistics : Statistics
        The data.
    price : float
        What a parameter costs.
    n_penalties, smallest_share
        The penalties of the path, and the smallest as a share of the largest.
    """

    most_idle = None

    def __init__(
        self, statistics: Statistics, *, price: float, n_penalties: int, smallest_share: float
    ) -> None:
        self._statistics = statistics
        self._correlation = statistics.moments().correlation
        self._price = price
        self._n_penalties, self._smallest_share = n_penalties, smallest_share

    def active_sets(self, child: int, is_free: Mask, is_allowed: Mask) -> Iterator[Members]:
        """The columns in use, from the largest penalty down, as long as rows are left to fit them to."""
        weights = np.where(is_free, 0.0, np.where(is_allowed, 1.0, np.inf))
        target = self._correlation[child]
        largest = largest_penalty(target, weights)
        if largest == 0.0:
            return
        penalties = penalty_path(largest, n_penalties=self._n_penalties, smallest_share=self._smallest_share)
        path = lasso_path(self._correlation, target, penalties=penalties, weights=weights, total=1.0)
        previous: Members | None = None
        for coefficients in path.coefficients:
            members = tuple(np.flatnonzero((coefficients != 0.0) | is_free).tolist())
            if len(members) >= self._statistics.n_rows - 2:
                break
            if members != previous:
                yield members
            previous = members

    def cost(self, child: int, members: Members) -> float:
        """The description length of the column given these: least squares, with intercept and variance."""
        families = np.array([[child, *members]], dtype=np.int64)
        return -float(Regressions().fit(self._statistics, families).less(self._price)[0])

    def least_cost_beyond(self, child: int, members: Members) -> float:  # noqa: ARG002, nothing is known
        """What no larger family costs less than: a variance may be as small as it likes."""
        return -np.inf

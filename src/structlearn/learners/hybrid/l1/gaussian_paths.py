"""Lasso paths of continuous columns, on one Gram matrix."""

from collections.abc import Iterator

import numpy as np

from structlearn.learners.hybrid.l1.families import Mask, Members
from structlearn.learners.hybrid.l1.path_sets import sets_along
from structlearn.learners.hybrid.l1.penalties import Penalties
from structlearn.numerics.descent import Floats, largest_penalty, lasso, lasso_path
from structlearn.run import MustStop, never
from structlearn.scores.likelihoods import Regressions
from structlearn.statistics import Statistics


class GaussianPaths:
    """Linear regressions of continuous columns on each other."""

    most_idle = None

    def __init__(self, statistics: Statistics, penalties: Penalties) -> None:
        self._statistics = statistics
        self._correlation = statistics.moments().correlation
        self._penalties = penalties

    def active_sets(
        self, child: int, is_free: Mask, is_allowed: Mask, must_stop: MustStop = never
    ) -> Iterator[Members]:
        """The columns in use, from the largest penalty down, as long as rows are left to fit them to."""
        weights = np.where(is_free, 0.0, np.where(is_allowed, 1.0, np.inf))
        target = self._correlation[child]
        largest = largest_penalty(target, weights)
        if largest == 0.0:
            return
        penalties = self._penalties.below(largest)
        path = lasso_path(
            self._correlation,
            target,
            penalties=penalties,
            weights=weights,
            total=1.0,
            must_stop=must_stop,
        )

        def used(coefficients: Floats) -> Members:
            return tuple(np.flatnonzero((coefficients != 0.0) | is_free).tolist())

        def set_at(penalty: float) -> Members:
            start = path.coefficients[np.searchsorted(-path.penalties, -penalty) - 1]
            between = lasso(
                self._correlation, target, penalty=penalty, weights=weights, start=start, total=1.0
            )
            return used(between.coefficients)

        grid = zip(path.penalties.tolist(), map(used, path.coefficients), strict=True)
        for members in sets_along(grid, set_at, must_stop):
            if len(members) >= self._statistics.n_rows - 2:
                break
            yield members

    def cost(
        self,
        child: int,
        members: Members,
        must_stop: MustStop = never,  # noqa: ARG002, it takes no time
    ) -> float:
        """The description length of the column given these: least squares, with intercept and variance."""
        families = np.array([[child, *members]], dtype=np.int64)
        return -float(Regressions().fit(self._statistics, families).less(self._penalties.price)[0])

    def least_cost_beyond(self, child: int, members: Members) -> float:  # noqa: ARG002, nothing is known
        """What no larger family costs less than: a variance may be as small as it likes."""
        return -np.inf

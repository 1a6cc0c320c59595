"""A randomised test of conditional independence, for curves and any number of rows."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from structlearn.independence.by_rows import (
    FEWEST_ROWS,
    Answer,
    Floats,
    Standardised,
    answer_by_rows,
    gamma_tail,
    median_distance,
    permuted_share,
)
from structlearn.independence.protocol import Answers, Questions
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

RIDGE = 1e-10
ROWS_PER_FEATURE = 10  # of the conditions
ROWS_PER_CONDITION = 50  # with fewer the level was up to 0.12 at 0.05


@dataclass(frozen=True)
class RCoT:
    """Test by random features whether columns are independent given others [1]_.

    Random Fourier features of x and of y are regressed on those of the conditions; the statistic is the sum
    of squares of the covariances that are left, times the rows, under independence nearly gamma distributed.
    Features are drawn once for the test, whatever is asked. With fewer than 20 rows, two columns are
    permuted, and conditions allow no answer. Time grows with the rows.

    Parameters
    ----------
    n_features : int, default 5
        Of x and of y.
    n_given : int, default 25
        Features of the conditions; fewer where there are fewer than ten rows for each.
    seed : int, default 0
        Of the features, and of permutations.

    References
    ----------
    .. [1] Strobl, Zhang and Visweswaran (2019), Approximate kernel-based conditional independence tests for
       fast non-parametric causal discovery, Journal of Causal Inference 7.
    """

    n_features: int = 5
    n_given: int = 25
    seed: int = 0
    takes: ClassVar[tuple[Sort, ...]] = ("continuous",)

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        return answer_by_rows("RCoT", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n, n_conditions = columns.given.shape
        x = self._features(columns.x[:, None], self.n_features, 0)
        y = self._features(columns.y[:, None], self.n_features, 1)
        if n < FEWEST_ROWS:
            if n_conditions:
                return Answer(0.0, 1.0, is_reliable=False)
            return Answer(_size(x, y), permuted_share(x @ x.T, y @ y.T, self.seed), is_reliable=n > 3)
        freedom = n - 1.0
        if n_conditions:
            n_given = min(self.n_given, max(n // ROWS_PER_FEATURE, 2))
            given = self._features(columns.given, n_given, 2)
            # Features of both, and the columns themselves: straight lines leave nothing behind.
            given = np.hstack([columns.given, given])
            x, y = _left(x, given), _left(y, given)
            freedom -= given.shape[1]
        if freedom < FEWEST_ROWS / 2:
            return Answer(_size(x, y), 1.0, is_reliable=False)
        # Regression takes as many dimensions from what is left; without this it would be too small.
        x, y = x * np.sqrt(n / freedom), y * np.sqrt(n / freedom)
        products = (x[:, :, None] * y[:, None, :]).reshape(n, -1)
        statistic = _size(x, y) * freedom / n
        spread = np.cov(products.T, bias=True) * freedom / n
        p_value = gamma_tail(statistic, float(np.trace(spread)), 2.0 * float(np.vdot(spread, spread)))
        return Answer(statistic, p_value, is_reliable=n >= ROWS_PER_CONDITION * n_conditions)

    def _features(self, columns: Floats, n_features: int, role: int) -> Floats:
        rng = np.random.default_rng([self.seed, role, columns.shape[1]])
        directions = rng.normal(size=(columns.shape[1], n_features)) / median_distance(columns)
        # Phases are spread evenly: drawn alone, a few features may all be odd, and blind to a parabola.
        phases = np.pi * (np.arange(n_features) + rng.random()) / n_features
        found = np.cos(columns @ directions + phases)
        found = found - found.mean(axis=0)
        deviation = np.sqrt(np.square(found).mean(axis=0))
        return np.asarray(found / np.where(deviation > 0.0, deviation, 1.0))


def _size(x: Floats, y: Floats) -> float:
    """The rows times the sum of squares of all covariances."""
    return float(np.square(x.T @ y).sum()) / len(x)


def _left(columns: Floats, given: Floats) -> Floats:
    """What ridge regression leaves."""
    gram = given.T @ given / len(given)
    gram[np.diag_indices(len(gram))] += RIDGE
    found: Floats = columns - given @ np.linalg.lstsq(gram, given.T @ columns / len(given), rcond=None)[0]
    return found

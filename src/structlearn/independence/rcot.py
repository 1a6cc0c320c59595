"""A randomised test of conditional independence, for curves and any number of rows."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from structlearn.independence.by_rows import (
    FEWEST_ROWS,
    Answer,
    Floats,
    Standardised,
    answer_by_rows,
    basis_of,
    gamma_tail,
    median_distance,
    permuted_share_of_features,
    standardised,
)
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.weighted_chi2 import mixture_tail
from structlearn.options import OneOf, Rules, check_options
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

RULES: Rules = {"null": OneOf(("gamma", "lpb"), "what the statistic is compared with")}
ROWS_PER_FEATURE = 5  # of the conditions
OF_EACH = 6  # features of each condition alone: as many as its square, cube and so on would be
OF_SEVERAL = 4  # times as many features as of a single condition
ROWS_PER_CONDITION = 25  # down to 20 the level was held, 0.02 at 0.05; fewer were not tried
ALIKE = 1e-5  # of the largest singular value: features of one column differ by little
LEAST_LEFT = 0.05  # of a row that decides a regression nearly alone


@dataclass(frozen=True)
class RCoT:
    """Test by random features whether columns are independent given others [1]_.

    Random Fourier features of x and of y are regressed on the conditions, on features of each of them alone
    and on features of all together; the statistic is the sum of squares of the covariances that are left,
    times the rows, under independence nearly gamma distributed. What is left of rows that decide a regression
    counts for more in the variance of these covariances. Features are drawn once for the test, whatever is
    asked. Those of a discrete column are its states, and regressions are apart in each state of discrete
    conditions; discrete columns alone are tested by G². With fewer than 20 rows, two columns are permuted,
    and conditions allow no answer; so are two of which hardly a row has neither the commonest x nor the
    commonest y, such as 0. Time grows with the rows.

    Parameters
    ----------
    n_features : int, default 5
        Of x and of y.
    n_given : int, default 25
        Features of a condition, four times as many of several; fewer where there are fewer than five rows
        for each.
    seed : int, default 0
        Of the features, and of permutations.
    null : "gamma" or "lpb", default "gamma"
        What the weighted sum of squares that the statistic would be is taken for: a gamma distribution of
        its mean and variance, or a mixture of up to four with its first eight moments [2]_, which is nearer
        in the tails and takes some milliseconds; where these moments are lost in rounding, fewer are mixed.

    References
    ----------
    .. [1] Strobl, Zhang and Visweswaran (2019), Approximate kernel-based conditional independence tests for
       fast non-parametric causal discovery, Journal of Causal Inference 7.
    .. [2] Lindsay, Pilla and Basak (2000), Moment-based approximations of distributions using mixtures:
       theory and applications, Annals of the Institute of Statistical Mathematics 52.
    """

    n_features: int = 5
    n_given: int = 25
    seed: int = 0
    null: Literal["gamma", "lpb"] = "gamma"
    takes: ClassVar[tuple[Sort, ...]] = ("continuous", "mixed")

    def __post_init__(self) -> None:
        check_options("RCoT", RULES, {name: getattr(self, name) for name in RULES})

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        return answer_by_rows("RCoT", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n, n_conditions = columns.given.shape
        n_strata = columns.strata.shape[1]
        is_given = n_conditions > 0 or n_strata > 1
        x, y = self._of_end(columns.x, 0), self._of_end(columns.y, 1)
        if n < FEWEST_ROWS and is_given:
            return Answer(0.0, 1.0, is_reliable=False)
        if not is_given and (n < FEWEST_ROWS or columns.is_of_rare_events):
            return Answer(_size(x, y), permuted_share_of_features(x, y, self.seed), is_reliable=n > 3)
        basis = basis_of(columns.within_strata(self._given(columns)), ALIKE)
        x, y = (each - basis @ (basis.T @ each) for each in (x, y))
        statistic, freedom = _size(x, y), n - basis.shape[1]
        if freedom < FEWEST_ROWS / 2:
            return Answer(statistic, 1.0, is_reliable=False)
        # Regression leaves that share of a row's noise, and so many dimensions of all: without them the
        # variance would be too small.
        share = np.maximum(1.0 - np.square(basis).sum(axis=1), LEAST_LEFT)
        products = (x[:, :, None] * y[:, None, :]).reshape(n, -1) / share[:, None]
        spread = np.cov(products.T, bias=True) * freedom / n
        if self.null == "lpb":
            p_value = mixture_tail(statistic, np.maximum(np.linalg.eigvalsh(spread), 0.0))
        else:
            p_value = gamma_tail(statistic, float(np.trace(spread)), 2.0 * float(np.vdot(spread, spread)))
        enough = ROWS_PER_CONDITION * max(n_conditions, 1) * n_strata if is_given else 0
        has_rows = n >= enough and not (is_given and columns.is_of_rare_events)
        return Answer(statistic, p_value, is_reliable=has_rows)

    def _of_end(self, column: Floats, role: int) -> Floats:
        """Features of x or y; of indicators of states themselves."""
        if column.shape[1] == 1:
            return self._features(column, self.n_features, role)
        return standardised(column)

    def _given(self, columns: Standardised) -> Floats:
        """What is regressed on in each stratum: columns, as lines should leave nothing, and their features.

        Of several conditions, x and y may bend along a line through all of them: those that fit best are two
        more, of which each has features.
        """
        given = columns.given
        n, n_conditions = given.shape
        ones = np.ones((n, 1))
        if not n_conditions:
            return ones
        most = max(n // (ROWS_PER_FEATURE * columns.strata.shape[1]), 2)
        if n_conditions == 1:
            return np.hstack([ones, given, self._features(given, min(self.n_given, most), 2)])
        most = min(OF_SEVERAL * self.n_given, most)
        both = np.hstack([columns.x, columns.y])
        lines = given @ np.linalg.lstsq(given, both, rcond=None)[0]
        ways = np.hstack([lines, given])
        of_each = min(OF_EACH, most // ways.shape[1])
        alone = [self._features(ways[:, [j]], of_each, 3 + j) for j in range(ways.shape[1]) if of_each]
        return np.hstack([ones, given, *alone, self._features(given, most - of_each * len(alone), 2)])

    def _features(self, columns: Floats, n_features: int, role: int) -> Floats:
        rng = np.random.default_rng([self.seed, role, columns.shape[1]])
        directions = rng.normal(size=(columns.shape[1], n_features)) / median_distance(columns)
        # Phases are spread evenly: drawn alone, a few features may all be odd, and blind to a parabola.
        phases = np.pi * (np.arange(n_features) + rng.random()) / n_features
        return standardised(np.cos(columns @ directions + phases))


def _size(x: Floats, y: Floats) -> float:
    """The rows times the sum of squares of all covariances."""
    return float(np.square(x.T @ y).sum()) / len(x)

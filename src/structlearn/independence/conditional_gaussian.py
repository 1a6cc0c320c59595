"""The test for discrete and continuous columns together."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.exact_t import ExactT
from structlearn.independence.g2 import G2
from structlearn.independence.kernels.mixtures import ratios_of_groups, ratios_of_regressions
from structlearn.independence.logit import compare_logits
from structlearn.independence.partial_correlation import MOST_PRODUCTS, correlations_given
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.sparse_tables import FEWEST_ROWS_PER_STRATUM, ChiSquareTails, scaled
from structlearn.rounding import DETERMINED
from structlearn.statistics import GroupedMoments, Statistics, rows_of
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.heavy_tails import variance_factors

ERRORS_OF_TAILS = 1.0  # of a fourth moment, beyond which a comparison of variances says less


@dataclass(frozen=True)
class ConditionalGaussian:
    """Likelihood-ratio test for columns of both kinds, Gaussian given the discrete ones [1]_.

    - Two continuous columns: within each state of the discrete conditions, the regression of one on
      the continuous conditions, with the other column and without.
    - A continuous and a discrete column: that regression within each state of the discrete
      conditions, and within each state of these and the discrete column.
    - Two discrete columns: G², or with continuous conditions multinomial logistic regressions of each
      of the two, with the other and without. The p-value is then the larger of the two, or twice
      the smaller where that is less; the statistic is the smaller.

    Notes
    -----
    A state with no more rows than its regression has coefficients, or in which the conditions
    determine x or y, has no part in the test. Where nothing is left, the p-value is 1. Where a
    logistic regression separates classes perfectly, the answer counts as not reliable.

    Groups of a column with heavy tails have different variances by chance. For the p-value, what these add
    counts 2 / (κ - 1) times where the fourth moment κ of the standardised column is above the 3 of a Gaussian
    by more than a standard error [2]_; not so where rows stay in an engine, which tells no such moment.

    References
    ----------
    .. [1] Lauritzen and Wermuth (1989), Graphical models for associations between variables, some of
       which are qualitative and some quantitative, Annals of Statistics 17.
    .. [2] Layard (1973), Robust large-sample tests for homogeneity of variances, Journal of the American
       Statistical Association 68.
    """

    takes: ClassVar[tuple[Sort, ...]] = ("mixed", "discrete", "continuous")

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        questions = np.concatenate([questions[:, :2], np.sort(questions[:, 2:], axis=1)], axis=1)
        is_discrete = statistics.levels[questions] > 0
        x, y, given = is_discrete[:, 0], is_discrete[:, 1], is_discrete[:, 2:]
        parts = _Parts(statistics, questions)
        parts.compare_tables(x & y & given.all(axis=1))
        parts.compare_regressions(~x & ~y & ~given.any(axis=1), ~x & ~y & given.any(axis=1))
        parts.compare_groups(x != y)
        parts.compare_logits(x & y & ~given.all(axis=1))
        return parts.answers()


class _Parts:
    """The answers so far, filled in one sort of question after the other."""

    def __init__(self, statistics: Statistics, questions: Questions) -> None:
        self._statistics = statistics
        self._questions = questions
        self._statistic = np.zeros(len(questions))
        self._dof = np.zeros(len(questions))
        self._p_value = np.ones(len(questions))
        self._log_p = np.zeros(len(questions))
        self._reliable = np.ones(len(questions), dtype=np.bool_)

    def answers(self) -> Answers:
        return Answers(self._statistic, self._dof, self._p_value, lambda: self._log_p, self._reliable)

    def compare_tables(self, which: NDArray[np.bool_]) -> None:
        if which.any():
            self._put(which, G2().many(self._statistics, self._questions[which]))

    def compare_regressions(self, plain: NDArray[np.bool_], grouped: NDArray[np.bool_]) -> None:
        if plain.any():
            self._put(plain, self._student(self._questions[plain]))
        for discrete, sets, places in self._batches(np.flatnonzero(grouped)):
            moments = self._statistics.grouped_moments(discrete, sets)
            (statistic, dof), contrast = np.empty((2, len(places))), np.empty((len(places), 3))
            ratios_of_regressions(moments.sizes, moments.products, DETERMINED, statistic, dof, contrast)
            self._put_contrast(places, statistic, dof, contrast, moments)

    def _student(self, questions: Questions) -> Answers:
        """The likelihood ratios of Gaussian columns alone, whose p-values are exact."""
        exact = ExactT().many(self._statistics, questions)
        found = correlations_given(self._statistics, questions)
        dof = (exact.dof > 0).astype(np.float64)
        statistic = -found.size * np.log1p(-(found.rho**2)) * dof
        return Answers(statistic, dof, exact.p_value, exact.log_tail, exact.reliable)

    def compare_groups(self, which: NDArray[np.bool_]) -> None:
        if not which.any():
            return
        is_discrete = self._statistics.levels[self._questions[which, 0]] > 0
        compared = np.where(is_discrete, self._questions[which, 1], self._questions[which, 0])
        # Bartlett's ratio is divided by the factor, so that χ² stays what it is compared with.
        shares = np.ones(len(which))
        shares[which] = 1.0 / variance_factors(self._statistics, compared, ERRORS_OF_TAILS)
        for discrete, sets, places in self._batches(np.flatnonzero(which)):
            moments = self._statistics.grouped_moments(discrete, sets)
            # States come in order, the discrete one of x and y last: a stratum is a stretch of them.
            is_new = (np.diff(moments.states[:, :-1], axis=0) != 0).any(axis=1)
            ends = np.append(np.flatnonzero(is_new) + 1, len(moments.states))
            (statistic, dof), contrast = np.empty((2, len(places))), np.empty((len(places), 4))
            ratios_of_groups(
                moments.sizes, moments.means, moments.products, ends, DETERMINED, statistic, dof, contrast
            )
            contrast[:, 0] -= (1.0 - shares[places]) * contrast[:, 3]
            self._put_contrast(places, statistic, dof, contrast[:, :3], moments)

    def compare_logits(self, which: NDArray[np.bool_]) -> None:
        for place in np.flatnonzero(which):
            question = self._questions[place].tolist()
            rows = rows_of("The test of columns of both kinds", self._statistics, question)
            found = compare_logits(rows, self._statistics.levels[question])
            self._statistic[place], self._dof[place] = found.statistic, found.dof
            self._p_value[place], self._log_p[place] = math.exp(found.log_p), found.log_p
            self._reliable[place] = found.is_reliable

    def _put_contrast(
        self,
        places: NDArray[np.int64],
        statistic: NDArray[np.float64],
        dof: NDArray[np.float64],
        contrast: NDArray[np.float64],
        moments: GroupedMoments,
    ) -> None:
        n_groups = np.count_nonzero(moments.sizes, axis=1)
        per_group = moments.sizes.sum(axis=1) / np.maximum(n_groups, 1)
        # Groups with rows enough in which there is nothing to test are no want of rows.
        has_rows = (dof > 0.0) | (per_group >= moments.means.shape[2] + FEWEST_ROWS_PER_STRATUM)
        self._put(places, ChiSquareTails(*scaled(*contrast.T), has_rows).answers(statistic, dof))

    def _put(self, places: NDArray[np.bool_] | NDArray[np.int64], found: Answers) -> None:
        self._statistic[places], self._dof[places] = found.statistic, found.dof
        self._p_value[places], self._log_p[places] = found.p_value, found.log_p
        self._reliable[places] = found.is_reliable

    def _batches(
        self, places: NDArray[np.int64]
    ) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64], NDArray[np.int64]]]:
        """Questions with the same discrete columns: these, the continuous ones, and their places.

        Of both sorts, the conditions come first and then what there is of x and y.
        """
        batches: dict[tuple[int, ...], list[tuple[list[int], int]]] = {}
        for place in places.tolist():
            x, y, *given = self._questions[place].tolist()
            discrete = [j for j in given if self._statistics.levels[j]]
            continuous = [j for j in given if not self._statistics.levels[j]]
            for end in sorted((x, y)):
                (discrete if self._statistics.levels[end] else continuous).append(end)
            batches.setdefault(tuple(discrete), []).append((continuous, place))
        for columns, members in batches.items():
            sets = np.array([member[0] for member in members], dtype=np.int64)
            found_at = np.array([member[1] for member in members], dtype=np.int64)
            step = self._most_at_once(columns, sets.shape[1])
            for start in range(0, len(sets), step):
                yield columns, sets[start : start + step], found_at[start : start + step]

    def _most_at_once(self, discrete: tuple[int, ...], width: int) -> int:
        """How many sets of `width` columns to ask for, so that their products fit into memory."""
        n_states = self._statistics.levels[list(discrete)].astype(np.float64).prod()
        n_products = min(n_states, float(self._statistics.n_rows)) * width**2
        return max(int(MOST_PRODUCTS / n_products), 1)

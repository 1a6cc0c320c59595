"""The test for discrete and continuous columns together."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.g2 import G2
from structlearn.independence.kernels.mixtures import ratios_of_groups, ratios_of_regressions
from structlearn.independence.logit import compare_logits
from structlearn.independence.partial_correlation import MOST_PRODUCTS, correlations_given
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import chi2_tail, log_chi2_tail
from structlearn.rounding import DETERMINED
from structlearn.statistics import Statistics, rows_of
from structlearn.statistics.column_sorts import Sort


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

    References
    ----------
    .. [1] Lauritzen and Wermuth (1989), Graphical models for associations between variables, some of
       which are qualitative and some quantitative, Annals of Statistics 17.
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
        # Only logistic regressions have p-values that are not the tail of their statistic.
        self._log_p = np.full(len(questions), np.nan)
        self._reliable = np.ones(len(questions), dtype=np.bool_)

    def answers(self) -> Answers:
        p_value = chi2_tail(self._statistic, self._dof)
        own = ~np.isnan(self._log_p)
        p_value[own] = np.exp(self._log_p[own])

        def log_tail() -> NDArray[np.float64]:
            return np.where(own, self._log_p, log_chi2_tail(self._statistic, self._dof))

        return Answers(self._statistic, self._dof, p_value, log_tail, self._reliable)

    def compare_tables(self, which: NDArray[np.bool_]) -> None:
        if not which.any():
            return
        found = G2().many(self._statistics, self._questions[which])
        self._statistic[which], self._dof[which] = found.statistic, found.dof

    def compare_regressions(self, plain: NDArray[np.bool_], grouped: NDArray[np.bool_]) -> None:
        if plain.any():
            found = correlations_given(self._statistics, self._questions[plain])
            enough = found.size > self._questions.shape[1]
            self._statistic[plain] = np.where(enough, -found.size * np.log1p(-(found.rho**2)), 0.0)
            self._dof[plain] = enough
        for discrete, sets, places in self._batches(np.flatnonzero(grouped)):
            moments = self._statistics.grouped_moments(discrete, sets)
            statistic, dof = np.empty(len(places)), np.empty(len(places))
            ratios_of_regressions(moments.sizes, moments.products, DETERMINED, statistic, dof)
            self._statistic[places], self._dof[places] = statistic, dof

    def compare_groups(self, which: NDArray[np.bool_]) -> None:
        for discrete, sets, places in self._batches(np.flatnonzero(which)):
            moments = self._statistics.grouped_moments(discrete, sets)
            # States come in order, the discrete one of x and y last: a stratum is a stretch of them.
            is_new = (np.diff(moments.states[:, :-1], axis=0) != 0).any(axis=1)
            ends = np.append(np.flatnonzero(is_new) + 1, len(moments.states))
            statistic, dof = np.empty(len(places)), np.empty(len(places))
            ratios_of_groups(moments.sizes, moments.means, moments.products, ends, DETERMINED, statistic, dof)
            self._statistic[places], self._dof[places] = statistic, dof

    def compare_logits(self, which: NDArray[np.bool_]) -> None:
        for place in np.flatnonzero(which):
            question = self._questions[place].tolist()
            rows = rows_of("The test of columns of both kinds", self._statistics, question)
            found = compare_logits(rows, self._statistics.levels[question])
            self._statistic[place], self._dof[place] = found.statistic, found.dof
            self._log_p[place], self._reliable[place] = found.log_p, found.is_attained

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

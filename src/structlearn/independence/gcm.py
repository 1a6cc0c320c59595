"""The generalised covariance measure: whether what regressions leave of two columns is correlated."""

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np

from structlearn.independence.by_rows import (
    NOTHING,
    Answer,
    Floats,
    Standardised,
    answer_by_rows,
    basis_of,
    standardised,
)
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import normal_tails
from structlearn.later import special
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

ROWS_PER_TERM = 8  # of a regression; fewer leave products that are no longer nearly normal
FEWEST_ROWS = 20
N_DRAWS = 1999
FEWEST_EXPECTED = 5.0  # rows that two states share; fewer are no longer nearly normal
PSEUDO_ROWS = 0.5  # for each term of a logistic regression: without any, slopes of classes apart have no end
MOST_STEPS, LONGEST_STEP, CONVERGED = 50, 3.0, 1e-6  # of Newton's method, in logarithms of odds


@dataclass(frozen=True)
class GCM:
    """Test whether x and y are correlated after curved regressions on the conditions [1]_.

    The statistic is √n · mean(R) / sd(R), where R is the product of what is left of x and of y in a row:
    standard normal under independence if both regressions come near the truth. They are polynomials of each
    condition with products of two, as many terms as there are eight rows for each, apart in each state of
    discrete conditions. The states of a discrete column are regressed on the same terms by logistic
    regressions, whose chances say how much the products vary. With more than two states each has its
    products, but for two states that fewer than five rows are expected to share, and the largest |statistic|
    is compared with that of normals as correlated; discrete columns alone are tested by G². It is blind to
    dependence that has no covariance, such as y = x² without conditions. Time grows with the rows.

    Parameters
    ----------
    degree : int, default 4
        The highest power of a condition; 1 gives linear regressions.
    seed : int, default 0
        Of these normals.

    References
    ----------
    .. [1] Shah and Peters (2020), The hardness of conditional independence testing and the generalised
       covariance measure, Annals of Statistics 48.
    """

    degree: int = 4
    seed: int = 0
    takes: ClassVar[tuple[Sort, ...]] = ("continuous", "mixed")

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        return answer_by_rows("GCM", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n, n_conditions = columns.given.shape
        n_strata = columns.strata.shape[1]
        most = max(n // (ROWS_PER_TERM * n_strata), n_conditions)
        terms = np.hstack([np.ones((n, 1)), _terms(columns.given, self.degree, most)])
        basis = basis_of(columns.within_strata(terms))
        freedom = n - basis.shape[1]
        if n < FEWEST_ROWS or freedom < FEWEST_ROWS / 2:
            return Answer(0.0, 1.0, is_reliable=False)
        regressed = (_Left.of(each, basis, is_curved=n_conditions > 0) for each in (columns.x, columns.y))
        products = _Products.of(*regressed)
        # Regression leaves so many dimensions: the mean of products is that of fewer than n of them.
        statistics = products.statistics() * np.sqrt(freedom / n)
        if len(statistics) == 1:
            statistic, p_value = float(statistics[0]), float(normal_tails(statistics)[0])
        else:
            statistic, p_value = self._of_largest(products.values, np.abs(statistics))
        has_rows = n_strata == 1 or n >= ROWS_PER_TERM * n_strata
        return Answer(statistic, p_value, is_reliable=has_rows and products.are_even)

    def _of_largest(self, products: Floats, statistics: Floats) -> tuple[float, float]:
        """The largest statistic of several, beside normals that are correlated as the products are.

        Such normals are the means of products less their means with normal weights: a multiplier bootstrap.
        """
        order = np.argsort(statistics)
        apart = standardised(products[:, order])
        normals = np.random.default_rng(self.seed).normal(size=(N_DRAWS, len(order)))
        drawn = np.abs(_as_correlated(normals, apart)).max(axis=1)
        largest = float(statistics.max())
        p_value = (1 + int((drawn >= largest).sum())) / (1 + N_DRAWS)
        # Draws cannot tell small p-values apart; the sum of all is never too small.
        return largest, min(p_value, len(order) * float(normal_tails(np.array([largest]))[0]))


class _Left(NamedTuple):
    """What regressions leave of a column, or of each of its states beside the chances of that state."""

    values: Floats
    chances: Floats | None

    @classmethod
    def of(cls, column: Floats, basis: Floats, *, is_curved: bool) -> "_Left":
        """By lines in a basis, which are right of a state too where all conditions are discrete."""
        if column.shape[1] == 1:
            return cls(column - basis @ (basis.T @ column), None)
        if column.shape[1] == 2:  # one says the same as the other; fewer rows have the rarer one
            column = column[:, [int(np.argmin(column.sum(axis=0)))]]
        chances = basis @ (basis.T @ column)
        if is_curved:
            chances = np.column_stack([_chances(state, basis) for state in column.T])
        return cls(column - chances, chances)


class _Products(NamedTuple):
    """Products of what is left of two columns, their variances, and the rows expected to share two states.

    There are never more products than rows: those that any two states are expected to share add up to all.
    """

    values: Floats
    variances: Floats
    expected: Floats

    @classmethod
    def of(cls, x: _Left, y: _Left) -> "_Products":
        """Those of all states, but of two that hardly a row is expected to share."""
        values = _pairwise(x.values, y.values)
        if x.chances is None or y.chances is None:
            return cls(values, values.var(axis=0), np.full(values.shape[1], np.inf))
        expected = _pairwise(x.chances, y.chances).sum(axis=0)
        kept = expected >= min(FEWEST_EXPECTED, expected.max())
        # Where two states share no row all products are small; their chances say how they might have varied.
        variances = _pairwise(*(each * (1.0 - each) for each in (x.chances, y.chances))).mean(axis=0)
        return cls(values[:, kept], variances[kept], expected[kept])

    @property
    def are_even(self) -> bool:
        """Whether rows enough are expected for sums that are nearly normal."""
        return bool((self.expected >= FEWEST_EXPECTED).all())

    def statistics(self) -> Floats:
        """√n · mean / standard deviation; a sum of few rows is less by half a row, as it counts them."""
        sums, deviations = self.values.sum(axis=0), np.sqrt(len(self.values) * self.variances)
        if not self.are_even:
            sums = np.sign(sums) * np.maximum(np.abs(sums) - 0.5, 0.0)
        found: Floats = np.divide(sums, deviations, out=np.zeros_like(sums), where=deviations > 0.0)
        return found


def _pairwise(x: Floats, y: Floats) -> Floats:
    """The product of each column with each."""
    found: Floats = (x[:, :, None] * y[:, None, :]).reshape(len(x), -1)
    return found


def _chances(state: Floats, basis: Floats) -> Floats:
    """How probable a state is in each row by a logistic regression, with some pseudo-rows of its share."""
    n, n_terms = basis.shape
    more = PSEUDO_ROWS * n_terms / n
    wanted = (state + more * state.mean()) / (1.0 + more)
    logits = np.zeros(n)
    for _ in range(MOST_STEPS):
        chances: Floats = special.expit(logits)
        curvature = (basis * (chances * (1.0 - chances))[:, None]).T @ basis
        curvature[np.diag_indices(n_terms)] += NOTHING
        step = basis @ np.linalg.solve(curvature, basis.T @ (wanted - chances))
        size = float(np.abs(step).max())
        logits += step * (LONGEST_STEP / max(size, LONGEST_STEP))
        if size < CONVERGED:
            break
    return chances


def _as_correlated(normals: Floats, apart: Floats) -> Floats:
    """Independent normals times the symmetric root of the correlations of columns."""
    values, vectors = np.linalg.eigh(apart.T @ apart / len(apart))
    return np.asarray(normals @ (vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T))


def _terms(given: Floats, degree: int, most: int) -> Floats:
    """Powers of each column and products of two, lower ones first, at most so many."""
    columns = list(given.T)
    found = [*columns]
    for power in range(2, degree + 1):
        found += [np.power(column, power) for column in columns]
        if power == 2:
            found += [one * other for one, other in combinations(columns, 2)]
    return np.array(found[:most]).reshape(-1, len(given)).T

"""The generalised covariance measure: whether what regressions leave of two columns is correlated."""

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from structlearn.independence.by_rows import (
    Answer,
    Floats,
    Standardised,
    answer_by_rows,
    basis_of,
    standardised,
)
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import normal_tails
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

ROWS_PER_TERM = 8  # of a regression; fewer leave products that are no longer nearly normal
FEWEST_ROWS = 20
N_DRAWS = 1999


@dataclass(frozen=True)
class GCM:
    """Test whether x and y are correlated after curved regressions on the conditions [1]_.

    The statistic is √n · mean(R) / sd(R), where R is the product of what is left of x and of y in a row:
    standard normal under independence if both regressions come near the truth. They are polynomials of each
    condition with products of two, as many terms as there are eight rows for each, apart in each state of
    discrete conditions. Of a discrete column with more than two states each state has its products, and the
    largest |statistic| is compared with that of normals as correlated; discrete columns alone are
    tested by G². It is blind to dependence that has no covariance, such as y = x² without conditions. Time
    grows with the rows.

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
        x, y = (each - basis @ (basis.T @ each) for each in map(_unlike, (columns.x, columns.y)))
        # Regression leaves so many dimensions: the mean of products is that of fewer than n of them.
        share = np.sqrt(freedom / n)
        if x.shape[1] == y.shape[1] == 1:
            statistic = share * gcm_statistic(x[:, 0], y[:, 0])
            p_value = float(normal_tails(np.array([statistic]))[0])
        else:
            statistic, p_value = self._of_largest((x[:, :, None] * y[:, None, :]).reshape(n, -1), share)
        return Answer(statistic, p_value, is_reliable=n_strata == 1 or n >= ROWS_PER_TERM * n_strata)

    def _of_largest(self, products: Floats, share: float) -> tuple[float, float]:
        """The largest statistic of several, beside normals that are correlated as the products are.

        Such normals are the means of products less their means with normal weights: a multiplier bootstrap.
        """
        ones = np.ones(len(products))
        statistics = share * np.array([abs(gcm_statistic(column, ones)) for column in products.T])
        order = np.argsort(statistics)
        apart = standardised(products[:, order])
        normals = np.random.default_rng(self.seed).normal(size=(N_DRAWS, len(order)))
        drawn = np.abs(_as_correlated(normals, apart)).max(axis=1)
        largest = float(statistics.max())
        p_value = (1 + int((drawn >= largest).sum())) / (1 + N_DRAWS)
        # Draws cannot tell small p-values apart; the sum of all is never too small.
        return largest, min(p_value, len(order) * float(normal_tails(np.array([largest]))[0]))


def _unlike(column: Floats) -> Floats:
    """A column itself; of two states one, as the other says the same."""
    return column[:, :1] if column.shape[1] == 2 else column


def _as_correlated(normals: Floats, apart: Floats) -> Floats:
    """Independent normals times the symmetric root of the correlations of columns, which may be many."""
    n, n_columns = apart.shape
    if n_columns <= n:
        values, vectors = np.linalg.eigh(apart.T @ apart / n)
        return np.asarray(normals @ (vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T))
    values, vectors = np.linalg.eigh(apart @ apart.T / n)  # the same values, and rows are fewer
    is_there = values > n * np.finfo(float).eps * values[-1]
    sizes = np.sqrt(values[is_there])
    axes = vectors[:, is_there].T @ apart / (np.sqrt(n) * sizes[:, None])
    return np.asarray(normals @ axes.T * sizes @ axes)


def gcm_statistic(x: Floats, y: Floats) -> float:
    """√n · mean / standard deviation of the products of two columns of residuals."""
    products = x * y
    deviation = products.std()
    return float(np.sqrt(len(products)) * products.mean() / deviation) if deviation > 0.0 else 0.0


def _terms(given: Floats, degree: int, most: int) -> Floats:
    """Powers of each column and products of two, lower ones first, at most so many."""
    columns = list(given.T)
    found = [*columns]
    for power in range(2, degree + 1):
        found += [np.power(column, power) for column in columns]
        if power == 2:
            found += [one * other for one, other in combinations(columns, 2)]
    return np.array(found[:most]).reshape(-1, len(given)).T

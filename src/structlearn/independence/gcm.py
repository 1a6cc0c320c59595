"""The generalised covariance measure: whether what regressions leave of two columns is correlated."""

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from structlearn.independence.by_rows import Answer, Floats, Standardised, answer_by_rows, basis_of
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import normal_tails
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

ROWS_PER_TERM = 8  # of a regression; fewer leave products that are no longer nearly normal
FEWEST_ROWS = 20


@dataclass(frozen=True)
class GCM:
    """Test whether x and y are correlated after curved regressions on the conditions [1]_.

    The statistic is √n · mean(R) / sd(R), where R is the product of what is left of x and of y in a row:
    standard normal under independence if both regressions come near the truth. They are polynomials of each
    condition with products of two, as many terms as there are eight rows for each. It is blind to dependence
    that has no covariance, such as y = x² without conditions. Time grows with the rows.

    Parameters
    ----------
    degree : int, default 4
        The highest power of a condition; 1 gives linear regressions.

    References
    ----------
    .. [1] Shah and Peters (2020), The hardness of conditional independence testing and the generalised
       covariance measure, Annals of Statistics 48.
    """

    degree: int = 4
    takes: ClassVar[tuple[Sort, ...]] = ("continuous",)

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        return answer_by_rows("GCM", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n, n_conditions = columns.given.shape
        terms = _terms(columns.given, self.degree, max(n // ROWS_PER_TERM, n_conditions))
        basis = basis_of(terms)
        freedom = n - basis.shape[1]
        if n < FEWEST_ROWS or freedom < FEWEST_ROWS / 2:
            return Answer(0.0, 1.0, is_reliable=False)
        x, y = (column - basis @ (basis.T @ column) for column in (columns.x, columns.y))
        # Regression leaves so many dimensions: the mean of products is that of fewer than n of them.
        statistic = gcm_statistic(x, y) * np.sqrt(freedom / n)
        return Answer(statistic, float(normal_tails(np.array([statistic]))[0]))


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

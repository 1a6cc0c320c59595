"""Fisher's z, the test of a partial correlation."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.partial_correlation import PartialCorrelations, correlations_given
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import log_normal_tails, normal_tails
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort


@dataclass(frozen=True)
class FisherZ:
    """Test whether a partial correlation is zero, for jointly Gaussian columns [1]_.

    The statistic is √(n - k - 3) · atanh(ρ), standard normal under independence. With n ≤ k + 3
    rows nothing can be tested: the p-value is 1, and not reliable.

    References
    ----------
    .. [1] Fisher (1924), The distribution of the partial correlation coefficient, Metron 3.
    """

    takes: ClassVar[tuple[Sort, ...]] = ("continuous",)

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        found = correlations_given(statistics, questions)
        statistic, freedom = fisher_z(found, questions.shape[1] - 2)
        no_dof = np.full(len(questions), np.nan)
        log_tail = partial(log_normal_tails, statistic)
        is_testable = np.full(len(questions), freedom > 0.0)
        return Answers(statistic, no_dof, normal_tails(statistic), log_tail, is_testable)


def fisher_z(
    found: PartialCorrelations, n_given: int
) -> tuple[NDArray[np.float64], NDArray[np.float64] | np.float64]:
    """The statistic of correlations given so many columns, and what is left of the rows."""
    freedom = np.maximum(found.size - n_given - 3, 0.0)
    return np.sqrt(freedom) * np.arctanh(found.rho), freedom

"""Student's t, the exact test of a partial correlation."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from structlearn.independence.partial_correlation import correlations_given
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import log_t_tails, t_tails
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort


@dataclass(frozen=True)
class ExactT:
    """Test whether a partial correlation is zero, exactly for jointly Gaussian columns [1]_.

    The statistic is ρ √((n - k - 2) / (1 - ρ²)), Student's t with n - k - 2 degrees of freedom
    under independence. With n ≤ k + 2 rows nothing can be tested: the p-value is 1, and not reliable.

    References
    ----------
    .. [1] Anderson (2003), An Introduction to Multivariate Statistical Analysis, section 4.3.
    """

    takes: ClassVar[tuple[Sort, ...]] = ("continuous",)

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        found = correlations_given(statistics, questions)
        dof = np.full(len(questions), np.maximum(found.size - (questions.shape[1] - 2) - 2, 0.0))
        statistic = found.rho * np.sqrt(dof / (1.0 - found.rho**2))
        log_tail = partial(log_t_tails, statistic, dof)
        return Answers(statistic, dof, t_tails(statistic, dof), log_tail, dof > 0.0)

"""Fisher's z, the test of a partial correlation."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from structlearn.data import Kind
from structlearn.independence.kernels.correlations import partial_correlations
from structlearn.independence.protocol import Answers, Questions
from structlearn.statistics import Statistics
from structlearn.statistics.blocks import in_blocks

COLLINEAR = 1e-10
ALMOST_ONE = 1.0 - 1e-15


@dataclass(frozen=True)
class FisherZ:
    """Test whether a partial correlation is zero, for jointly Gaussian columns [1]_.

    The statistic is √(n - k - 3) · atanh(ρ), standard normal under independence. With n ≤ k + 3
    rows nothing can be tested and the p-value is 1.

    References
    ----------
    .. [1] Fisher (1924), The distribution of the partial correlation coefficient, Metron 3.
    """

    takes: ClassVar[Kind] = "continuous"

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        n_given = questions.shape[1] - 2
        freedom = statistics.size - n_given - 3
        nothing = np.full(len(questions), math.nan)
        if freedom <= 0:
            return Answers(nothing, nothing, np.ones(len(questions)))
        rho = correlations_given(statistics, questions)
        statistic = math.sqrt(freedom) * np.arctanh(np.clip(rho, -ALMOST_ONE, ALMOST_ONE))
        return Answers(statistic, nothing, 2.0 * ndtr(-np.abs(statistic)))


def correlations_given(statistics: Statistics, questions: Questions) -> NDArray[np.float64]:
    """The partial correlation of each question (x, y, given…)."""
    rho = np.empty(len(questions))
    correlation = statistics.moments().correlation

    def fill(block: slice) -> None:
        partial_correlations(correlation, questions[block], COLLINEAR, rho[block])

    n_given = questions.shape[1] - 2
    in_blocks(fill, len(questions), cost=len(questions) * (n_given + 1.0) ** 2, n_jobs=statistics.n_jobs)
    return rho

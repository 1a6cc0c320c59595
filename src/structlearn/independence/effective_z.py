"""Fisher's z for rows that follow each other: by as many independent rows as tell as much."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.independence.fisher_z import fisher_z
from structlearn.independence.partial_correlation import PartialCorrelations, correlations_given
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import log_normal_tails, normal_tails
from structlearn.rounding import DETERMINED
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.column_sorts import Sort

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class EffectiveZ:
    """Test whether a partial correlation is zero, for Gaussian columns in the order of time [1]_.

    The statistic is √(N - k - 3) · atanh(ρ) with N = n (1 - r_x r_y) / (1 + r_x r_y), where r is how what the
    conditions leave of a column correlates with itself a row before: that is right where each is a
    first-order autoregression. It takes complete tables in memory, of one series, whose rows are in the order
    of time: of shuffled ones r is about 0, and the test is Fisher's z. `PCMCI` finds which past acts instead.

    References
    ----------
    .. [1] Bartlett (1935), Some aspects of the time-correlation problem in regard to tests of significance,
       Journal of the Royal Statistical Society 98.
    """

    takes: ClassVar[tuple[Sort, ...]] = ("continuous",)

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        found = correlations_given(statistics, questions)
        size = effective_size(statistics.n_rows, *_correlations_a_row_later(statistics, questions))
        statistic, freedom = fisher_z(PartialCorrelations(found.rho, size), questions.shape[1] - 2)
        no_dof = np.full(len(questions), np.nan)
        log_tail = partial(log_normal_tails, statistic)
        return Answers(statistic, no_dof, normal_tails(statistic), log_tail, np.asarray(freedom > 0.0))


def effective_size(n: int, first: Floats | float, second: Floats | float) -> Floats:
    """How many independent rows tell as much of two columns, given their correlations a row later."""
    product = np.asarray(first) * np.asarray(second)
    found: Floats = np.maximum(n * (1.0 - product) / (1.0 + product), 1.0)
    return found


def _correlations_a_row_later(statistics: Statistics, questions: Questions) -> tuple[Floats, Floats]:
    """How what the conditions leave of each end correlates with itself a row later.

    For w = (1, -b), with b the regression of an end on the conditions, that is w'C₁w / w'C₀w, of the products
    of columns in one row, C₀, and with the row before, C₁.
    """
    if (
        not isinstance(statistics, MemoryStatistics)
        or not (statistics.has_order and statistics.is_complete)
        or statistics.weights is not None
    ):
        raise DataError(
            "EffectiveZ: rows that follow each other are of one series, complete, in memory, and without "
            "weights."
        )
    if statistics.rows_are_independent:
        raise DataError(
            "EffectiveZ: these rows were drawn, or said to be independent, and follow each other in no "
            "order. Use test='fisher-z'."
        )
    columns, places = np.unique(questions, return_inverse=True)
    places = places.reshape(questions.shape)
    values = statistics.rows(columns.tolist()).values
    centred = values - values.mean(axis=0)
    spread = np.sqrt(np.square(centred).sum(axis=0))
    centred = centred / np.where(spread > 0.0, spread, 1.0)
    same, later = centred.T @ centred, centred[1:].T @ centred[:-1]
    x, y, given = places[:, 0], places[:, 1], places[:, 2:]
    inverse = np.linalg.pinv(same[given[:, :, None], given[:, None, :]], hermitian=True)
    first, second = (_after_regression(end, given, inverse, same, later) for end in (x, y))
    return first, second


def _after_regression(
    end: Questions, given: Questions, inverse: Floats, same: Floats, later: Floats
) -> Floats:
    weights = np.einsum("qij,qj->qi", inverse, same[end[:, None], given])
    whole = np.column_stack([np.ones(len(end)), -weights])
    columns = np.column_stack([end, given])
    squares, products = (
        np.einsum("qi,qij,qj->q", whole, of[columns[:, :, None], columns[:, None, :]], whole)
        for of in (same, later)
    )
    found: Floats = np.divide(products, squares, out=np.zeros(len(end)), where=squares > DETERMINED)
    return np.clip(found, -1.0, 1.0)

"""Partial correlations of many questions, and how many rows each comes from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.kernels.correlations import own_correlations, partial_correlations
from structlearn.independence.protocol import Questions
from structlearn.rounding import ALMOST_ONE, DETERMINED
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.blocks import in_blocks

MOST_PRODUCTS = 1 << 22  # 32 MiB of sums of products at once


@dataclass(frozen=True, slots=True)
class PartialCorrelations:
    """The partial correlation of each question, within ±(1 - 1e-15), and the size of its sample.

    The size is one number where all questions are answered by the same rows.
    """

    rho: NDArray[np.float64]
    size: NDArray[np.float64] | float


def correlations_given(statistics: Statistics, questions: Questions) -> PartialCorrelations:
    """The partial correlation of each question (x, y, given…) of continuous columns.

    It is 0 where the conditions determine x or y; a condition that the others determine makes no
    difference.
    """
    if statistics.is_complete and not (
        isinstance(statistics, MemoryStatistics) and statistics.few_sets_asked
    ):
        return PartialCorrelations(clipped(_from_one_matrix(statistics, questions)), statistics.size)
    rho, size = _from_own_rows(statistics, questions)
    return PartialCorrelations(clipped(rho), size)


def clipped(rho: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlations within ±(1 - 1e-15), written in place."""
    return np.clip(rho, -ALMOST_ONE, ALMOST_ONE, out=rho)


def _from_one_matrix(statistics: Statistics, questions: Questions) -> NDArray[np.float64]:
    rho = np.empty(len(questions))
    correlation = statistics.moments().correlation

    def fill(block: slice) -> None:
        partial_correlations(correlation, questions[block], DETERMINED, rho[block])

    n_given = questions.shape[1] - 2
    in_blocks(fill, len(questions), cost=len(questions) * (n_given + 1.0) ** 2, n_jobs=statistics.n_jobs)
    return rho


def _from_own_rows(
    statistics: Statistics, questions: Questions
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rho, size = np.empty(len(questions)), np.empty(len(questions))
    step = max(MOST_PRODUCTS // questions.shape[1] ** 2, 1)
    for start in range(0, len(questions), step):
        block = slice(start, start + step)
        moments = statistics.grouped_moments((), questions[block])
        size[block] = moments.sizes[:, 0]
        own_correlations(moments.products[:, 0], DETERMINED, rho[block])
    return rho, size

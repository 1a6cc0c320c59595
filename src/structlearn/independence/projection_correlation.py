"""The test of independence by projection correlation."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from structlearn.errors import DataError
from structlearn.independence.by_rows import N_PERMUTATIONS, Answer, Floats, Standardised, answer_by_rows
from structlearn.independence.protocol import Answers, Questions
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

FEWEST_ROWS = 4


@dataclass(frozen=True)
class ProjectionCorrelation:
    """Test by the sides on which rows lie of each other whether two columns are independent [1]_.

    Of three rows i, j, k, the angle at k is 0 where i and j are on the same side of k, and π where they are
    not. The statistic is the correlation of the angles of x and of y, centred over i and j: only the order of
    values counts, so that neither heavy tails nor bent scales matter. The p-value is that of 199
    permutations. It takes no conditions. Time grows with the square of the rows.

    Parameters
    ----------
    max_rows : int, default 2000
        More are refused: rcot and gcm take any number.
    seed : int, default 0
        Of the permutations.

    References
    ----------
    .. [1] Zhu, Xu, Li and Zhong (2017), Projection correlation between two random vectors, Biometrika 104.
    """

    max_rows: int = 2000
    seed: int = 0
    takes: ClassVar[tuple[Sort, ...]] = ("continuous",)
    takes_conditions: ClassVar[bool] = False

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions without conditions."""
        if statistics.n_rows > self.max_rows:
            raise DataError(
                f"ProjectionCorrelation: {statistics.n_rows:,} rows are more than the {self.max_rows:,} that "
                "permutations of all pairs of rows are for. Use test='rcot' or test='gcm', draw rows, or "
                "pass ProjectionCorrelation(max_rows=…)."
            )
        if questions.shape[1] > 2:
            raise DataError(
                "ProjectionCorrelation tests two columns without conditions. Use test='kci', 'rcot' or "
                "'gcm', or max_conditioning=0."
            )
        return answer_by_rows("ProjectionCorrelation", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n = len(columns.x)
        if n < FEWEST_ROWS:
            return Answer(0.0, 1.0, is_reliable=False)
        x, y = sides_of(columns.x[:, 0]), sides_of(columns.y[:, 0])
        observed = shared_angles(x, y)
        scale = np.sqrt(shared_angles(x, x) * shared_angles(y, y))
        rng = np.random.default_rng(self.seed)
        orders = (rng.permutation(n) for _ in range(N_PERMUTATIONS))
        n_more = sum(shared_angles(x, y[:, order][:, :, order]) >= observed * (1 - 1e-12) for order in orders)
        return Answer(float(np.sqrt(max(observed, 0.0) / scale)), (1 + n_more) / (1 + N_PERMUTATIONS))


def sides_of(column: Floats) -> Floats:
    """At [0, k, i] the side of k on which i is, at [1, k, i] whether it is on one, both less means over i.

    The angle of i and j at k is π/2 times the product of the second less that of the first.
    """
    signs = np.sign(column - column[:, None])
    both = np.stack([signs, np.abs(signs)])
    found: Floats = both - both.mean(axis=2, keepdims=True)
    return found


def shared_angles(x: Floats, y: Floats) -> float:
    """The sum of products of centred angles of x and y, without the factor π²/4."""
    products = np.einsum("aki,bki->abk", x, y)
    signs = np.array([[1.0, -1.0], [-1.0, 1.0]])[:, :, None]
    return float((signs * np.square(products)).sum())

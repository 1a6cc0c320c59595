"""The test of independence by distance correlation."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from structlearn.errors import DataError
from structlearn.independence.by_rows import Answer, Standardised, answer_by_rows, permuted_share
from structlearn.independence.distances import FEWEST_ROWS, cosine, distances_of, projected, u_centred
from structlearn.independence.protocol import Answers, Questions
from structlearn.later import special
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

PERMUTED_BELOW = 100  # rows; from there on the t distribution is near enough


@dataclass(frozen=True)
class DistanceCorrelation:
    """Test by distances of rows whether two columns are independent, in curves of any shape [1]_.

    The statistic R* is the correlation of U-centred distances, 0 on average under independence; √(M − 1) R* /
    √(1 − R*²) is compared with the upper tail of t with M − 1 degrees of freedom, M = n(n − 3)/2, and with
    fewer than 100 rows, columns are permuted. States of discrete columns are all equally far apart; discrete
    columns alone are tested by G². Time grows with the square of the rows.

    Parameters
    ----------
    partial : bool, default False
        Whether to answer questions with conditions by the partial distance correlation [2]_. It is a screen:
        a partial distance correlation of 0 is not conditional independence, nor the other way round, so
        that such answers are never `reliable`. Without it conditions are refused.
    max_rows : int, default 5000
        More are refused: rcot and gcm take any number.
    seed : int, default 0
        Of the permutations.

    References
    ----------
    .. [1] Székely, Rizzo and Bakirov (2007), Measuring and testing dependence by correlation of distances,
       Annals of Statistics 35.
    .. [2] Székely and Rizzo (2014), Partial distance correlation with methods for dissimilarities, Annals of
       Statistics 42.
    """

    partial: bool = False
    max_rows: int = 5000
    seed: int = 0
    takes: ClassVar[tuple[Sort, ...]] = ("continuous", "mixed")

    @property
    def takes_conditions(self) -> bool:
        """Whether questions with conditions are answered."""
        return self.partial

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        if statistics.n_rows > self.max_rows:
            raise DataError(
                f"DistanceCorrelation: {statistics.n_rows:,} rows are more than the {self.max_rows:,} that "
                "distances of all pairs of rows are for. Use test='rcot' or test='gcm', draw rows, or pass "
                "DistanceCorrelation(max_rows=…)."
            )
        if questions.shape[1] > 2 and not self.partial:
            raise DataError(
                "DistanceCorrelation tests two columns without conditions. Use test='kci', 'rcot' or 'gcm', "
                "max_conditioning=0, or DistanceCorrelation(partial=True) as a screen."
            )
        return answer_by_rows("DistanceCorrelation", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n, is_given = len(columns.x), columns.given.shape[1] + columns.strata.shape[1] > 1
        if n < FEWEST_ROWS:
            return Answer(0.0, 1.0, is_reliable=False)
        x, y = (u_centred(distances_of(each)) for each in (columns.x, columns.y))
        if is_given:
            given = u_centred(distances_of(np.hstack([columns.given, columns.strata])))
            x, y = projected(x, given), projected(y, given)
        statistic = cosine(x, y)
        if n < PERMUTED_BELOW:
            p_value = permuted_share(x, y, self.seed)
        else:
            p_value = upper_tail(statistic, n * (n - 3) // 2 - is_given)
        return Answer(statistic, p_value, is_reliable=not is_given)


def upper_tail(correlation: float, n_products: int) -> float:
    """The probability of at least this much by the t distribution with a degree of freedom less."""
    dof = n_products - 1
    t = np.sqrt(dof) * correlation / np.sqrt(max(1.0 - correlation**2, np.finfo(float).tiny))
    return float(special.stdtr(dof, -t))

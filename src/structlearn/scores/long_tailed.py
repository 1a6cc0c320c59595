"""A score of both kinds of columns in which long tails make variances within states cost more."""

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from structlearn.options import Instance, check_options
from structlearn.scores.protocol import BoundedScore, Families, Score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.heavy_tails import variance_factors

FEWEST_ERRORS = 3.0  # of a fourth moment, above that of a Gaussian: other columns score as ever


@dataclass(frozen=True)
class LongTailed:
    """A score less what chance makes of variances within states where tails are long.

    A variance for each state of the parents costs half a log-size by BIC, more than chance mostly brings
    where columns are Gaussian. The variance of n rows of a column with the fourth moment κ varies (κ − 1) / 2
    times as much [1]_, and so does what the likelihood gains by it; here it costs as many times as much. By
    BIC, half of all binary columns are parents of a log-normal one that has nothing to do with them, and
    more where there are more rows. Columns with tails no longer than those of a Gaussian score as without it.

    Parameters
    ----------
    score : Score
        What it comes on top of, such as `ConditionalGaussianBIC()`.

    References
    ----------
    .. [1] Layard (1973), Robust large-sample tests for homogeneity of variances, Journal of the American
       Statistical Association 68.
    """

    score: Score

    def __post_init__(self) -> None:
        check_options("LongTailed", {"score": Instance(Score, "a score")}, {"score": self.score})

    @property
    def takes(self) -> Sort | tuple[Sort, ...]:
        """The kinds of columns that the score takes."""
        found: Sort | tuple[Sort, ...] = getattr(self.score, "takes", ("discrete", "continuous", "mixed"))
        return found

    @property
    def is_quick(self) -> bool:
        """Whether of a few columns all families are scored in a moment."""
        return bool(getattr(self.score, "is_quick", False))

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return self.score.local(statistics, families) - _prices(statistics, families)

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent, which costs no less."""
        if not isinstance(self.score, BoundedScore):
            return np.full(len(statistics.names), math.inf)
        paid = float(_prices(statistics, np.array([family]))[0])
        return self.score.most_gains(statistics, family, now=now + paid, alone=alone)


def _prices(statistics: Statistics, families: Families) -> NDArray[np.float64]:
    """What the variances of each family cost beyond those of Gaussian columns."""
    n_states = np.maximum(statistics.levels[families[:, 1:]], 1).astype(np.float64).prod(axis=1)
    prices: NDArray[np.float64] = variance_prices(statistics)[families[:, 0]] * (n_states - 1.0)
    return prices


def variance_prices(statistics: Statistics) -> NDArray[np.float64]:
    """What each further variance of a column costs beyond BIC, found once for a table; 0 of discrete ones."""
    if statistics not in _KNOWN:
        prices = np.zeros(len(statistics.names))
        continuous = np.flatnonzero(statistics.levels == 0)
        factors = variance_factors(statistics, continuous, FEWEST_ERRORS)
        prices[continuous] = 0.5 * math.log(max(statistics.size, 1.0)) * (factors - 1.0)
        _KNOWN[statistics] = prices
    return _KNOWN[statistics]


_KNOWN: WeakKeyDictionary[Statistics, NDArray[np.float64]] = WeakKeyDictionary()

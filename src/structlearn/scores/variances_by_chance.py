"""A score of both kinds of columns in which variances within states cost what chance makes of them."""

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from structlearn.options import Instance, check_options
from structlearn.scores.protocol import Families, Score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.heavy_tails import variance_factors

FEWEST_ERRORS = 3.0  # of a fourth moment, above that of a Gaussian: other columns score as ever
FEW_ROWS = 10  # of a state for each coefficient: with more, chance brings hardly more than BIC has it
Prices = NDArray[np.float64]


@dataclass(frozen=True)
class VariancesByChance:
    """A score less what chance makes of variances within states, where tails are long or states are rare.

    A variance for each state of the parents costs half a log-size by BIC, more than chance mostly brings
    where columns are Gaussian and rows are many.

    The variance of n rows of a column with the fourth moment κ varies (κ − 1) / 2 times as much as that of a
    Gaussian [1]_, and so does what the likelihood gains by it; here it costs as many times as much. By BIC,
    half of all binary columns are parents of a log-normal one that has nothing to do with them, and more
    where there are more rows.

    A regression of c coefficients on m rows has a variance below a share ε of the usual one with a chance of
    order ε^((m − c) / 2), and brings m / 2 ln 1/ε. So what is fitted in a state of m rows costs m / (m − c)
    times as much, where m is less than 10 c. States are those of each parent, not joint ones. Columns
    with tails no longer than those of a Gaussian score as without all this where no state is rare.

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
        check_options("VariancesByChance", {"score": Instance(Score, "a score")}, {"score": self.score})

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


def _prices(statistics: Statistics, families: Families) -> Prices:
    """What the variances of each family cost beyond BIC."""
    child, parents = statistics.levels[families[:, 0]], statistics.levels[families[:, 1:]]
    n_states = np.maximum(parents, 1).astype(np.float64).prod(axis=1)
    prices: Prices = prices_of_tails(statistics)[families[:, 0]] * (n_states - 1.0)
    n_coefficients = np.where(child == 0, 1 + (parents == 0).sum(axis=1), 0)
    for n in np.unique(n_coefficients[n_coefficients > 0]).tolist():
        which = n_coefficients == n
        prices[which] += prices_of_rare_states(statistics, n)[families[which, 1:]].sum(axis=1)
    return prices


def prices_of_tails(statistics: Statistics) -> Prices:
    """What each further variance of a column costs beyond BIC, found once for a table; 0 of discrete ones."""
    if statistics not in _OF_TAILS:
        prices = np.zeros(len(statistics.names))
        continuous = np.flatnonzero(statistics.levels == 0)
        factors = variance_factors(statistics, continuous, FEWEST_ERRORS)
        prices[continuous] = 0.5 * math.log(max(statistics.size, 1.0)) * (factors - 1.0)
        _OF_TAILS[statistics] = prices
    return _OF_TAILS[statistics]


def prices_of_rare_states(statistics: Statistics, n_coefficients: int) -> Prices:
    """What regressions in the rare states of each column cost beyond BIC; 0 of continuous ones."""
    known = _OF_RARE_STATES.setdefault(statistics, {})
    if n_coefficients not in known:
        prices = np.zeros(len(statistics.names))
        discrete = np.flatnonzero(statistics.levels).tolist()
        for column, rows in zip(discrete, statistics.margins(discrete), strict=True):
            rare = rows[(rows > n_coefficients) & (rows < FEW_ROWS * n_coefficients)]
            more = n_coefficients / np.maximum(rare - n_coefficients, 1.0)  # weights may be parts of a row
            prices[column] = 0.5 * math.log(max(statistics.size, 1.0)) * (n_coefficients + 1) * more.sum()
        known[n_coefficients] = prices
    return known[n_coefficients]


_OF_TAILS: WeakKeyDictionary[Statistics, Prices] = WeakKeyDictionary()
_OF_RARE_STATES: WeakKeyDictionary[Statistics, dict[int, Prices]] = WeakKeyDictionary()

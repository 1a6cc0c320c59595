"""Scores in which an arc costs more where there are many pairs of columns for few rows."""

import math
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, stdtrit

from structlearn.options import Instance, check_options
from structlearn.scores.penalised import BIC, ConditionalGaussianBIC, GaussianBIC
from structlearn.scores.protocol import BoundedScore, Families, Score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

# With fewer rows for each column BIC finds dozens of arcs in noise. From ten on it finds a few, and the
# searches end where they always did. `python -m benchmarks.wide` has the numbers.
ROWS_PER_COLUMN = 10
# The likelihood of a regression grows without bound as its slopes come near the rows: annealing found
# families of 15 slopes for 20 rows of noise, and none up to a quarter.
ROWS_PER_SLOPE = 4


def is_wide(statistics: Statistics) -> bool:
    """Whether a table has so few rows for its columns that BIC would take chance for arcs."""
    return statistics.size < ROWS_PER_COLUMN * len(statistics.names)


@dataclass(frozen=True)
class Extended:
    """A score less what an arc must cost more for chance not to make one among so many pairs.

    BIC asks the same of an arc however many others are tried. Of p columns that have nothing to do with each
    other, p (p − 1) / 2 pairs get their chance, and the best of them look like arcs. Here an arc costs at
    least what the luckiest of so many pairs is expected to bring: the likelihood ratio that one pair in
    p (p − 1) / 2 exceeds, by Student's t for two continuous columns and by χ² for others. For two
    continuous or two binary columns that is about ln p more, the extended BIC [1]_ [2]_. For columns
    with more states the BIC of the table pays for some of it or all. With rows enough it is the BIC.
    A family with more continuous parents than a quarter of the rows is impossible: it explains any column.

    Score-equivalent where the score is.

    Parameters
    ----------
    score : Score
        What it comes on top of, such as `BIC()`.

    References
    ----------
    .. [1] Chen and Chen (2008), Extended Bayesian information criteria for model selection with large
       model spaces, Biometrika 95.
    .. [2] Foygel and Drton (2010), Extended Bayesian information criteria for Gaussian graphical models,
       Advances in Neural Information Processing Systems 23.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> noise = np.random.default_rng(0).normal(size=(40, 30))
    >>> [len(sl.HillClimbing(score=score).fit(noise).graph_.edges) > 10 for score in ("bic", "ebic")]
    [True, False]
    """

    score: Score

    def __post_init__(self) -> None:
        check_options("Extended", {"score": Instance(Score, "a score")}, {"score": self.score})

    @property
    def takes(self) -> Sort | tuple[Sort, ...]:
        """The kinds of columns that the score takes."""
        found: Sort | tuple[Sort, ...] = getattr(self.score, "takes", ("discrete", "continuous", "mixed"))
        return found

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class score the same."""
        return bool(getattr(self.score, "is_equivalent", False))

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        parents = families[:, 1:]
        extra = arc_prices(statistics).of(families[:, :1], parents).sum(axis=1)
        n_slopes = (statistics.levels[parents] == 0).sum(axis=1)
        extra[n_slopes * ROWS_PER_SLOPE > statistics.size] = math.inf
        return np.asarray(self.score.local(statistics, families) - extra)

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent."""
        columns = np.arange(len(statistics.names))
        if not isinstance(self.score, BoundedScore):
            return np.full(len(columns), math.inf)
        extra = arc_prices(statistics).of(np.array(family[0]), columns)
        paid = float(extra[list(family[1:])].sum())
        return np.asarray(self.score.most_gains(statistics, family, now=now + paid, alone=alone) - extra)


class ArcPrices(NamedTuple):
    """What an arc costs beyond BIC, by the sorts of its ends; `sorts` has the sort of each column."""

    sorts: NDArray[np.int64]
    by_sorts: NDArray[np.float64]

    def of(self, children: NDArray[np.int64], parents: NDArray[np.int64]) -> NDArray[np.float64]:
        """The prices of arcs, the same in both directions."""
        prices: NDArray[np.float64] = self.by_sorts[self.sorts[children], self.sorts[parents]]
        return prices


def arc_prices(statistics: Statistics) -> ArcPrices:
    """What an arc of each sort costs beyond BIC, found once for a table."""
    known = _KNOWN.get(statistics)
    if known is None:
        levels, sorts = np.unique(statistics.levels, return_inverse=True)
        n_columns, size = len(statistics.names), statistics.size
        by_sorts = [[_price(int(a), int(b), n_columns, size) for a in levels] for b in levels]
        known = _KNOWN[statistics] = ArcPrices(sorts.astype(np.int64), np.array(by_sorts))
    return known


_KNOWN: WeakKeyDictionary[Statistics, ArcPrices] = WeakKeyDictionary()


def _price(levels: int, other_levels: int, n_columns: int, size: float) -> float:
    """What one pair in all of them brings by chance, less what BIC asks for its parameters."""
    chance = 1.0 / max(math.comb(n_columns, 2), 1)
    if not levels and not other_levels and size > 2.0:
        t = float(stdtrit(size - 2.0, 1.0 - chance / 2.0))
        return max(0.5 * size * math.log1p(t**2 / (size - 2.0)) - 0.5 * math.log(size), 0.0)
    n_more = max(levels - 1, 1) * max(other_levels - 1, 1) * (1 if levels and other_levels else 2)
    return max(0.5 * float(chdtri(n_more, chance)) - 0.5 * n_more * math.log(size), 0.0)


def EBIC() -> Extended:
    """BIC of discrete families, less what an arc must cost more among so many pairs of columns."""
    return Extended(BIC())


def GaussianEBIC() -> Extended:
    """BIC of linear regressions, less what an arc must cost more among so many pairs of columns."""
    return Extended(GaussianBIC())


def ConditionalGaussianEBIC() -> Extended:
    """BIC of families of both kinds, less what an arc must cost more among so many pairs of columns."""
    return Extended(ConditionalGaussianBIC())

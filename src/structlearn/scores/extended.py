"""Scores in which an arc costs more where there are many pairs of columns for few rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.options import Above, Instance, Rules, check_options
from structlearn.scores.penalised import BIC, ConditionalGaussianBIC, GaussianBIC
from structlearn.scores.protocol import BoundedScore, Families, Score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort, sort_of
from structlearn.statistics.varying import n_varying

# With fewer rows for each column BIC finds dozens of arcs in noise. From ten on it finds a few, and the
# searches end where they always did. `python -m benchmarks.wide` has the numbers.
ROWS_PER_COLUMN = 10
# The likelihood of a regression grows without bound as its slopes come near the rows: annealing found
# families of 15 slopes for 20 rows of noise, and none up to a quarter. Within states of discrete columns it
# found five slopes in each of three states of seven rows, and reinserted nodes of 60 columns had 27 arcs.
ROWS_PER_SLOPE = 4
# BDeu takes states that hardly a row has for certain: it found three parents for columns of noise in 20 rows.
ROWS_PER_CELL = 2
# A variance of so many rows brings 2 % more by chance than one of all; to tell larger numbers apart would
# only make many sorts of columns.
AMPLE_ROWS = 50
RULES: Rules = {
    "score": Instance(Score, "a score"),
    "risk": Above(0, "how many arcs chance may make, on average"),
}


def is_wide(statistics: Statistics) -> bool:
    """Whether a table has so few rows for its columns that BIC would take chance for arcs."""
    if statistics.size >= ROWS_PER_COLUMN * len(statistics.names):
        return False
    return statistics.size < ROWS_PER_COLUMN * n_varying(statistics)


@dataclass(frozen=True)
class Extended:
    """A score less what an arc must cost more for chance to make but one among so many pairs.

    BIC asks the same of an arc however many others are tried. Of p columns that vary and have nothing to do
    with each other, p (p − 1) / 2 pairs get their chance, and the best of them look like arcs. Here an arc
    costs at least what the luckiest of so many pairs is expected to bring: the likelihood ratio that `risk`
    pairs in p (p − 1) / 2 exceed, by Student's t for two continuous columns and by χ² for others. For two
    continuous or two binary columns and a risk of 1 that is about ln p more, the extended BIC [1]_ [2]_.
    Where a rare state has m rows, a variance within them is near 0 by chance, and arcs to continuous columns
    bring m / (m − 1) times as much. For columns with more states the BIC of the table pays for some of it or
    all. With rows enough it is the BIC. A family with more continuous parents than a quarter of the rows is
    impossible, as it explains any column; so is one of several parents whose table has more cells than half
    the rows. A regression within states of discrete columns needs four rows for each slope and for the mean
    in the rarest joint state, as far as the states of single columns tell; one in the states of a single
    column, without slopes, pays as above.

    Score-equivalent where the score is.

    Parameters
    ----------
    score : Score
        What it comes on top of, such as `BIC()`.
    risk : float
        How many arcs chance may make among columns that have nothing to do with each other, on average.

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
    risk: float = 1.0

    def __post_init__(self) -> None:
        check_options("Extended", RULES, {"score": self.score, "risk": self.risk})

    @property
    def takes(self) -> Sort | tuple[Sort, ...]:
        """The kinds of columns that the score takes."""
        found: Sort | tuple[Sort, ...] = getattr(self.score, "takes", ("discrete", "continuous", "mixed"))
        return found

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class score the same."""
        return bool(getattr(self.score, "is_equivalent", False))

    @property
    def is_quick(self) -> bool:
        """Whether of a few columns all families are scored in a moment."""
        return bool(getattr(self.score, "is_quick", False))

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        extra = arc_prices(statistics, self.risk).of(families[:, :1], families[:, 1:]).sum(axis=1)
        is_possible = ~_is_impossible(statistics, families)
        scores = np.full(len(families), -math.inf)
        if is_possible.any():
            scores[is_possible] = self.score.local(statistics, families[is_possible]) - extra[is_possible]
        return scores

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent."""
        columns = np.arange(len(statistics.names))
        if not isinstance(self.score, BoundedScore):
            return np.full(len(columns), math.inf)
        extra = arc_prices(statistics, self.risk).of(np.array(family[0]), columns)
        paid = float(extra[list(family[1:])].sum())
        return np.asarray(self.score.most_gains(statistics, family, now=now + paid, alone=alone) - extra)


def _is_impossible(statistics: Statistics, families: Families) -> NDArray[np.bool_]:
    """Whether each family could explain anything in so many rows.

    The child counts as a cell too, so that all DAGs of an equivalence class are impossible together.
    """
    levels, size = statistics.levels[families], statistics.size
    n_slopes = (levels[:, 1:] == 0).sum(axis=1)
    is_impossible: NDArray[np.bool_] = n_slopes * ROWS_PER_SLOPE > size
    if levels.shape[1] > 2:
        n_cells = np.maximum(levels, 1).astype(np.float64).prod(axis=1)
        is_impossible |= n_cells * ROWS_PER_CELL > size
        is_mixed = (levels[:, 0] == 0) & levels[:, 1:].any(axis=1)
        if is_mixed.any():
            rarest = size * shares_of_rarest(statistics)[families[is_mixed, 1:]].prod(axis=1)
            is_impossible[is_mixed] |= rarest < ROWS_PER_SLOPE * (n_slopes[is_mixed] + 1)
    return is_impossible


class ArcPrices(NamedTuple):
    """What an arc costs beyond BIC, by the sorts of its ends; `sorts` has the sort of each column.

    A sort is a number of levels and, in tables of both kinds, the rows of the rarest state.
    """

    sorts: NDArray[np.int64]
    by_sorts: NDArray[np.float64]

    def of(self, children: NDArray[np.int64], parents: NDArray[np.int64]) -> NDArray[np.float64]:
        """The prices of arcs, the same in both directions."""
        prices: NDArray[np.float64] = self.by_sorts[self.sorts[children], self.sorts[parents]]
        return prices


def arc_prices(statistics: Statistics, risk: float = 1.0) -> ArcPrices:
    """What an arc of each sort costs beyond BIC, found once for a table."""
    known = _KNOWN.setdefault(statistics, {})
    if risk not in known:
        sorts_there, sorts = np.unique(_sorts(statistics), axis=0, return_inverse=True)
        chance = min(risk / max(math.comb(n_varying(statistics), 2), 1), 1.0)
        of_sorts = sorts_there.tolist()
        by_sorts = [[_price(a, b, chance, statistics.size) for a in of_sorts] for b in of_sorts]
        known[risk] = ArcPrices(sorts.reshape(-1).astype(np.int64), np.array(by_sorts))
    return known[risk]


_KNOWN: WeakKeyDictionary[Statistics, dict[float, ArcPrices]] = WeakKeyDictionary()


def _sorts(statistics: Statistics) -> NDArray[np.int64]:
    """The levels of each column beside the rows of its rarest state, 0 where that changes no price.

    A state of a single row has no variance of its own.
    """
    sorts = np.column_stack([statistics.levels, np.zeros_like(statistics.levels)])
    if sort_of(statistics) == "mixed":
        discrete = statistics.levels > 0
        sorts[discrete, 1] = np.minimum(rows_of_rarest(statistics)[discrete], AMPLE_ROWS)
    return sorts


def rows_of_rarest(statistics: Statistics) -> NDArray[np.float64]:
    """The rows of the rarest state of each column, of those with two rows or more; all rows of numbers."""
    found = np.full(len(statistics.names), statistics.size)
    discrete = np.flatnonzero(statistics.levels).tolist()
    for column, counts in zip(discrete, statistics.margins(discrete), strict=True):
        found[column] = counts[counts >= 2].min(initial=statistics.size)
    return found


def shares_of_rarest(statistics: Statistics) -> NDArray[np.float64]:
    """The share of these rows in all, found once for a table; 1 where columns are few for the rows.

    There a rare state among thousands of rows is no reason to refuse the family.
    """
    if statistics not in _SHARES:
        rows = rows_of_rarest(statistics)
        _SHARES[statistics] = rows / statistics.size if is_wide(statistics) else np.ones(len(rows))
    return _SHARES[statistics]


_SHARES: WeakKeyDictionary[Statistics, NDArray[np.float64]] = WeakKeyDictionary()


def _price(sort: Sequence[int], other: Sequence[int], chance: float, size: float) -> float:
    """What a pair brings by chance at best, so often, less what BIC asks for its parameters."""
    (levels, n_rarest), (other_levels, n_rarest_other) = sort, other
    if not levels and not other_levels and size > 2.0:
        t = float(special.stdtrit(size - 2.0, chance / 2.0))  # of the lower tail, whose digits are there
        return max(size * math.log(math.hypot(1.0, t / math.sqrt(size - 2.0))) - 0.5 * math.log(size), 0.0)
    n_more, more_chance = max(levels - 1, 1) * max(other_levels - 1, 1), 1.0
    if not (levels and other_levels):
        n_rows = max(n_rarest, n_rarest_other, 2)
        # A variance of m rows is below ε with a chance of order ε^((m − 1) / 2), and brings m / 2 ln 1 / ε.
        n_more, more_chance = 2 * n_more, n_rows / (n_rows - 1)
    by_chance = 0.5 * float(special.chdtri(n_more, chance)) * more_chance
    return max(by_chance - 0.5 * n_more * math.log(size), 0.0)


def EBIC() -> Extended:
    """BIC of discrete families, less what an arc must cost more among so many pairs of columns."""
    return Extended(BIC())


def GaussianEBIC() -> Extended:
    """BIC of linear regressions, less what an arc must cost more among so many pairs of columns."""
    return Extended(GaussianBIC())


def ConditionalGaussianEBIC() -> Extended:
    """BIC of families of both kinds, less what an arc must cost more among so many pairs of columns."""
    return Extended(ConditionalGaussianBIC())

"""The likelihood that a row adds on average: a score for tables with gaps, each family on the rows it has."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.options import Between, Rules, check_options
from structlearn.rounding import COLLINEAR
from structlearn.scores.family_tables import FamilyTables, family_tables, n_parent_states
from structlearn.scores.kernels.gaussian import likelihoods_within_groups
from structlearn.scores.likelihoods import Fits, log_likelihoods
from structlearn.scores.protocol import Families
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.units import log_units

RULES: Rules = {"rate": Between(0, 0.5, "how fast the price of a parameter falls with the rows")}


@dataclass(frozen=True)
class PNAL:
    """The mean log-likelihood of the rows that have all of a family, less a price per parameter [1]_ [2]_.

    For tables with gaps, with `missing="familywise"`: the node-average likelihood takes each family on the
    rows in which the child and its parents are observed, and a mean can be compared where sums over
    different rows cannot. Values must be missing completely at random. Means over different rows differ by
    chance, by about 1/√n for n rows, so that a parameter costs more than that, n to the power of −`rate`: far
    more than by BIC, and few rows show few arcs. A family with parents that fewer than n to the power of
    2 `rate` rows have is impossible, as chance is larger there than the price.

    In data without gaps it is score-equivalent.

    Parameters
    ----------
    rate : float, default 0.4
        How fast the price of a parameter falls with the rows; the smaller, the more it costs.

    References
    ----------
    .. [1] Balov (2013), Consistent model selection of discrete Bayesian networks from incomplete data,
       Electronic Journal of Statistics 7.
    .. [2] Bodewes and Scutari (2021), Learning Bayesian networks from incomplete data with the node-average
       likelihood, International Journal of Approximate Reasoning 138.

    Examples
    --------
    >>> import structlearn as sl
    >>> gaps = {"a": ["x", "y", None, "y", "x", "x"] * 50, "b": ["u", "v", "v", None, "u", "v"] * 50}
    >>> print(sl.HillClimbing(score="pnal", missing="familywise").fit(gaps).graph_)
    Graph with 2 nodes and 1 edge
      b → a
    """

    rate: float = 0.4

    takes: ClassVar[tuple[Sort, ...]] = ("discrete", "continuous")
    takes_gaps: ClassVar[bool] = True
    is_equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options("PNAL", RULES, {"rate": self.rate})

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        fits, n_rows = (_tables if statistics.levels.all() else _regressions)(statistics, families)
        means = fits.log_likelihoods / np.maximum(n_rows, 1.0)
        price = statistics.size**-self.rate
        if families.shape[1] > 1:
            means[n_rows * price**2 < 1.0] = -math.inf
        return Fits(means, fits.n_free).less(price)


def _tables(statistics: Statistics, families: Families) -> tuple[Fits, NDArray[np.float64]]:
    """A table for each family, and how many rows it has."""
    tables = family_tables(statistics, families)
    n_free = n_parent_states(statistics, families) * (tables.child_levels - 1)
    return Fits(log_likelihoods(tables, statistics.size), n_free), _sizes(tables)


def _sizes(tables: FamilyTables) -> NDArray[np.float64]:
    until = np.concatenate([[0.0], np.cumsum(tables.counts)])
    ends = tables.starts + tables.strata * tables.child_levels * tables.parent_levels
    return np.asarray(until[ends] - until[tables.starts])


def _regressions(statistics: Statistics, families: Families) -> tuple[Fits, NDArray[np.float64]]:
    """A linear regression for each family, and how many rows it has; as in `GaussianBIC` otherwise."""
    moments = statistics.grouped_moments((), families)
    found, is_sparse = np.empty(len(families)), np.empty(moments.sizes.shape, dtype=np.bool_)
    likelihoods_within_groups(moments.sizes, moments.products, COLLINEAR, found, is_sparse)
    sizes = moments.sizes[:, 0]
    found[is_sparse[:, 0]] = -math.inf
    found -= sizes * log_units(statistics)[families[:, 0]]
    n_free = np.full(len(families), families.shape[1] + 1.0)
    if families.shape[1] == 1:
        is_constant = found == -math.inf
        found[is_constant], n_free[is_constant] = 0.0, 0.0
    return Fits(found, n_free), sizes

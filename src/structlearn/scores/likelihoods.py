"""Maximised likelihoods of families, and how many parameters they cost."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import COLLINEAR, TIE
from structlearn.scores.family_tables import FamilyTables, family_tables, n_parent_states
from structlearn.scores.kernels import discrete
from structlearn.scores.kernels.gaussian import likelihoods_within_groups, residual_variances
from structlearn.scores.protocol import Families
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.set_sums import CellTerms
from structlearn.statistics.units import log_units

MOST_PRODUCTS = 1 << 22  # 32 MiB of sums of products at once


class Fits(NamedTuple):
    """The largest log-likelihood of each family, and the free parameters of each or of all alike."""

    log_likelihoods: NDArray[np.float64]
    n_free: NDArray[np.float64] | float

    def less(self, price: float) -> NDArray[np.float64]:
        """The log-likelihoods less a price for each parameter."""
        # Of very many parents there are infinitely many parameters, and infinity times nothing is no number.
        return self.log_likelihoods - price * self.n_free if price > 0.0 else self.log_likelihoods


class Likelihood(ABC):
    """A form of distributions that families are fitted with by maximum likelihood."""

    prefix: ClassVar[str]
    """How the names of its scores begin."""

    takes: ClassVar[Sort | tuple[Sort, ...]]
    is_equivalent: ClassVar[bool]

    @abstractmethod
    def fit(self, statistics: Statistics, families: Families) -> Fits:
        """Fit many families with the same number of parents."""

    def cell_terms(self, statistics: Statistics) -> CellTerms | None:  # noqa: ARG002, where families are no tables
        """What cells of tables add, where a family's likelihood is a difference of sums over cells."""
        return None

    def most_gains(
        self,
        statistics: Statistics,
        family: tuple[int, ...],  # noqa: ARG002, where nothing is known of a family
        *,
        now: float,  # noqa: ARG002, as above
        alone: NDArray[np.float64],  # noqa: ARG002, as above
        price: float,  # noqa: ARG002, as above
    ) -> NDArray[np.float64]:
        """Bounds above what one more parent adds to a family's likelihood less a price per parameter.

        `now` is the score of the family at that price, `alone` has those of the columns without parents.
        """
        return np.full(len(statistics.names), math.inf)


@dataclass(frozen=True)
class Tables(Likelihood):
    """A table of probabilities for each discrete family.

    Every joint state of the parents has its parameters, whether or not it occurs: score
    equivalence needs it.
    """

    prefix: ClassVar[str] = ""
    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def fit(self, statistics: Statistics, families: Families) -> Fits:
        """Fit many families with the same number of parents."""
        tables = family_tables(statistics, families)
        n_free = n_parent_states(statistics, families) * (tables.child_levels - 1)
        return Fits(log_likelihoods(tables, statistics.size), n_free)

    def cell_terms(self, statistics: Statistics) -> CellTerms:
        """A cell with n rows adds n·ln n, whatever the set."""
        n_rows = int(statistics.size)
        return CellTerms(lambda counts, _: n_log_n(n_rows)[counts], n_rows, depends_on_cells=False)

    def most_gains(
        self,
        statistics: Statistics,
        family: tuple[int, ...],
        *,
        now: float,
        alone: NDArray[np.float64],
        price: float,
    ) -> NDArray[np.float64]:
        """Bounds above what one more parent adds to a family's likelihood less a price per parameter.

        A parent tells no more about the child than its parents leave unknown, and no more than there is
        to know about itself: I(X; Y | Z) ≤ min(H(X | Z), H(Y)).
        """
        free_levels = statistics.levels - 1.0
        n_free = float(free_levels[family[0]]) * math.prod(float(free_levels[p]) + 1.0 for p in family[1:])
        unknown = np.minimum(-(now + price * n_free), -(alone + price * free_levels))
        slack = TIE * (statistics.size + abs(now))  # a bound must stay one whatever is rounded
        return np.asarray(unknown + slack - price * n_free * free_levels)


@dataclass(frozen=True)
class Regressions(Likelihood):
    """A linear regression with Gaussian errors for each continuous family.

    A family has a slope per parent, an intercept and a variance. A collinear family, whose
    likelihood has no bound, gets minus infinity; a constant column alone gets zero and costs nothing.
    """

    prefix: ClassVar[str] = "Gaussian"
    takes: ClassVar[Sort] = "continuous"
    is_equivalent: ClassVar[bool] = True

    def fit(self, statistics: Statistics, families: Families) -> Fits:
        """Fit many families with the same number of parents."""
        n_parents = families.shape[1] - 1
        # However often they count, as few rows as coefficients are fitted without an error; but a column
        # alone is then constant.
        is_exact = n_parents > 0 and statistics.n_rows <= n_parents + 1
        if is_exact or statistics.size <= n_parents + 1:
            return Fits(np.full(len(families), -math.inf), n_parents + 2.0)
        few_sets_asked = isinstance(statistics, MemoryStatistics) and statistics.few_sets_asked
        found = (_of_own_moments if few_sets_asked else _of_one_matrix)(statistics, families)
        found -= statistics.size * log_units(statistics)[families[:, 0]]
        if n_parents > 0:
            return Fits(found, n_parents + 2.0)
        fits = found > -math.inf
        found[~fits] = 0.0
        return Fits(found, np.where(fits, 2.0, 0.0))


def _of_one_matrix(statistics: Statistics, families: Families) -> NDArray[np.float64]:
    """The log-likelihoods of regressions by the covariances of all columns."""
    moments = statistics.moments()
    variances = np.empty(len(families))
    residual_variances(moments.covariance, families, COLLINEAR, variances)
    variances[~(variances > 0.0)] = math.inf  # collinear ones get minus infinity
    found: NDArray[np.float64] = -0.5 * moments.size * (np.log(2.0 * math.pi * variances) + 1.0)
    return found


def _of_own_moments(statistics: Statistics, families: Families) -> NDArray[np.float64]:
    """The same by those of each family."""
    found = np.empty(len(families))
    step = max(MOST_PRODUCTS // families.shape[1] ** 2, 1)
    for start in range(0, len(families), step):
        some = slice(start, start + step)
        moments = statistics.grouped_moments((), families[some])
        is_sparse = np.empty(moments.sizes.shape, dtype=np.bool_)
        likelihoods_within_groups(moments.sizes, moments.products, COLLINEAR, found[some], is_sparse)
    return found


def log_likelihoods(tables: FamilyTables, size: float) -> NDArray[np.float64]:
    """The maximised log-likelihood of each table of a family in data of this size."""
    found = np.empty(len(tables.starts))
    if tables.counts.dtype == np.int64:
        discrete.log_likelihoods(*tables, n_log_n(int(size)), found)
    else:
        discrete.weighted_log_likelihoods(*tables, found)
    return found


@lru_cache(maxsize=4)
def n_log_n(largest: int) -> NDArray[np.float64]:
    """The products n·ln n of 0, 1, … up to the largest n."""
    n = np.arange(largest + 1, dtype=np.float64)
    return n * np.log(np.maximum(n, 1.0))

"""Marginal likelihoods under Dirichlet priors that treat all cells of a table alike."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.options import Above, check_options
from structlearn.scores.family_tables import FamilyTables, family_tables, n_parent_states
from structlearn.scores.kernels import discrete
from structlearn.scores.protocol import Families, SetTerms
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.set_sums import CellTerms

PRIOR_SIZE = Above(0, "how many rows the prior is worth")


@dataclass(frozen=True)
class BDeu:
    """Log marginal likelihood under a Dirichlet prior worth `ess` rows [1]_.

    The prior rows are spread evenly over the cells of each family's table. Score-equivalent.

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.
    """

    ess: float = 1.0

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True
    is_quick: ClassVar[bool] = True
    is_for_threads: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options("BDeu", {"ess": PRIOR_SIZE}, {"ess": self.ess})

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        tables = family_tables(statistics, families)
        n_cells = n_parent_states(statistics, families) * tables.child_levels
        return _evidence(tables, self.ess / n_cells)

    def set_terms(self, statistics: Statistics) -> SetTerms:
        """The evidence of a set of columns is a sum over the cells of its table; parameters cost nothing."""

        def at(counts: NDArray[np.int64], n_cells: NDArray[np.float64] | float) -> NDArray[np.float64]:
            prior = self.ess / n_cells
            return np.asarray(special.gammaln(prior + counts) - special.gammaln(prior))

        return SetTerms(CellTerms(at, int(statistics.size), depends_on_cells=True), 0.0)


@dataclass(frozen=True)
class BDs:
    """As `BDeu`, with the prior rows only where the state of the parents occurs [1]_.

    Not score-equivalent.

    References
    ----------
    .. [1] Scutari (2016), An empirical-Bayes score for discrete Bayesian networks, Proceedings of
       Machine Learning Research 52.
    """

    ess: float = 1.0

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = False
    is_quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options("BDs", {"ess": PRIOR_SIZE}, {"ess": self.ess})

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        tables = family_tables(statistics, families)
        n_observed = np.empty(len(families))
        discrete.observed_states(*tables, n_observed)
        return _evidence(tables, self.ess / (n_observed * tables.child_levels))


@dataclass(frozen=True)
class K2:
    """Log marginal likelihood with all tables equally likely: one prior row in every cell [1]_.

    Not score-equivalent.

    References
    ----------
    .. [1] Cooper and Herskovits (1992), A Bayesian method for the induction of probabilistic networks
       from data, Machine Learning 9.
    """

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = False
    is_quick: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return _evidence(family_tables(statistics, families), np.ones(len(families)))


@dataclass(frozen=True)
class BDJ:
    """Log marginal likelihood under Jeffreys' prior: half a prior row in every cell [1]_.

    Not score-equivalent.

    References
    ----------
    .. [1] Suzuki (2017), A theoretical analysis of the BDeu scores in Bayesian network structure
       learning, Behaviormetrika 44.
    """

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = False
    is_quick: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return _evidence(family_tables(statistics, families), np.full(len(families), 0.5))


def _evidence(tables: FamilyTables, in_each_cell: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = np.empty(len(tables.starts))
    discrete.dirichlet_evidence(*tables, in_each_cell, scores)
    return scores

"""Marginal likelihoods under Dirichlet priors that treat all cells of a table alike."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.options import Between, check_options
from structlearn.scores.family_tables import FamilyTables, family_tables, n_parent_states
from structlearn.scores.kernels import discrete
from structlearn.scores.kernels.rising import MANY
from structlearn.scores.protocol import Families, SetTerms
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.set_sums import CellTerms

# Spread over many cells, less is 0 to a float; more is the uniform distribution, whatever the data.
PRIOR_SIZE = Between(1e-100, 1e100, "how many rows the prior is worth")


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
            return log_rise(self.ess / np.asarray(n_cells), counts)

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


def log_rise(start: NDArray[np.float64], steps: NDArray[Any]) -> NDArray[np.float64]:
    """The rise of ln Γ from `start` on by so many steps, with all its digits."""
    found = np.asarray(special.gammaln(start + steps) - special.gammaln(start))
    if (start < MANY).all():
        return found
    many = np.maximum(start, MANY)
    end = many + steps
    by_series = (many - 0.5) * np.log1p(steps / many) + steps * (np.log(end) - 1.0)
    return np.where(start < MANY, found, by_series + (1.0 / end - 1.0 / many) / 12.0)


def _evidence(tables: FamilyTables, in_each_cell: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = np.empty(len(tables.starts))
    discrete.dirichlet_evidence(*tables, in_each_cell, scores)
    return scores

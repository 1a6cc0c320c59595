"""The Bayesian information criterion for discrete data."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.scores.discrete import FamilyTables, family_tables, n_parent_states
from structlearn.scores.kernels import discrete
from structlearn.scores.protocol import Families
from structlearn.statistics import Statistics


@dataclass(frozen=True)
class BIC:
    """Log-likelihood less half a log-size per free parameter [1]_.

    Every joint state of the parents has its parameters, whether or not it occurs: score
    equivalence needs it.

    References
    ----------
    .. [1] Schwarz (1978), Estimating the dimension of a model, Annals of Statistics 6.
    """

    takes: ClassVar[Kind] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        tables = family_tables(statistics, families)
        n_free = n_parent_states(statistics, families) * (tables.child_levels - 1)
        return log_likelihoods(tables, statistics.size) - 0.5 * math.log(statistics.size) * n_free


def log_likelihoods(tables: FamilyTables, size: float) -> NDArray[np.float64]:
    """The maximised log-likelihood of each family."""
    scores = np.empty(len(tables.starts))
    if tables.counts.dtype == np.int64:
        discrete.log_likelihoods(*tables, _n_log_n(int(size)), scores)
    else:
        discrete.weighted_log_likelihoods(*tables, scores)
    return scores


@lru_cache(maxsize=4)
def _n_log_n(largest: int) -> NDArray[np.float64]:
    n = np.arange(largest + 1, dtype=np.float64)
    return n * np.log(np.maximum(n, 1.0))

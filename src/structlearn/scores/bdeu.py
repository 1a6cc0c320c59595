"""The Bayesian Dirichlet score with a uniform prior."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.options import Above, check_options
from structlearn.scores.discrete import family_tables, n_parent_states
from structlearn.scores.kernels import discrete
from structlearn.scores.protocol import Families
from structlearn.statistics import Statistics

RULES = {"prior_size": Above(0, "how many rows the prior is worth")}


@dataclass(frozen=True)
class BDeu:
    """Log marginal likelihood under a Dirichlet prior worth `prior_size` rows [1]_.

    The prior rows are spread evenly over the cells of each family's table.

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.
    """

    prior_size: float = 1.0

    takes: ClassVar[Kind] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options("BDeu", RULES, {"prior_size": self.prior_size})

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        tables = family_tables(statistics, families)
        n_cells = n_parent_states(statistics, families) * tables.child_levels
        scores = np.empty(len(families))
        discrete.dirichlet_evidence(*tables, self.prior_size / n_cells, scores)
        return scores

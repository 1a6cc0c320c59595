"""Neighbourhoods of discrete columns by penalised logistic regression."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.nodewise.binary_regressions import BinaryTable, Coding
from structlearn.learners.regression.nodewise.learner import NodewiseLearner
from structlearn.learners.regression.nodewise.mixed_regressions import MixedTable
from structlearn.learners.regression.nodewise.options import PENALTY, SEARCHED, PenaltyRule, SharesPenalty
from structlearn.learners.regression.nodewise.penalty_search import Table
from structlearn.learners.regression.penalties.theory import coupling_penalty
from structlearn.options import Flag, one_of, option
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

SIGNS_PER_ZERO_ONE = 4.0  # a coupling of states −1 and 1 counts four times as one of 0 and 1


class IsingNeighborhoods(SharesPenalty, NodewiseLearner):
    """Join the columns that logistic regressions need to predict each other."""

    gamma: ClassVar[float] = 0.25  # as IsingFit has it (van Borkulo et al., 2014)

    penalty: PenaltyRule | float = option(
        PENALTY,
        "What multiplies the sum of the absolute couplings beside the mean negative log-likelihood of a "
        'node, or how to find it. "theory" is 2.5·√(log p / n) for states −1 and 1, of the form in [1]_. '
        + SEARCHED,
        default="theory",
    )
    coding: Coding = option(
        one_of(Coding),
        "The states of binary columns. −1 and 1 as in [1]_, or 0 and 1 as in [2]_. Couplings are four times"
        " as large with 0 and 1, and penalties a quarter.",
        default="signs",
    )
    field: bool = option(
        Flag(),
        "Whether binary columns have an external field (an intercept), which is never penalised.",
        default=True,
    )

    def _table(self, statistics: Statistics, weights: NDArray[np.float64]) -> Table[Any]:
        if _is_binary(statistics):
            return BinaryTable(statistics, weights, coding=self.coding, has_field=self.field)
        return MixedTable(statistics, weights)

    def _theory_penalty(self, statistics: Statistics) -> float:
        penalty = coupling_penalty(statistics.size, n_varying(statistics))
        is_zero_one = self.coding == "zero-one" and _is_binary(statistics)
        return penalty / SIGNS_PER_ZERO_ONE if is_zero_one else penalty

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; an edge's weight is the mean of its two coefficients.
    coefficients_ : array of shape (p, p)
        Row by row the couplings of each node, in the order of `graph_.nodes`. Where a column has more
        than two states they are norms of blocks of weights and have no sign.
    penalty_ : float or array of shape (p,)
        The penalty, or that of each node.
    gap_ : float
        The largest duality gap of a regression, on the scale of the mean negative log-likelihood.
    path_ : dict of arrays
        For each penalty looked at "penalty", "n_edges" and the "criterion" that chose: the sum of the
        extended BICs, the instability or the sum of the held-out losses.
    evidence_ : dict
        The weight of each edge.
    trace_ : dict of arrays
        The same as `path_`.

    Notes
    -----
    Tables of binary columns are Ising models. In any other table a column with more states is
    predicted by a softmax and a continuous one by least squares, and all weights between two columns
    are penalised together, by their Frobenius norm, so that an edge is there or not. Numbers are
    scaled there so that columns of all kinds are penalised alike, and `coding` and `field` say nothing.
    Binary rows that agree in all columns of a regression are counted once.

    References
    ----------
    .. [1] Ravikumar, Wainwright and Lafferty (2010), High-dimensional Ising model selection using
       L1-regularized logistic regression, Annals of Statistics 38.
    .. [2] Wainwright, Ravikumar and Lafferty (2006), High-dimensional graphical model selection
       using L1-regularized logistic regression, NIPS.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("asia").sample(5000, random_state=0)
    >>> print(sl.IsingNeighborhoods().fit(data).graph_)
    Graph with 8 nodes and 4 edges
      smoke — bronc
      lung — either
      bronc — dysp
      either — xray
    """


def _is_binary(statistics: Statistics) -> bool:
    return bool(((statistics.levels > 0) & (statistics.levels <= 2)).all())

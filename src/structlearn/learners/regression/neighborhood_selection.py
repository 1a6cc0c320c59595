"""Neighbourhood selection with the lasso."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.learners.regression.nodewise.gaussian_regressions import GaussianTable
from structlearn.learners.regression.nodewise.learner import NodewiseLearner
from structlearn.learners.regression.nodewise.options import PENALTY, SEARCHED, PenaltyRule, SharesPenalty
from structlearn.learners.regression.penalties.options import KeepsLevel
from structlearn.learners.regression.penalties.theory import component_penalty
from structlearn.options import Between, option
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying


class NeighborhoodSelection(SharesPenalty, KeepsLevel, NodewiseLearner):
    """Join the continuous columns that the lasso needs to predict each other."""

    only: ClassVar[Kind] = "continuous"
    gamma: ClassVar[float] = 0.5  # as Foygel and Drton (2010) have it

    penalty: PenaltyRule | float = option(
        PENALTY,
        "What multiplies the L1 norm in (1/2n)·SSE + penalty·L1 on standardised columns, as in the Lasso of "
        'scikit-learn, or how to find it. "theory" is half of what the paper [1]_ multiplies its (1/n)·SSE '
        "with, so that with probability 1 − `alpha` no two unconnected parts of the true graph are joined. "
        + SEARCHED,
        default="theory",
    )
    l1_share: float = option(
        Between(1e-3, 1),
        "The share of the penalty that is absolute. The rest is a squared one, as in the elastic net.",
        default=1.0,
    )

    def _table(self, statistics: Statistics, weights: NDArray[np.float64]) -> GaussianTable:
        return GaussianTable(statistics, weights, l1_share=float(self.l1_share))

    def _theory_penalty(self, statistics: Statistics) -> float:
        return component_penalty(statistics.size, n_varying(statistics), self.alpha) / 2.0

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; an edge's weight is the mean of its two coefficients.
    coefficients_ : array of shape (p, p)
        Row by row the regression of each node on all others, of standardised columns, in the order
        of `graph_.nodes`.
    penalty_ : float or array of shape (p,)
        The penalty, or that of each node.
    gap_ : float
        The largest duality gap of a regression, on the scale of (1/2n)·SSE.
    path_ : dict of arrays
        For each penalty looked at "penalty", "n_edges" and the "criterion" that chose: the sum of the
        extended BICs, the instability or the sum of the held-out errors.
    evidence_ : dict
        The weight of each edge.
    trace_ : dict of arrays
        The same as `path_`.

    Notes
    -----
    One Gram matrix serves all nodes; each regression is solved by coordinate descent on the few
    columns that matter, and checked on all others, down to a duality gap of 1e-7. Prediction asks for
    more columns than the graph has: cross-validation is not consistent for the graph [1]_.

    References
    ----------
    .. [1] Meinshausen and Bühlmann (2006), High-dimensional graphs and variable selection with the
       lasso, Annals of Statistics 34.
    .. [2] Chen and Chen (2008), Extended Bayesian information criteria for model selection with
       large model spaces, Biometrika 95.
    .. [3] Liu, Roeder and Wasserman (2010), Stability approach to regularization selection (StARS)
       for high dimensional graphical models, NIPS.
    .. [4] Zou (2006), The adaptive lasso and its oracle properties, Journal of the American
       Statistical Association 101.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rows = np.random.default_rng(0).normal(size=(200, 3)).cumsum(axis=1)
    >>> sl.NeighborhoodSelection().fit(rows).graph_.undirected
    (('x0', 'x1'), ('x1', 'x2'))
    """

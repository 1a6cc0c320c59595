"""Neighbourhood selection with the lasso."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.learners.base import ALPHA
from structlearn.learners.regression.nodewise.gaussian_regressions import GaussianTable
from structlearn.learners.regression.nodewise.learner import NodewiseLearner
from structlearn.learners.regression.penalties.theory import component_penalty
from structlearn.options import Between, Rules
from structlearn.statistics import Statistics

PenaltyRule = Literal["theory", "ebic", "stars", "cv", "cv-1se"]


class NeighborhoodSelection(NodewiseLearner):
    """Join the continuous columns that the lasso needs to predict each other.

    Parameters
    ----------
    penalty : {"theory", "ebic", "stars", "cv", "cv-1se"} or float, default "theory"
        What multiplies the L1 norm in (1/2n)·SSE + penalty·L1 on standardised columns, as in
        scikit-learn's Lasso, or how to find it. "theory" is half of what the paper [1]_ multiplies its
        (1/n)·SSE with, so that with probability 1 − `alpha` no two unconnected parts of the true
        graph are joined. "ebic" is the extended BIC of each refitted regression [2]_, "stars" the smallest
        penalty with stable graphs in subsamples [3]_, "cv" the least error in ten folds and "cv-1se" the
        largest penalty within one standard error of it.
    alpha : float, default 0.05
        The level of "theory".
    rule : {"and", "or"}, default "and"
        Whether two columns must choose each other, or one choice is enough.
    l1_share : float, default 1.0
        The share of the penalty that is absolute; the rest is a squared one, as in the elastic net.
    adaptive : bool, default False
        Whether to fit twice, the second time penalising each column by the inverse of its first
        coefficient [4]_.
    one_penalty : bool, default False
        Whether all nodes share a penalty where the rule would find one for each ("ebic", "cv").
    n_penalties : int, default 30
        How many penalties the path has, for the rules that follow one.
    smallest_share : float, default 0.05
        The smallest penalty of the path, as a share of the one at which no column has a neighbour.
    knowledge : Knowledge or None, default None
        Edges that may not be there, forbidden in both directions.
    n_jobs : int or None, default None
        How many threads share the nodes; -1 for all.
    random_state : int or None, default None
        The seed of folds and subsamples.
    time_limit : float or None, default None
        Seconds after which the graph of the regressions done so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

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
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

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

    only: ClassVar[Kind] = "continuous"
    gamma: ClassVar[float] = 0.5
    rules: ClassVar[Rules] = {
        **NodewiseLearner.rules,
        "alpha": ALPHA,
        "l1_share": Between(1e-3, 1, "the share of the penalty that is absolute"),
    }

    def __init__(
        self,
        *,
        penalty: PenaltyRule | float = "theory",
        alpha: float = 0.05,
        rule: Literal["and", "or"] = "and",
        l1_share: float = 1.0,
        adaptive: bool = False,
        one_penalty: bool = False,
        n_penalties: int = 30,
        smallest_share: float = 0.05,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.rule = rule
        self.l1_share = l1_share
        self.adaptive = adaptive
        self.one_penalty = one_penalty
        self.n_penalties = n_penalties
        self.smallest_share = smallest_share
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _table(self, statistics: Statistics, weights: NDArray[np.float64]) -> GaussianTable:
        return GaussianTable(statistics, weights, l1_share=float(self.l1_share))

    def _theory_penalty(self, statistics: Statistics) -> float:
        return component_penalty(statistics.size, len(statistics.names), self.alpha) / 2.0

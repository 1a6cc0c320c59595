"""A Gaussian graphical model from ordered regressions under a hierarchical prior."""

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.learners.base import Learner
from structlearn.learners.regression.ordered.column_orders import (
    Order,
    explained_last,
    given_order,
    random_orders,
)
from structlearn.learners.regression.ordered.estimates import (
    OrderEstimate,
    best_point,
    drawn,
    estimate_by_draws,
    estimate_by_mode,
    follow_penalties,
)
from structlearn.learners.regression.ordered.fits import OrderProblem
from structlearn.learners.regression.ordered.outcome import MeanEstimate, outcome_of, refitted
from structlearn.learners.regression.penalties.path import penalty_path
from structlearn.learners.regression.precision.covariances import scaled
from structlearn.numerics.blas_threads import threads_for
from structlearn.options import Above, Between, Either, Flag, Instance, OneOf, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]


class RegressionDAGGaussian(Learner):
    """Join columns by the precision matrix of sparse regressions, each on the columns before it.

    Parameters
    ----------
    order : {"explained-last", "random"} or list of str, default "explained-last"
        What comes before what: from the end on, the column that the others left explain best; the mean
        over random orders; or the names, each regressed on those before it.
    n_orders : int, default 10
        How many random orders there are.
    mode : {"map", "jeffreys", "gibbs"}, default "map"
        The most probable regressions; those under a prior without a penalty [2]_; or the mean over
        draws from the posterior.
    penalty : float or "ebic", default "ebic"
        The λ of the prior of coefficients; by default what minimises the extended BIC of the
        regressions, without shrinkage, on the columns that it chooses.
    degrees : float, default 3.0
        The prior's degrees of freedom, δ.
    scale : float, default 1.0
        The prior's scale θ₀, for columns of variance 1.
    gamma : float, default 0.5
        For "ebic": how much many columns count against coefficients; 0 is the BIC.
    n_penalties : int, default 30
        The number of penalties to try, from the smallest that leaves no coefficient downwards.
    smallest_share : float, default 1e-4
        The last of them as a share of the first.
    threshold : float, default 0.1
        Partial correlations up to this size are no edges: a common child makes small ones of its parents'.
    min_probability : float, default 0.5
        For "gibbs": how probable it must be that a partial correlation is larger than `threshold`.
    refit : bool, default False
        Whether `precision_` is then fitted to the edges by maximum likelihood; without, shrinkage and
        entries below the threshold remain.
    n_samples : int, default 1000
        For "gibbs": how many draws to take.
    burn_in : int, default 200
        For "gibbs": how many draws to leave out before.
    keep_samples : bool, default False
        For "gibbs": whether to keep the precision matrix of each draw.
    knowledge : Knowledge or None, default None
        Edges that may not be there, in both directions.
    random_state : int or None, default None
        Reproduces orders and draws.
    time_limit : float or None, default None
        Seconds after which the graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        An undirected graph; weights are partial correlations, confidences (of "gibbs") probabilities.
    precision_ : array
        The precision matrix of the standardised columns, in the order of `graph_.nodes`.
    coefficients_ : array
        The regressions: row i has the effects on column i. For random orders, of the last of them.
    order_ : tuple of str
        The order: each column is regressed on those before it. For random orders, the last of them.
    penalty_ : float
        The penalty λ that was used; not for "jeffreys".
    samples_ : array of shape (n_samples, p, p)
        The precision matrices that were drawn, where they were to be kept.
    evidence_ : dict
        The partial correlation of each edge, and its probability where it is known.
    trace_ : dict of arrays
        Penalty by penalty: "penalty", "coefficients" (how many are not zero) and "criterion".
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    Each regression is a lasso whose penalty √(λψ) follows its noise variance ψ, found together with
    it [1]_. No order is privileged, and sparse regressions do not make a sparse precision matrix:
    common children join their parents. Columns are standardised, as the prior is not scale free. A mode
    costs p lassos, a draw p Cholesky factors.

    References
    ----------
    .. [1] Li and Yang (2005), Using modified lasso regression to learn large undirected graphs in a
       probabilistic framework, AAAI 20; Li, Yang and Xing (2005), Inferring regulatory networks using
       a hierarchical Bayesian graphical Gaussian model, Carnegie Mellon University CMU-ML-05-117.
    .. [2] Figueiredo (2003), Adaptive sparseness for supervised learning, IEEE Transactions on Pattern
       Analysis and Machine Intelligence 25.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rows = np.random.default_rng(0).normal(size=(300, 4))
    >>> rows[:, 1] += rows[:, 0]
    >>> sl.RegressionDAGGaussian().fit(rows).graph_.undirected
    (('x0', 'x1'),)
    """

    only: ClassVar[Kind] = "continuous"
    weight_means = "weight"
    rules: ClassVar[Rules] = {
        "order": Either(
            (OneOf(("explained-last", "random"), ""), Instance(list, ""), Instance(tuple, "")),
            "what comes before what",
        ),
        "n_orders": Whole(1, "how many random orders there are"),
        "mode": OneOf(("map", "jeffreys", "gibbs"), "what to take of the posterior"),
        "penalty": Either((Above(0, ""), OneOf(("ebic",), "")), "the λ of the prior of coefficients"),
        "degrees": Above(0, "the prior's degrees of freedom"),
        "scale": Above(0, "the prior's scale"),
        "gamma": Between(0, 1, "how much many columns count against coefficients"),
        "n_penalties": Whole(1, "how many penalties to try"),
        "smallest_share": Between(0, 1, "the last penalty as a share of the first"),
        "threshold": Between(0, 1, "the largest partial correlation that is no edge"),
        "min_probability": Between(0, 1, "how probable an edge must be"),
        "refit": Flag("whether the precision matrix is fitted to the edges"),
        "n_samples": Whole(1, "how many draws to take"),
        "burn_in": Whole(0, "how many draws to leave out before"),
        "keep_samples": Flag("whether to keep the precision matrix of each draw"),
    }

    def __init__(
        self,
        *,
        order: Literal["explained-last", "random"] | Sequence[str] = "explained-last",
        n_orders: int = 10,
        mode: Literal["map", "jeffreys", "gibbs"] = "map",
        penalty: float | Literal["ebic"] = "ebic",
        degrees: float = 3.0,
        scale: float = 1.0,
        gamma: float = 0.5,
        n_penalties: int = 30,
        smallest_share: float = 1e-4,
        threshold: float = 0.1,
        min_probability: float = 0.5,
        refit: bool = False,
        n_samples: int = 1000,
        burn_in: int = 200,
        keep_samples: bool = False,
        knowledge: Knowledge | None = None,
        random_state: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.order = order
        self.n_orders = n_orders
        self.mode = mode
        self.penalty = penalty
        self.degrees = degrees
        self.scale = scale
        self.gamma = gamma
        self.n_penalties = n_penalties
        self.smallest_share = smallest_share
        self.threshold = threshold
        self.min_probability = min_probability
        self.refit = refit
        self.n_samples = n_samples
        self.burn_in = burn_in
        self.keep_samples = keep_samples
        self.knowledge = knowledge
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        correlation = scaled(statistics.moments().covariance, standardise=True)
        is_forbidden = forbidden_pairs("RegressionDAGGaussian", names, knowledge)
        generator = np.random.default_rng(self.random_state)
        estimates: list[OrderEstimate] = []
        with threads_for(len(names)):
            for order in self._orders(names, correlation, statistics.size, generator):
                problem = OrderProblem(
                    correlation,
                    order,
                    is_forbidden,
                    n_rows=statistics.size,
                    degrees=self.degrees,
                    scale=self.scale,
                    must_stop=run.must_stop,
                )
                estimates.append(self._estimate(problem, generator, run))
                if run.must_stop():
                    break
            mean = MeanEstimate.of(estimates)
            is_edge = mean.edges(threshold=self.threshold, min_probability=self.min_probability)
            is_edge &= ~is_forbidden
            precision = mean.precision
            if self.refit:
                precision = refitted(correlation, is_edge, precision)
        return outcome_of(names, mean.evidence(names, is_edge), precision, estimates, run.status)

    def _orders(
        self, names: tuple[str, ...], correlation: Floats, size: float, generator: np.random.Generator
    ) -> list[Order]:
        if self.order == "explained-last":
            return [explained_last(correlation, size)]
        if self.order == "random":
            return random_orders(len(names), self.n_orders, generator)
        return [given_order("RegressionDAGGaussian", names, self.order)]

    def _estimate(self, problem: OrderProblem, generator: np.random.Generator, run: Run) -> OrderEstimate:
        if self.mode == "jeffreys":
            return estimate_by_mode(problem, problem.adaptive(), [], None)
        path = follow_penalties(problem, self._penalties(problem), gamma=self.gamma, run=run)
        chosen = best_point(path)
        if self.mode == "map":
            return estimate_by_mode(problem, chosen.fit, path, chosen.penalty)
        draws = drawn(problem, chosen.penalty, generator, burn_in=self.burn_in, n_samples=self.n_samples)
        return estimate_by_draws(
            problem, path, draws, threshold=self.threshold, keep=self.keep_samples, run=run
        )

    def _penalties(self, problem: OrderProblem) -> Floats:
        if self.penalty != "ebic":
            return np.array([float(self.penalty)])
        return penalty_path(
            problem.largest_penalty(), n_penalties=self.n_penalties, smallest_share=self.smallest_share
        )

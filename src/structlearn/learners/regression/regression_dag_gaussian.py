"""A Gaussian graphical model from ordered regressions under a hierarchical prior."""

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Timed
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
from structlearn.learners.regression.penalties.options import CountsColumns, FollowsPath
from structlearn.learners.regression.penalties.path import penalty_path
from structlearn.learners.regression.precision.covariances import scaled
from structlearn.numerics.blas_threads import threads_for
from structlearn.options import Above, Between, Either, Flag, Instance, OneOf, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]
Mode = Literal["map", "jeffreys", "gibbs"]


class RegressionDAGGaussian(CountsColumns, FollowsPath, InformedOfPairs, Seeded, Timed, Learner):
    """Join columns by the precision matrix of sparse regressions, each on the columns before it.

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

    order: Literal["explained-last", "random"] | Sequence[str] = option(
        Either((OneOf(("explained-last", "random")), Instance(list), Instance(tuple))),
        "What comes before what. From the end on, the column that the others left explain best; the mean "
        "over random orders; or the names, each regressed on those before it.",
        default="explained-last",
    )
    n_orders: int = option(Whole(1), "How many random orders there are.", default=10)
    mode: Mode = option(
        one_of(Mode),
        "What to take of the posterior. The most probable regressions; those under a prior without a "
        "penalty [2]_; or the mean over draws.",
        default="map",
    )
    penalty: float | Literal["ebic"] = option(
        Either((Above(0), OneOf(("ebic",)))),
        "The λ of the prior of coefficients. By default what minimises the extended BIC of the regressions,"
        " without shrinkage, on the columns that it chooses.",
        default="ebic",
    )
    degrees: float = option(Above(0), "The prior's degrees of freedom, δ.", default=3.0)
    scale: float = option(Above(0), "The prior's scale θ₀, for columns of variance 1.", default=1.0)
    threshold: float = option(
        Between(0, 1),
        "The largest partial correlation that is no edge. A common child makes small ones of its parents'.",
        default=0.1,
    )
    min_probability: float = option(
        Between(0, 1),
        'How probable an edge must be, for "gibbs". That is, a partial correlation larger than `threshold`.',
        default=0.5,
    )
    refit: bool = option(
        Flag(),
        "Whether `precision_` is then fitted to the edges by maximum likelihood. Without, shrinkage and "
        "entries below the threshold remain.",
        default=False,
    )
    n_samples: int = option(Whole(1), 'How many draws to take, for "gibbs".', default=1000)
    burn_in: int = option(Whole(0), 'How many draws to leave out before, for "gibbs".', default=200)
    keep_samples: bool = option(
        Flag(), 'Whether to keep the precision matrix of each draw, for "gibbs".', default=False
    )
    smallest_share = 1e-4

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
                precision = refitted(correlation, is_edge, precision, run)
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

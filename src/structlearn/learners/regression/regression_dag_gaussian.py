"""A Gaussian graphical model from ordered regressions under a hierarchical prior."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Timed
from structlearn.learners.regression.ordered.estimates import OrderEstimate
from structlearn.learners.regression.ordered.fits import OrderProblem
from structlearn.learners.regression.ordered.options import InOrders
from structlearn.learners.regression.ordered.outcome import MeanEstimate, outcome_of, refitted
from structlearn.learners.regression.ordered.posterior import PosteriorOfRegressions
from structlearn.learners.regression.ordered.prices import price_of_coefficient
from structlearn.learners.regression.precision.covariances import scaled
from structlearn.numerics.blas_threads import threads_for
from structlearn.options import Between, Flag, option, result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class RegressionDAGGaussian(InOrders, PosteriorOfRegressions, InformedOfPairs, Seeded, Timed, Learner):
    """Join columns by the precision matrix of sparse regressions, each on the columns before it."""

    only: ClassVar[Kind] = "continuous"
    needs_full_rank = False
    weight_means = "weight"

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
    precision_: NDArray[np.float64] = result()
    coefficients_: NDArray[np.float64] = result()
    order_: tuple[str, ...] = result()
    penalty_: float = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        correlation = scaled(statistics.moments().covariance, standardise=True)
        is_forbidden = forbidden_pairs("RegressionDAGGaussian", names, knowledge)
        generator = np.random.default_rng(self.random_state)
        price = price_of_coefficient(statistics, self.gamma, run, chooses=self.penalty == "ebic")
        estimates: list[OrderEstimate] = []
        with threads_for(len(names)):
            for order in self._orders(names, correlation, statistics.size, generator, run.must_stop):
                problem = OrderProblem(
                    correlation,
                    order,
                    is_forbidden,
                    n_rows=statistics.size,
                    price=price,
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

    details: ClassVar[str] = """
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

"""The graphical lasso: a sparse precision matrix by penalised likelihood."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np

from structlearn.certificates import about, sparse_precision
from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.learners.certified import Certified
from structlearn.learners.regression.penalties.options import KeepsLevel
from structlearn.learners.regression.penalties.path import warn_of_the_end
from structlearn.learners.regression.penalties.theory import level_penalty
from structlearn.learners.regression.precision.covariances import Values, scaled
from structlearn.learners.regression.precision.learner import Criterion, PrecisionLearner
from structlearn.learners.regression.precision.outcome import outcome_of
from structlearn.learners.regression.precision.path import PenaltyRule, follow_path
from structlearn.numerics.precision.penalised_likelihood import Matrix
from structlearn.options import Between, Either, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run, Status
from structlearn.statistics import Statistics
from structlearn.statistics.units import refuse_other_units


class GraphicalLasso(Certified, KeepsLevel, PrecisionLearner):
    """Join the columns whose precision is not zero where the penalised likelihood is largest."""

    penalty: float | Criterion = option(
        Either((Between(0, float("inf")), one_of(Criterion))),
        "What an absolute unit of precision costs, or how to choose it. It is ρ below; chosen by the "
        "extended BIC, by stability under subsampling, by cross-validation (the best penalty, or the "
        "largest within a standard error of it; both join too many columns), or by the rule of [1]_ at "
        "level `alpha`.",
        default="ebic",
    )
    smallest_share = 0.02

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        if not self.standardise:
            refuse_other_units("GraphicalLasso", statistics, "without standardise the units matter")
        covariance = scaled(statistics.moments().covariance, standardise=self.standardise)
        rule = self._rule(statistics.names, knowledge, run)
        penalties = self._penalties(statistics, covariance, rule)
        judge = self._judge(statistics, covariance, rule, len(penalties))
        points = follow_path(rule, covariance, penalties, judge, run)
        places = judge.chooser.choice().places
        chosen = points[places[0]]
        if run.status is Status.COMPLETE:
            warn_of_the_end(run, places, len(penalties))
        status = self._status(chosen, run)
        outcome = outcome_of(statistics.names, points, chosen, status)
        claims = partial(
            sparse_precision.content,
            about(statistics, self.missing),
            covariance,
            rule.weights,
            chosen.precision,
            penalty=chosen.penalty,
            standardise=self.standardise,
        )
        return replace(outcome, claims=claims)

    def _penalties(self, statistics: Statistics, covariance: Matrix, rule: PenaltyRule) -> Values:
        if self.penalty == "theory":
            return np.array([level_penalty(covariance, statistics.size, self.alpha)])
        if isinstance(self.penalty, str):
            return self._path_from(rule.largest_penalty(covariance))
        if self.penalty == 0.0 and not rule.may_do_without(covariance):
            raise DataError(
                f"GraphicalLasso(penalty=0, solver={self.solver!r}): without a penalty the table must have "
                f"more rows than columns, not {statistics.n_rows} and {len(covariance)}, none of them a "
                "linear combination of others, and the solver must not be 'nesterov'. Give a penalty above 0."
            )
        return np.array([float(self.penalty)])

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; weights are partial correlations.
    precision_ : array
        The precision matrix of the standardised columns (of the columns without `standardise`), with exact
        zeros, in the order of `graph_.nodes`. A constant column has 1, and zeros beside it.
    penalty_ : float
        The penalty ρ that was used.
    gap_ : float
        The duality gap: how far the penalised likelihood below can be from its best.
    objective_ : float
        What was minimised, at its minimum.
    path_ : tuple of PathPoint
        Each penalty that was tried: its `precision` (a sparse matrix), `objective`, `gap` and `criterion`.
    evidence_ : dict
        The partial correlation of each edge.
    trace_ : dict of arrays
        Penalty by penalty: "penalty", "edges", "criterion", "steps" and "gap".

    Notes
    -----
    Minimises -log det X + tr(S X) + ρ Σ|X_ij| over precision matrices X, where S has divisor n and the sum
    is over pairs i ≠ j, each twice, unless the diagonal is penalised. Columns that no covariance
    above ρ connects are solved alone, trees in closed form [3]_. A Newton step costs O(p³) and
    O(p) for each non-zero entry; the path starts each penalty where the last one ended.

    References
    ----------
    .. [1] Banerjee, El Ghaoui and d'Aspremont (2008), Model selection through sparse maximum likelihood
       estimation for multivariate Gaussian or binary data, Journal of Machine Learning Research 9.
    .. [2] Hsieh, Sustik, Dhillon and Ravikumar (2014), QUIC: quadratic approximation for sparse inverse
       covariance estimation, Journal of Machine Learning Research 15.
    .. [3] Mazumder and Hastie (2012), Exact covariance thresholding into connected components for
       large-scale graphical lasso, Journal of Machine Learning Research 13.
    .. [4] Foygel and Drton (2010), Extended Bayesian information criteria for Gaussian graphical models,
       Advances in Neural Information Processing Systems 23.
    .. [5] Liu, Roeder and Wasserman (2010), Stability approach to regularization selection (StARS) for
       high dimensional graphical models, Advances in Neural Information Processing Systems 23.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rows = np.random.default_rng(0).normal(size=(200, 4))
    >>> rows[:, 1] += rows[:, 0]
    >>> learner = sl.GraphicalLasso(penalty=0.3).fit(rows)
    >>> learner.graph_.undirected, learner.gap_ < 1e-7
    ((('x0', 'x1'),), True)
    """

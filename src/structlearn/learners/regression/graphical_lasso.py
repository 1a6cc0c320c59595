"""The graphical lasso: a sparse precision matrix by penalised likelihood."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.errors import DataError
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Threaded, Timed
from structlearn.learners.regression.penalties.options import CountsColumns, FollowsPath, KeepsLevel
from structlearn.learners.regression.penalties.path import penalty_path, warn_of_the_end
from structlearn.learners.regression.penalties.theory import level_penalty
from structlearn.learners.regression.precision.covariances import Values, scaled
from structlearn.learners.regression.precision.judges import (
    CrossValidation,
    ExtendedBIC,
    GivenPenalty,
    PartsOfRows,
    Stability,
)
from structlearn.learners.regression.precision.outcome import outcome_of
from structlearn.learners.regression.precision.pair_weights import pair_weights
from structlearn.learners.regression.precision.path import (
    Judge,
    PenaltyRule,
    follow_path,
)
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.precision.penalised_likelihood import Matrix, factor_of
from structlearn.numerics.sparse_precision import Solver
from structlearn.options import Above, Between, Either, Flag, Instance, OrNone, one_of, option
from structlearn.outcome import Outcome, Pair
from structlearn.run import Run, Status
from structlearn.statistics import Statistics, rows_of

Criterion = Literal["ebic", "stars", "cv", "cv-1se", "theory"]
FEWEST_ROWS = 3  # for "theory", whose t distribution has n − 2 degrees of freedom


class GraphicalLasso(
    KeepsLevel, CountsColumns, FollowsPath, InformedOfPairs, Threaded, Seeded, Timed, Learner
):
    """Join the columns whose precision is not zero where the penalised likelihood is largest.

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
        Each penalty that was tried, with its `precision` (a sparse matrix), `gap` and `criterion`.
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

    only: ClassVar[Kind] = "continuous"
    weight_means = "weight"

    penalty: float | Criterion = option(
        Either((Between(0, float("inf")), one_of(Criterion))),
        "What an absolute unit of precision costs, or how to choose it. It is ρ below; chosen by the "
        "extended BIC, by stability under subsampling, by cross-validation (the best penalty, or the "
        "largest within a standard error of it; both join too many columns), or by the rule of [1]_ at "
        "level `alpha`.",
        default="ebic",
    )
    solver: Solver = option(
        one_of(Solver),
        "How to maximise the penalised likelihood. Second order on the entries that are free to move [2]_; "
        "or, as in [1]_, column by column, or a smooth first-order method, whose answer a few second-order "
        "steps make sparse. All find the same matrix; the last is for small tables.",
        default="newton",
    )
    penalise_diagonal: bool = option(
        Flag(), "Whether entries of the diagonal are penalised too.", default=False
    )
    standardise: bool = option(
        Flag(),
        "Whether covariances are those of columns with variance 1. Then a penalty of 1 leaves no edge.",
        default=True,
    )
    weights: Mapping[Pair, float] | None = option(
        OrNone(Instance(Mapping), "1 for all"),
        "What the penalty is multiplied with for some pairs. 0 leaves a pair free, infinity forbids it.",
        default=None,
    )
    refit: bool = option(
        Flag(),
        'Whether likelihoods are those without shrinkage, for "ebic". Without it denser graphs win.',
        default=True,
    )
    tolerance: float = option(Above(0), "The duality gap to reach, for each column.", default=1e-8)
    smallest_share = 0.02

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        covariance = scaled(statistics.moments().covariance, standardise=self.standardise)
        weights = pair_weights(
            statistics.names,
            self.weights,
            knowledge,
            solver=self.solver,
            diagonal=float(self.penalise_diagonal),
        )
        rule = PenaltyRule(weights, self.solver, self.tolerance, run.must_stop)
        penalties = self._penalties(statistics, covariance, rule)
        judge = self._judge(statistics, covariance, rule, len(penalties))

        def show(n_done: int) -> None:
            run.show(f"penalty {penalties[n_done]:.3g}", n_done, len(penalties))

        with threads_for(len(covariance)):
            points = follow_path(rule, covariance, penalties, judge, show)
        places = judge.chooser.choice().places
        chosen = points[places[0]]
        if run.status is Status.COMPLETE:
            warn_of_the_end(run, places, len(penalties))
            self._warn_of_a_gap(chosen.gap, len(covariance), run)
        return outcome_of(statistics.names, covariance, rule, points, chosen, run.status)

    def _penalties(self, statistics: Statistics, covariance: Matrix, rule: PenaltyRule) -> Values:
        if self.penalty == "theory":
            if statistics.n_rows < FEWEST_ROWS:
                raise DataError(
                    f"GraphicalLasso(penalty='theory'): {statistics.n_rows} rows are too few; it takes "
                    f"{FEWEST_ROWS}."
                )
            return np.array([level_penalty(covariance, statistics.n_rows, self.alpha)])
        if isinstance(self.penalty, str):
            return penalty_path(
                rule.largest_penalty(covariance),
                n_penalties=self.n_penalties,
                smallest_share=self.smallest_share,
            )
        if self.penalty == 0.0 and (self.solver == "nesterov" or factor_of(covariance) is None):
            raise DataError(
                f"GraphicalLasso(penalty=0, solver={self.solver!r}): without a penalty the table must have "
                f"more rows than columns, not {statistics.n_rows} and {len(covariance)}, and the solver must "
                "not be 'nesterov'. Give a penalty above 0."
            )
        return np.array([float(self.penalty)])

    def _judge(
        self, statistics: Statistics, covariance: Matrix, rule: PenaltyRule, n_penalties: int
    ) -> Judge:
        if self.penalty == "ebic":
            return ExtendedBIC(
                covariance,
                n_penalties,
                size=statistics.size,
                gamma=self.gamma,
                refit=self.refit,
                must_stop=rule.must_stop,
            )
        if self.penalty not in {"stars", "cv", "cv-1se"}:
            return GivenPenalty()
        rows = rows_of(f"GraphicalLasso(penalty={self.penalty!r})", statistics, range(len(statistics.names)))
        if rows.weights is not None:
            raise DataError(f"GraphicalLasso(penalty={self.penalty!r}) takes no case weights. Use 'ebic'.")
        table = PartsOfRows(
            rows.values,
            rule,
            standardise=self.standardise,
            generator=np.random.default_rng(self.random_state),
            n_jobs=self.n_jobs or 1,
        )
        if self.penalty == "stars":
            return Stability(table, n_penalties)
        return CrossValidation(table, n_penalties, one_standard_error=self.penalty == "cv-1se")

    def _warn_of_a_gap(self, gap: float, n_columns: int, run: Run) -> None:
        if gap > 10.0 * self.tolerance * n_columns:
            run.warn(
                f"the solver ended at a duality gap of {gap:.3g}. Take a larger penalty, or free fewer pairs "
                "with weights."
            )

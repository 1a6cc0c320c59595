"""The graphical lasso: a sparse precision matrix by penalised likelihood."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.errors import DataError, DataWarning
from structlearn.learners.base import ALPHA, Learner
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
from structlearn.learners.table_order import in_table_order
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.precision.penalised_likelihood import Matrix, factor_of
from structlearn.numerics.sparse_precision import Solver
from structlearn.options import Above, Between, Either, Flag, Instance, OneOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome, Pair
from structlearn.run import Run, Status
from structlearn.statistics import Statistics

Criterion = Literal["ebic", "stars", "cv", "cv-1se", "theory"]
CRITERIA = ("ebic", "stars", "cv", "cv-1se", "theory")
FEWEST_ROWS = 3  # for "theory", whose t distribution has n − 2 degrees of freedom


class GraphicalLasso(Learner):
    """Join the columns whose precision is not zero where the penalised likelihood is largest.

    Parameters
    ----------
    penalty : float or {"ebic", "stars", "cv", "cv-1se", "theory"}, default "ebic"
        What an absolute unit of precision costs, ρ below; or how to choose it: by the extended BIC,
        by stability under subsampling, by cross-validation (the best penalty, or the largest within a
        standard error of it; both join too many columns), or by the rule of [1]_ at level `alpha`.
    solver : {"newton", "block", "nesterov"}, default "newton"
        Second order on the entries that are free to move [2]_; or, as in [1]_, column by column, or a
        smooth first-order method, whose answer a few second-order steps make sparse. All find the
        same matrix; the last is for small tables.
    penalise_diagonal : bool, default False
        Whether entries of the diagonal are penalised too.
    standardise : bool, default True
        Whether covariances are those of columns with variance 1: then a penalty of 1 leaves no edge.
    weights : mapping of (str, str) to float, or None, default None
        What the penalty is multiplied with for some pairs: 0 leaves a pair free, infinity forbids it.
    alpha : float, default 0.05
        For "theory": the probability of joining two unconnected parts of the truth is at most this.
    gamma : float, default 0.5
        For "ebic": how much many columns count against edges; 0 is the BIC.
    refit : bool, default True
        For "ebic": whether likelihoods are those without shrinkage. Without it denser graphs win.
    n_penalties : int, default 30
        The number of penalties to try, from the smallest that leaves no edge downwards.
    smallest_share : float, default 0.02
        The last of them as a share of the first. A path ends before where it has seen enough.
    tolerance : float, default 1e-8
        The duality gap to reach, for each column.
    knowledge : Knowledge or None, default None
        Edges that may not be there, in both directions.
    n_jobs : int or None, default None
        How many threads share subsamples and folds; -1 for all.
    random_state : int or None, default None
        Reproduces subsamples and folds.
    time_limit : float or None, default None
        Seconds after which the graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

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
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

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
    rules: ClassVar[Rules] = {
        "penalty": Either(
            (Between(0, float("inf"), ""), OneOf(CRITERIA, "")),
            "what an absolute unit of precision costs, or how to choose that",
        ),
        "solver": OneOf(("newton", "block", "nesterov"), "how to maximise the penalised likelihood"),
        "penalise_diagonal": Flag("whether entries of the diagonal are penalised too"),
        "standardise": Flag("whether columns get variance 1"),
        "weights": OrNone(Instance(Mapping, "what multiplies the penalty of some pairs"), "1 for all"),
        "alpha": ALPHA,
        "gamma": Between(0, 1, "how much many columns count against edges"),
        "refit": Flag("whether likelihoods are those without shrinkage"),
        "n_penalties": Whole(1, "how many penalties to try"),
        "smallest_share": Between(0, 1, "the last penalty as a share of the first"),
        "tolerance": Above(0, "the duality gap to reach, for each column"),
    }

    def __init__(
        self,
        *,
        penalty: float | Criterion = "ebic",
        solver: Solver = "newton",
        penalise_diagonal: bool = False,
        standardise: bool = True,
        weights: Mapping[Pair, float] | None = None,
        alpha: float = 0.05,
        gamma: float = 0.5,
        refit: bool = True,
        n_penalties: int = 30,
        smallest_share: float = 0.02,
        tolerance: float = 1e-8,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.penalty = penalty
        self.solver = solver
        self.penalise_diagonal = penalise_diagonal
        self.standardise = standardise
        self.weights = weights
        self.alpha = alpha
        self.gamma = gamma
        self.refit = refit
        self.n_penalties = n_penalties
        self.smallest_share = smallest_share
        self.tolerance = tolerance
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

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
            warn_of_the_end("GraphicalLasso", places, len(penalties))
            self._warn_of_a_gap(chosen.gap, len(covariance))
        return outcome_of(statistics.names, covariance, rule, points, chosen, run.status)

    def _publish(self, outcome: Outcome, names: tuple[str, ...], knowledge: Knowledge) -> None:
        points = outcome.extra["path"]
        path = tuple(replace(point, precision=in_table_order(point.precision, names)) for point in points)
        extra = {**outcome.extra, "path": path}
        super()._publish(replace(outcome, extra=extra), names, knowledge)

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
        rows = statistics.rows(range(len(statistics.names)))
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

    def _warn_of_a_gap(self, gap: float, n_columns: int) -> None:
        if gap > 10.0 * self.tolerance * n_columns:
            warnings.warn(
                f"GraphicalLasso: the solver ended at a duality gap of {gap:.3g}. Take a larger penalty, or "
                "free fewer pairs with weights.",
                DataWarning,
                stacklevel=4,
            )

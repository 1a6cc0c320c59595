"""Sparse log-linear Markov random fields."""

from math import prod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge, Label
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import OptionError
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Timed
from structlearn.learners.regression.log_linear.conjunctions import Conjunctions
from structlearn.learners.regression.log_linear.feature_induction import FeatureInduction, Induction
from structlearn.learners.regression.log_linear.outcome import State, outcome_of
from structlearn.learners.regression.log_linear.path import largest_penalty, predictive_penalty
from structlearn.learners.regression.penalties.options import FollowsPath, KeepsLevel
from structlearn.learners.regression.penalties.path import penalty_path, warn_of_the_end
from structlearn.learners.regression.penalties.theory import slope_penalty
from structlearn.numerics.junction_tree import TooWideError
from structlearn.numerics.log_linear.bethe_likelihood import BetheLikelihood, RestlessMessagesError
from structlearn.numerics.log_linear.exact_likelihood import ExactLikelihood
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.numerics.log_linear.pseudo_likelihood import PseudoLikelihood
from structlearn.numerics.sparse_optimum import LikelihoodOf
from structlearn.options import Above, Either, Flag, OneOf, OrNone, Whole, one_of, option, result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics

Objective = Literal["exact", "loopy", "pseudo"]

LIKELIHOODS: dict[Objective, LikelihoodOf] = {
    "exact": ExactLikelihood,
    "loopy": BetheLikelihood,
    "pseudo": PseudoLikelihood,
}
MOST_STATES = 2**10  # up to here exact inference is quick whatever the graph


class LogLinearMRF(KeepsLevel, FollowsPath, InformedOfPairs, Seeded, Timed, Learner):
    """Find the few conjunctions of states that a log-linear model of discrete columns needs.

    Attributes
    ----------
    graph_ : Graph
        An undirected graph: an edge joins columns that share a feature. Its weight is that of the
        feature, or the root of the sum of squares of several.
    features_ : dict
        The weight of each feature; a feature is a tuple of (column, label). The first label
        of a column, the one that has no features, is the one others are compared with.
    labels_ : dict
        The labels of each column that some row has. `MarkovNetwork(graph_, features=features_,
        labels=labels_)` is the model.
    score_ : float
        The log-likelihood, or what stands for it, of all rows less the penalty.
    objective_ : str
        What was maximised.
    penalty_ : float
        The penalty.
    path_ : dict of arrays
        For each penalty of "cv" the "penalty", the "n_features" of two columns or more on all
        rows, and the "criterion": the mean of minus the objective per held-out row.
    kkt_residual_ : float
        How far the conditions of an optimum are from true, per row, at the worst of all features and
        candidates: 0 at the optimum.
    evidence_ : dict
        The weight of each edge.
    trace_ : dict of arrays
        Feature by feature: its name, its "slope" and "gain" before it came in, over all rows, the
        "score" and "n_features" after.

    Notes
    -----
    The model is P(x) ∝ exp Σ w·f(x), with features f that are 1 where some columns are in
    given states and 0 elsewhere. The penalty puts most weights at exactly 0 [1]_; a candidate
    comes in when the slope of the objective by its weight is above the penalty [2]_, or when it
    gains anything by itself [3]_. The objective is concave (the approximation need not be), so that where no
    candidate helps any more the optimum is found. Where the messages of belief
    propagation do not settle, the pseudo-likelihood is maximised instead, with a warning.

    References
    ----------
    .. [1] Lee, Ganapathi and Koller (2006), Efficient structure learning of Markov networks using
       L1-regularization, NIPS.
    .. [2] Perkins, Lacker and Theiler (2003), Grafting: fast, incremental feature selection by
       gradient descent in function space, JMLR 3.
    .. [3] Della Pietra, Della Pietra and Lafferty (1997), Inducing features of random fields, IEEE
       Transactions on Pattern Analysis and Machine Intelligence 19.
    .. [4] Zou (2006), The adaptive lasso and its oracle properties, Journal of the American
       Statistical Association 101.

    Examples
    --------
    A parity: no two of the three columns depend on each other.

    >>> import numpy as np
    >>> import structlearn as sl
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 500))
    >>> table = {"a": a, "b": b, "parity": a ^ b}
    >>> print(sl.LogLinearMRF(max_order=3).fit(table).graph_)
    Graph with 3 nodes and 3 edges
      a — b
      a — parity
      b — parity
    """

    weight_means = "weight"
    only: ClassVar[Kind | None] = "discrete"
    features_: dict[tuple[State, ...], float] = result()
    labels_: dict[str, tuple[Label, ...]] = result()

    objective: Objective | None = option(
        OrNone(one_of(Objective), "by the number of states"),
        "What to maximise. The likelihood, its approximation by loopy belief propagation, or the "
        "pseudo-likelihood. By default the likelihood where all columns together have no more than 1024 "
        "states, otherwise the pseudo-likelihood.",
        default=None,
    )
    induction: Induction = option(
        one_of(Induction),
        "How features come in. That of steepest slope, or that of largest gain, until none helps; or all at"
        " once. The optimum is the same.",
        default="grafting",
    )
    candidates: Literal["all", "grown"] = option(
        OneOf(("all", "grown")),
        "Which features may come in. Every conjunction of up to `max_order` columns, so that three columns "
        "of which no two depend on each other are found too; or every pair, and every feature already there"
        " with one more column.",
        default="all",
    )
    max_order: int = option(Whole(1), "The most columns of a feature.", default=2)
    at_once: int = option(
        Whole(1),
        "How many features to add at a time, the best of those that help. What turns out not to be needed "
        "leaves again.",
        default=10,
    )
    penalty: Literal["theory", "cv"] | float = option(
        Either((OneOf(("theory", "cv")), Above(0))),
        "The price of a unit of weight, or how to find it. It is paid against the log-likelihood of all "
        'rows, for features of two columns or more. "theory" is √n / 4 times the normal quantile at which, '
        "were all columns independent, any of the candidates would come in with a probability of about "
        '`alpha` at most; twice that for the pseudo-likelihood, which counts each pair twice. "cv" predicts'
        " best in five folds, by the objective; it finds more edges than there are.",
        default="theory",
    )
    adaptive: bool = option(
        Flag(),
        "Whether to fit the features found once more, with adaptive penalties. Each is then penalised by "
        "the inverse of its weight [4]_. Without it, strong dependence along a path leaves weak edges "
        "between its ends.",
        default=True,
    )
    n_penalties = 20
    smallest_share = 0.02

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        forbidden = forbidden_pairs("LogLinearMRF", names, knowledge)
        indicators = Indicators.of(statistics)
        conjunctions = Conjunctions(indicators, forbidden, max_order=self.max_order)
        objective = self.objective or _affordable(indicators)
        try:
            return self._maximised(objective, statistics, indicators, conjunctions, run)
        except TooWideError as error:
            raise OptionError(
                f"LogLinearMRF(objective='exact'): {error}. Use objective='pseudo', or a larger penalty."
            ) from None
        except RestlessMessagesError:
            run.warn(
                "the messages of belief propagation did not settle, so that objective='pseudo' was maximised "
                "in place of 'loopy'."
            )
            return self._maximised("pseudo", statistics, indicators, conjunctions, run)

    def _maximised(
        self,
        objective: Objective,
        statistics: Statistics,
        indicators: Indicators,
        conjunctions: Conjunctions,
        run: Run,
    ) -> Outcome:
        every = conjunctions.all() if self.candidates == "all" else None
        search = FeatureInduction(
            indicators=indicators,
            likelihood_of=LIKELIHOODS[objective],
            candidates=conjunctions.around if every is None else lambda _: every,
            width=self.max_order,
            penalty=np.inf,
            at_once=self.at_once,
            run=run,
        )
        search.penalty, path = self._penalty(search, objective)
        model = search.improved(search.independent(), self.induction)
        residual = search.residual(model)
        if self.adaptive:
            model = search.adapted(model)
            residual = max(residual, model.residual())
        return outcome_of(
            statistics, search, model, {"objective": objective, "path": path, "kkt_residual": residual}
        )

    def _penalty(
        self, search: FeatureInduction, objective: Objective
    ) -> tuple[float, dict[str, NDArray[Any]] | None]:
        """The penalty per row, and the path that led to it."""
        size = search.indicators.size
        if self.penalty == "theory":
            n_candidates = len(search.candidates(search.indicators.singletons(self.max_order)))
            n_counted = 2.0 if objective == "pseudo" else 1.0
            return n_counted * slope_penalty(size, n_candidates, self.alpha), None
        if self.penalty != "cv":
            return float(self.penalty) / size, None
        penalties = penalty_path(
            largest_penalty(search), n_penalties=self.n_penalties, smallest_share=float(self.smallest_share)
        )
        generator = np.random.default_rng(self.random_state)
        found = predictive_penalty(search, penalties, self.induction, generator)
        warn_of_the_end(search.run, found.choice.places, len(penalties))
        return found.penalty, found.path


def _affordable(indicators: Indicators) -> Objective:
    return "exact" if prod(indicators.levels.tolist()) <= MOST_STATES else "pseudo"

"""Sparse log-linear Markov random fields."""

from typing import ClassVar

from structlearn.data import Kind, Knowledge, Label
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import OptionError
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs, Timed
from structlearn.learners.regression.log_linear.feature_induction import DoubtfulSlopesError, FeatureInduction
from structlearn.learners.regression.log_linear.objectives import Objective, affordable
from structlearn.learners.regression.log_linear.options import PricesFeatures
from structlearn.learners.regression.log_linear.outcome import State, outcome_of
from structlearn.numerics.junction_tree import TooWideError
from structlearn.numerics.log_linear.bethe_likelihood import RestlessMessagesError
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.options import Flag, option, result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class LogLinearMRF(PricesFeatures, InformedOfPairs, Timed, Learner):
    """Find the few conjunctions of states that a log-linear model of discrete columns needs."""

    work_is_known: ClassVar[bool] = False
    only: ClassVar[Kind | None] = "discrete"
    weight_means = "weight"
    features_: dict[tuple[State, ...], float] = result()
    labels_: dict[str, tuple[Label, ...]] = result()
    adaptive: bool = option(
        Flag(),
        "Whether to fit the features found once more, with adaptive penalties. Each is then penalised by "
        "the inverse of its weight [4]_. Without it, strong dependence along a path leaves weak edges "
        "between its ends.",
        default=True,
    )

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        forbidden = forbidden_pairs("LogLinearMRF", statistics.names, knowledge)
        indicators = Indicators.of(statistics)
        objective = self.objective or affordable(indicators)
        try:
            return self._maximised(statistics, self._search(indicators, forbidden, objective, run), objective)
        except TooWideError as error:
            raise OptionError(
                f"LogLinearMRF(objective='exact'): {error}. Use objective='pseudo', or a larger penalty."
            ) from None
        except (RestlessMessagesError, DoubtfulSlopesError) as error:
            why = "did not settle" if isinstance(error, RestlessMessagesError) else "contradict each other"
            run.warn(
                f"the messages of belief propagation {why}, so that objective='pseudo' was maximised "
                "in place of 'loopy'."
            )
            return self._maximised(statistics, self._search(indicators, forbidden, "pseudo", run), "pseudo")

    def _maximised(self, statistics: Statistics, search: FeatureInduction, objective: Objective) -> Outcome:
        search.penalty, path = self._penalty(search, objective)
        model = search.improved(search.independent(), self.induction)
        is_late = search.run.must_stop()
        residual = model.residual() if is_late else search.residual(model)
        if self.adaptive and not is_late:
            model = search.adapted(model)
            residual = max(residual, model.residual())
        return outcome_of(
            statistics, search, model, {"objective": objective, "path": path, "kkt_residual": residual}
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph: an edge joins columns that share a feature. Its weight is that of the
        feature, or the root of the sum of squares of several.
    features_ : dict
        The weight of each feature, a tuple of (column, label). The first label of a column, which others are
        compared with, has none by itself and, where a column has but two, none with other columns either.
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
    propagation do not settle, or contradict what its factors say by more than the penalty per row, the
    pseudo-likelihood is maximised instead, with a warning.

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
    >>> sl.LogLinearMRF(max_order=3).fit(table).graph_.undirected
    (('a', 'b'), ('a', 'parity'), ('b', 'parity'))
    """

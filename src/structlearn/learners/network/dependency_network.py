"""Dependency networks: each column explained by the others, on its own."""

from typing import ClassVar, Literal

from structlearn.data import Knowledge
from structlearn.learners.network.dependency.learner import DependencyLearner
from structlearn.learners.network.dependency.local import Columns
from structlearn.learners.network.dependency.locals import fitted_regressions, grown_trees, outcome_of
from structlearn.learners.regression.nodewise.node_blocks import NodeBlocks
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class DependencyNetwork(DependencyLearner):
    """Learn for each column which others predict it, and how; arrows may run both ways and in circles."""

    needs_full_rank: ClassVar[bool] = False
    weight_means: ClassVar[Literal["score gain", "weight"]] = "score gain"
    tells_direction: ClassVar[str] = "Its direction says what helps to predict what, not what causes what."

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        columns = Columns.of("DependencyNetwork", statistics, knowledge)
        go = NodeBlocks(len(columns.names), statistics.n_rows, n_jobs=statistics.n_jobs, run=run)
        if self.learner == "tree":
            found = grown_trees(columns, statistics, self, go)
        else:
            found = fitted_regressions(columns, statistics, self, go)
        return outcome_of(columns, found, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A cyclic graph: an arrow runs from each column to those whose distributions use it. Its weight is the
        strength: what the tests of it add to the score of the tree, or by how much the log-likelihood of the
        regression falls without it, in nats. Arrows predict; they do not say what causes what.
    model_ : DependencyModel
        The local distributions, with `predict`, `predict_proba`, `query`, `sample`, `recommend`,
        `consistency` and `pseudo_log_likelihood`; it can be saved.
    conditionals_ : dict of str to dict
        The distribution of each column as plain parameters, as files have them.
    strength_ : array of shape (p, p)
        The strength of each arrow, from the column of the row to that of the column; 0 where there is none.
    scores_, score_ : array and float
        The score of each tree, or the log-likelihood of each regression, and their sum.
    starts_ : dict
        Mean and deviation of continuous columns, where chains of the sampler begin.
    evidence_ : dict
        The strength of each arrow.

    Notes
    -----
    A tree of states sets one value apart from the others at each test, and grows while the Dirichlet evidence
    of its leaves + (free parameters)·log κ gets larger [1]_. A tree of measurements has a normal
    distribution in each leaf, and its BIC takes the place of the evidence; a threshold costs the logarithm
    of how many there were. Either tree may test columns of either kind. Columns that matter only together,
    such as the parts of a parity, are not seen.

    With ``learner="l1"`` the penalty chooses columns, and the regression on those is fitted again with a
    penalty worth one row. Weights of a column with several states are penalised together. Of columns that
    say the same a tree takes the first by name.

    The distributions are learnt apart and need not agree on one joint distribution: `model_.consistency()`
    says how far they are from that, and `model_.order` in which order the sampler goes through the nodes.

    References
    ----------
    .. [1] Heckerman, Chickering, Meek, Rounthwaite and Kadie (2000), Dependency networks for inference,
       collaborative filtering, and data visualization, Journal of Machine Learning Research 1.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("asia").sample(2000, random_state=0)
    >>> learner = sl.DependencyNetwork().fit(data)
    >>> learner.graph_.parents("xray")
    ('either',)
    >>> learner.model_.predict({"either": ["yes", "no"]}, "xray")["xray"].tolist()
    ['yes', 'no']
    """

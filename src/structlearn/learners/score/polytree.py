"""Recovering a polytree."""

from typing import Any, ClassVar

import numpy as np

from structlearn.data import Knowledge, Oracle
from structlearn.errors import DataError, OptionError
from structlearn.independence import IndependenceTest, SeparationOracle, test_for
from structlearn.independence.asking import Asker
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import Informed, Tested, Threaded, Timed
from structlearn.learners.score.trees.directions import Directions, direct_by_tests
from structlearn.learners.score.trees.levels import USUAL_LEVEL, level_of_edges
from structlearn.learners.score.trees.pair_gains import pair_gains
from structlearn.learners.score.trees.pair_tests import Matrix, inseparable, pairwise_log_p
from structlearn.learners.score.trees.results import outcome_of
from structlearn.learners.score.trees.spanning import Arc, Parts, heaviest_forest
from structlearn.options import Between, OrNone, option, result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import score_for
from structlearn.statistics import Statistics


class Polytree(Tested, Informed, Threaded, Timed, Learner):
    """Find a DAG without cycles of any kind from what pairs of columns say."""

    needs_full_rank = False
    alpha: float | None = option(  # type: ignore[assignment]  # None: pairs have a level of their own
        OrNone(Between(0, 1), "0.05, and for edges by the usual test what lets chance make about one"),
        "The significance level of each test. A larger p-value is taken for independence.",
        default=None,
    )
    conflicts_: tuple[Any, ...] = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        asker = self._asker(test_for("Polytree", self.test, statistics), statistics, run)
        log_p = pairwise_log_p(asker, len(statistics.names))
        gains = pair_gains(score_for("Polytree", "loglik", statistics), statistics, run)
        is_usual = self.alpha is None and self.test is None
        level = level_of_edges(statistics, run) if is_usual else asker.alpha
        weights = np.where(np.exp(log_p) <= level, np.maximum(gains, gains.T), 0.0)
        forest = _directed(asker, statistics.names, weights, log_p, knowledge)
        return outcome_of(statistics.names, forest, log_p, asker, run)

    def _learn_from_oracle(self, oracle: Oracle, knowledge: Knowledge, run: Run) -> Outcome:
        names = tuple(sorted(oracle.names))
        asker = self._asker(SeparationOracle.of(oracle, names), None, run)
        log_p = pairwise_log_p(asker, len(names))
        weights = inseparable(asker, log_p)
        if np.count_nonzero(weights) > 2 * len(heaviest_forest(weights)):
            raise DataError(
                "Polytree: the graph of the oracle has a cycle of edges, and a polytree has none."
            )
        return outcome_of(names, _directed(asker, names, weights, log_p, knowledge), log_p, asker, run)

    def _asker(self, test: IndependenceTest, statistics: Statistics | None, run: Run) -> Asker:
        alpha = USUAL_LEVEL if self.alpha is None else self.alpha
        return Asker(test, statistics, alpha=alpha, must_stop=run.must_stop)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The CPDAG: an edge has a direction where the independent pairs give it one.
    evidence_ : dict
        For each edge the p-value of the test that its ends are independent.
    conflicts_ : tuple of str
        Where tests contradict each other: arrows that could not be made to meet, and arrows that
        meet though the columns they come from depend on each other.
    n_tests_ : int
        How many tests were asked for.
    trace_ : dict of arrays
        The edges in the order in which they joined the columns: "source", "target" and "p_value".

    Notes
    -----
    The skeleton is the tree of Chow and Liu among the pairs that a test calls dependent. Where the ends of
    a — b — c are independent, the arrows meet in b; where they depend on each other, an arrow into b goes
    on [1]_. An edge is directed once: first those arrows meet whose ends depend most surely once b is given,
    then the arrows go on through the triples that depend most surely. With an oracle the skeleton joins the
    pairs that neither nothing nor any one node separates, and a truth that is not a polytree is refused.

    A level of 0.05 joins all of 60 columns of noise. Unless `alpha` or `test` is given, pairs have one that
    lets chance make about one edge, or more where columns are many for the rows and that finds more.
    The method is right where the truth is a polytree in which all neighbours depend on each other.
    Edges that knowledge requires cannot close a cycle of any kind.

    References
    ----------
    .. [1] Rebane and Pearl (1987), The recovery of causal poly-trees from statistical data, UAI.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcd", directed=[("a", "c"), ("b", "c"), ("c", "d")])
    >>> print(sl.Polytree().fit(sl.Oracle(truth)).graph_)
    Graph with 4 nodes and 3 edges
      a → c
      b → c
      c → d
    """


def _directed(
    asker: Asker, names: tuple[str, ...], weights: Matrix, log_p: Matrix, knowledge: Knowledge
) -> Directions:
    """Join the columns to a forest, then direct its edges."""
    required, forbidden = knowledge.matrices(names)
    must = [(int(a), int(b)) for a, b in np.argwhere(required)]
    _refuse_cycles(names, must)
    edges = heaviest_forest(np.where(forbidden & forbidden.T, 0.0, weights), must)
    directions = Directions(edges)
    for a, b in [*edges, *((b, a) for a, b in edges)]:
        if required[a, b] or forbidden[b, a]:
            directions.point(a, b)
    if not asker.must_stop():
        direct_by_tests(directions, asker, log_p)
    return directions


def _refuse_cycles(names: tuple[str, ...], required: list[Arc]) -> None:
    parts = Parts(len(names))
    for a, b in required:
        if not parts.join(a, b):
            raise OptionError(
                f"Polytree: {names[a]} → {names[b]} closes a cycle with the other required edges, and a "
                "polytree has none. Drop one of them, or use another method."
            )

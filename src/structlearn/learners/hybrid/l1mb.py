"""Markov blankets by L1-regularised regressions, and searches among them."""

from dataclasses import replace
from typing import ClassVar, Literal

from structlearn.data import Knowledge
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.hybrid.l1.blankets import L1Blankets
from structlearn.learners.hybrid.l1.order_search import search_orders
from structlearn.learners.hybrid.l1.regressions import PathOptions, regressions_for
from structlearn.learners.hybrid.skeletons.named_skeleton import by_name
from structlearn.learners.hybrid.skeletons.restricted_climb import (
    RestrictedClimb,
    climb_among,
    restricted_climb,
)
from structlearn.learners.option_groups import Scored
from structlearn.numerics.blas_threads import threads_for
from structlearn.options import OneOf, OrNone, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.search.dags import parents_first
from structlearn.search.limits import NO_LIMIT
from structlearn.search.space import Space
from structlearn.statistics import Statistics

Search = Literal["hill-climbing", "order"]


class L1MB(PathOptions, Scored, RestrictedClimb, DAGSearch):
    """Choose for every column those that explain it in an L1-regularised regression; search among them."""

    search: Search | None = option(
        OrNone(one_of(Search), "no search"),
        "How a DAG is searched. By a climb whose arcs join columns of each other's blankets, or for the "
        "order of the columns in which each, by a regression on those before it, has the shortest "
        "description.",
        default="hill-climbing",
    )
    rule: Literal["or", "and"] = option(
        OneOf(("or", "and")),
        "Whether one of two regressions, or both, must use the other column for the two to be in each "
        "other's blanket.",
        default="or",
    )
    max_parents: int | None = option(
        OrNone(Whole(0), "no limit"),
        "The most parents a node may have. Without a search, the largest blanket that a regression may "
        "choose.",
        default=None,
    )

    refuses_targets = "the regressions are on all rows. Use BOSS or HillClimbing."

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        with threads_for(len(statistics.names)):
            return super()._learn(statistics, knowledge, run)

    def _search(self, space: Space) -> Outcome:
        regressions = regressions_for(space.statistics, self)
        blankets = L1Blankets.of(regressions, space, NO_LIMIT if self.search else space.limits.max_parents)
        joined = blankets.joined(self.rule)
        if self.search is None:
            outcome = blankets.outcome(joined)
        elif self.search == "hill-climbing":
            outcome = restricted_climb(space, joined, self)
        else:
            order = parents_first(climb_among(space, joined, self).parents())
            outcome = search_orders(regressions, space, order, tabu=self.tabu, patience=self.patience)
        found = {
            "blankets": by_name(joined, space.names),
            "one_sided": by_name(blankets.is_chosen, space.names),
        }
        return replace(outcome, extra=found)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A DAG; without a search the blankets, as edges without directions other than those that
        knowledge gives.
    score_ : float
        The score of the DAG. With ``search="order"`` it is minus the length of the description that the
        regressions give, which for continuous columns is the BIC.
    blankets_ : dict
        The blanket of each column.
    one_sided_ : dict
        The columns that the regression of each uses.
    evidence_ : dict
        For each arc the score it brings; for an edge of blankets by how much the description of one of
        the two gets shorter by the other, at most.
    trace_ : dict of arrays
        Each move, as for `sl.MMHC`; each order's "score"; without a search the "node" of each regression,
        its "size" and its "cost".

    Notes
    -----
    A regression is linear for a continuous column, logistic for a binary one and multinomial for one
    with more states [1]_; all indicators of a discrete column are penalised together. Each set of columns
    on the path is refitted without the penalty, and the one with the shortest description wins, so
    that the penalty only proposes. The path of a discrete column ends after five sets in a row that
    are no better, or at 2,000 parameters. Interactions are not modelled: a column that depends on
    the parity of others has an empty blanket.

    With the order search, a column's parents are chosen by the path over the columns before it. A swap
    of neighbours changes two families only, and families are remembered.

    References
    ----------
    .. [1] Schmidt, Niculescu-Mizil and Murphy (2007), Learning graphical model structure using
       L1-regularization paths, AAAI.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 500))
    >>> c = a + b + rng.normal(size=500)
    >>> data = {"a": a, "b": b, "c": c, "d": c + rng.normal(size=500)}
    >>> learner = sl.L1MB().fit(data)
    >>> learner.blankets_["a"]
    ('b', 'c')
    >>> print(learner.graph_)
    Graph with 4 nodes and 3 edges
      a → c
      b → c
      c → d
    """

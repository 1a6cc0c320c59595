"""Markov blankets by L1-regularised regressions, and searches among them."""

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.hybrid.l1.blankets import L1Blankets
from structlearn.learners.hybrid.l1.families import L1Families, Regressions
from structlearn.learners.hybrid.l1.gaussian_paths import GaussianPaths
from structlearn.learners.hybrid.l1.group_paths import GroupPaths
from structlearn.learners.hybrid.l1.order_search import L1OrderSearch
from structlearn.learners.hybrid.l1.penalties import Penalties
from structlearn.learners.hybrid.max_min.parents_and_children import Joins
from structlearn.learners.hybrid.skeletons.named_skeleton import by_name
from structlearn.learners.hybrid.skeletons.restricted_climb import CLIMB_RULES, restricted_climb
from structlearn.numerics.blas_threads import threads_for
from structlearn.options import Between, OneOf, OrNone, Rules, Whole
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.search.dags import graph_of
from structlearn.search.limits import NO_LIMIT, Limits
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of

Matrix = NDArray[np.bool_]
Search = Literal["hill-climbing", "order"]


class L1MB(Learner):
    """Choose for every column those that explain it in an L1-regularised regression; search among them.

    Parameters
    ----------
    search : {"hill-climbing", "order"} or None, default "hill-climbing"
        What to do with the blankets: climb to a DAG whose arcs join columns of each other's blankets; search
        for the order of the columns in which each, by a regression on those before it, has the
        shortest description; or nothing.
    rule : {"or", "and"}, default "or"
        Whether two columns are in each other's blanket when one of the two regressions uses the other,
        or when both do.
    criterion : {"bic", "aic"}, default "bic"
        What chooses the penalty of each regression: minus the likelihood, refitted without the penalty,
        plus for each parameter half the logarithm of the number of rows, or 1.
    n_penalties : int, default 100
        How many penalties a path has.
    smallest_share : float, default 0.001
        The smallest penalty of a path, as a share of the one at which nothing is used.
    score : str or Score, default "bic"
        What hill-climbing maximises, as for `sl.HillClimbing`.
    tabu : int, default 10
        How many of the last graphs, or orders, may not be visited again; 0 stops at a local
        maximum.
    patience : int, default 15
        With a tabu list: how many moves in a row may bring nothing better.
    initial : Graph or None, default None
        A DAG over the columns to start from; by default no arcs. Its arcs may stay and be
        reversed whatever the regressions say.
    max_parents : int or None, default None
        The most parents a node may have; without a search, the largest blanket that a regression may
        choose.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

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
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

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

    rules: ClassVar[Rules] = {
        **CLIMB_RULES,
        "search": OrNone(OneOf(("hill-climbing", "order"), "how a DAG is searched"), "no search"),
        "rule": OneOf(("or", "and"), "whether one of two regressions, or both, must use the other column"),
        "criterion": OneOf(("bic", "aic"), "what chooses the penalty of each regression"),
        "n_penalties": Whole(1, "how many penalties a path has"),
        "smallest_share": Between(1e-6, 1, "the smallest penalty of a path, as a share of the largest"),
        "score": SCORE,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        search: Search | None = "hill-climbing",
        rule: Literal["or", "and"] = "or",
        criterion: Literal["bic", "aic"] = "bic",
        n_penalties: int = 100,
        smallest_share: float = 1e-3,
        score: str | Score = "bic",
        tabu: int = 10,
        patience: int = 15,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.search = search
        self.rule = rule
        self.criterion = criterion
        self.n_penalties = n_penalties
        self.smallest_share = smallest_share
        self.score = score
        self.tabu = tabu
        self.patience = patience
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        with threads_for(len(statistics.names)):
            return self._learned(statistics, knowledge, run)

    def _learned(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        regressions = self._regressions(statistics)
        most = NO_LIMIT if self.search or self.max_parents is None else self.max_parents
        blankets = L1Blankets.of(regressions, Joins.of(names, knowledge), most, run)
        joined = blankets.joined(self.rule)
        if self.search is None:
            outcome = blankets.outcome(names, joined, knowledge, run)
        else:
            outcome = self._climbed(statistics, knowledge, joined, run)
        if self.search == "order":
            outcome = self._ordered(names, regressions, outcome.graph, knowledge, run)
        found = {"blankets": by_name(joined, names), "one_sided": by_name(blankets.is_chosen, names)}
        return replace(outcome, extra=found)

    def _regressions(self, statistics: Statistics) -> Regressions:
        kind = GaussianPaths if sort_of(statistics) == "continuous" else GroupPaths
        price = 0.5 * float(np.log(statistics.size)) if self.criterion == "bic" else 1.0
        return kind(statistics, Penalties(price, self.n_penalties, float(self.smallest_share)))

    def _climbed(self, statistics: Statistics, knowledge: Knowledge, joined: Matrix, run: Run) -> Outcome:
        space = Space.of("L1MB", statistics, knowledge, run, score=self.score, max_parents=self.max_parents)
        return restricted_climb(space, joined, initial=self.initial, tabu=self.tabu, patience=self.patience)

    def _ordered(
        self, names: tuple[str, ...], regressions: Regressions, start: Graph, knowledge: Knowledge, run: Run
    ) -> Outcome:
        """The best DAG along the orders around that of another DAG."""
        limits = Limits.of(names, knowledge, self.max_parents)
        families = L1Families(regressions, limits.frozen, limits.closed, limits.max_parents, run)
        search = L1OrderSearch(families, limits.frozen, run)
        place = {name: i for i, name in enumerate(names)}
        order = tuple(place[name] for name in start.topological_order())
        parents = search.parents(search.improve(order, tabu=self.tabu, patience=self.patience))
        costs = [families.cost(child, members) for child, members in enumerate(parents)]
        return Outcome(
            graph=graph_of(names, parents),
            status=run.status,
            score=-float(sum(costs)),
            trace={"score": np.array(search.trace)},
            evidence={
                (names[parent], names[child]): EdgeEvidence(families.gain(child, members, parent))
                for child, members in enumerate(parents)
                for parent in members
            },
        )

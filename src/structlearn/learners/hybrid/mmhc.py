"""Max-min hill-climbing."""

from dataclasses import replace
from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.independence import IndependenceTest, test_for
from structlearn.learners.base import Learner
from structlearn.learners.hybrid.max_min.parents_and_children import (
    Joins,
    MaxMinOptions,
    ParentsAndChildren,
    find_parents_and_children,
)
from structlearn.learners.hybrid.max_min.reliable_asker import Reliability
from structlearn.learners.hybrid.mmpc import MAX_MIN_RULES
from structlearn.learners.hybrid.skeletons.restricted_climb import CLIMB_RULES, restricted_climb
from structlearn.options import OrNone, Rules
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import SCORE, BDeu, Score, score_for
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL
from structlearn.statistics import Counting, Statistics
from structlearn.statistics.column_sorts import sort_of


class MMHC(Learner):
    """Find the parents and children of every column by tests, then climb among them by a score.

    Parameters
    ----------
    test : str, IndependenceTest or None, default None
        The test of independence, as for `sl.PC`.
    alpha : float, default 0.05
        The significance level of each test.
    max_conditioning : int or None, default None
        The most columns to condition on at once.
    reliability : {"skip", "independent", "none"}, default "skip"
        What becomes of a test with too few rows, as for `sl.MMPC`.
    min_rows_per_cell : float, default 5.0
        How many rows a test needs for each joint state of its discrete columns.
    score : str, Score or None, default None
        What to maximise, as for `sl.HillClimbing`. By default BDeu with a prior worth ten rows for
        discrete columns, and BIC for others.
    tabu : int, default 100
        How many of the last graphs may not be visited again; 0 stops at a local maximum.
    patience : int, default 15
        With a tabu list: how many moves in a row may bring no new best graph.
    initial : Graph or None, default None
        A DAG over the columns to start from; by default no arcs. Its arcs may stay and be
        reversed whatever the tests say.
    max_parents : int or None, default None
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    statistics : {"memory", "adtree"}, default "memory"
        How discrete columns are counted: from the rows, or off an AD-tree that is grown first. The
        graph is the same.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The DAG with the best score found; edge weights are what the score loses without them.
    score_ : float
        Its score.
    skeleton_ : Graph
        The edges that the tests left.
    n_tests_ : int
        How many tests were made.
    n_skipped_ : int
        How many were not, for want of rows.
    evidence_ : dict
        For each arc the score it brings, and the largest p-value of the tests that it survived.
    trace_ : dict of arrays
        Each move: "move", "source", "target", "gain" and "score". Those past the best graph were taken
        back.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    The tests are those of `sl.MMPC`; the climb adds, removes and reverses arcs of their skeleton only, so
    that few families are scored [1]_. What the tests miss cannot come back: where a column is
    determined by others, its neighbours look independent, and an unrestricted search scores better.

    References
    ----------
    .. [1] Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure
       learning algorithm, Machine Learning 65.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.MMHC().fit(data).graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """

    rules: ClassVar[Rules] = {
        **{name: rule for name, rule in MAX_MIN_RULES.items() if name != "symmetry"},
        **CLIMB_RULES,
        "score": OrNone(SCORE, "BDeu with a prior worth ten rows; BIC unless all columns are discrete"),
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        test: str | IndependenceTest | None = None,
        alpha: float = 0.05,
        max_conditioning: int | None = None,
        reliability: Reliability = "skip",
        min_rows_per_cell: float = 5.0,
        score: str | Score | None = None,
        tabu: int = 100,
        patience: int = 15,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        statistics: Counting = "memory",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.reliability = reliability
        self.min_rows_per_cell = min_rows_per_cell
        self.score = score
        self.tabu = tabu
        self.patience = patience
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        found = self._restricted(statistics, knowledge, run)
        space = Space.of(
            "MMHC", statistics, knowledge, run, score=self._score(statistics), max_parents=self.max_parents
        )
        outcome = restricted_climb(
            space, found.is_neighbor, initial=self.initial, tabu=self.tabu, patience=self.patience
        )
        p_values = found.p_values(statistics.names)
        return replace(
            outcome,
            evidence={
                ends: replace(known, p_value=p_values.get(frozenset(ends)))
                for ends, known in outcome.evidence.items()
            },
            n_tests=found.asker.n_tests,
            extra={"skeleton": found.graph(statistics.names), "n_skipped": found.n_skipped},
        )

    def _restricted(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> ParentsAndChildren:
        options = MaxMinOptions(
            alpha=self.alpha,
            max_conditioning=self.max_conditioning,
            symmetry="and",
            reliability=self.reliability,
            min_rows_per_cell=self.min_rows_per_cell,
        )
        test = test_for("MMHC", self.test, statistics)
        return find_parents_and_children(
            test, statistics, Joins.of(statistics.names, knowledge), options, run
        )

    def _score(self, statistics: Statistics) -> Score:
        if self.score is not None:
            return score_for("MMHC", self.score, statistics)
        if sort_of(statistics) == "discrete":
            return BDeu(prior_size=10.0)
        return score_for("MMHC", "bic", statistics)

"""Greedy equivalence search."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.learners.base import Learner
from structlearn.learners.outcome import EdgeEvidence, Outcome, Pair
from structlearn.learners.run import Run
from structlearn.learners.score.class_admission import Admission
from structlearn.learners.score.class_moves import ClassMove, deletions
from structlearn.learners.score.class_pattern import Pattern
from structlearn.learners.score.class_search import PHASES, ClassSearch
from structlearn.options import Instance, OrNone, Rules
from structlearn.scores import SCORE, FamilyScores, Score, score_for
from structlearn.statistics import Statistics
from structlearn.statistics.kind import only_kind


class GreedyEquivalence(Learner):
    """Improve an equivalence class of DAGs one edge at a time: insert, then delete, then turn (GES).

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", or any object with a `local` method whose attribute
        `is_equivalent` is true, so that all DAGs of a class have the same score.
    initial : Graph or None, default None
        Where to start: a DAG or CPDAG over the columns. By default the arrows that are required.
    max_parents : int or None, default None
        The most parents a node may have in the DAGs of a class.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there: only classes with a DAG that honours them are visited.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The CPDAG of the class found, its arrows those of all its DAGs that honour the knowledge;
        edge weights are what the score loses without them.
    score_ : float
        The score of each DAG of the class.
    evidence_ : dict
        For each edge what the best way to delete it would cost; less than zero where keeping it
        is only owed to the knowledge or to a time limit.
    trace_ : dict of arrays
        Each move: "move" ("insert", "delete" or "turn"), "source", "target", "before" (the
        neighbours of the target that become its parents, with commas), "gain", "score" and
        "round".
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    The moves are the valid operators of [1]_ and, for turning, [2]_: each stands for one edge more,
    less or turned in some DAG of the class. The three phases are repeated until none of them finds
    a move, so the result is a local maximum of all three kinds. With a consistent score and ever
    more rows, inserting and deleting alone end in the class of the generating DAG [1]_. A move
    changes the moves of the nodes at changed edges and beside them; only these are scored again.
    The moves of a node are listed over the cliques among its undirected neighbours: large ones take
    long, and max_parents bounds them. Ties, up to rounding, go to the names of the edge's ends in
    alphabetical order.

    References
    ----------
    .. [1] Chickering (2002), Optimal structure identification with greedy search, Journal of
       Machine Learning Research 3.
    .. [2] Hauser and Bühlmann (2012), Characterization and greedy learning of interventional
       Markov equivalence classes of directed acyclic graphs, Journal of Machine Learning Research 13.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.GreedyEquivalence(score="bic").fit(data).graph_)
    Graph with 5 nodes and 4 edges
      Pollution → Cancer
      Smoker → Cancer
      Cancer → Xray
      Cancer → Dyspnoea
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "initial": OrNone(Instance(Graph, "the graph to start from"), "the required arrows"),
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        only_kind("GreedyEquivalence", statistics, "equivalent score")
        names = statistics.names
        scores = FamilyScores(self._equivalent_score(statistics), statistics)
        admission = Admission(names, knowledge, self.max_parents)
        start = self._start(names, admission)
        scores.toggles_without_parents()  # all pairs in one batch
        trace = _Trace(names, _total(scores, start), run)
        search = ClassSearch(start, scores, admission, run)
        while sum(search.climb(kind, trace.add) for kind in PHASES) and not run.must_stop():
            trace.round += 1
        return Outcome(
            graph=_named(names, admission.informed(search.pattern) or search.pattern.links),
            status=run.status,
            score=_total(scores, search.pattern),
            trace=trace.columns(),
            evidence=_evidence(names, scores, search.pattern),
        )

    def _equivalent_score(self, statistics: Statistics) -> Score:
        score = score_for("GreedyEquivalence", self.score, statistics)
        if not getattr(score, "is_equivalent", False):
            raise OptionError(
                f"GreedyEquivalence(score={self.score!r}): the DAGs of a class must have the same score, and "
                "this one does not say so by is_equivalent = True. Use another score, or HillClimbing."
            )
        return score

    def _start(self, names: tuple[str, ...], admission: Admission) -> Pattern:
        """The class to start from, refused where it breaks a rule of the search."""
        if self.initial is None:
            pattern = Pattern.of(admission.start())
            source = "the required arrows of knowledge"
        else:
            pattern = Pattern.of(_dag_over(names, self.initial))
            source = "initial"
        if not admission.admits(pattern):
            raise OptionError(
                f"GreedyEquivalence: {source} cannot be the start: no DAG of that class has at most "
                f"max_parents={self.max_parents} parents and honours the knowledge. Change one of them."
            )
        return pattern


class _Trace:
    """Every move of a run, step by step."""

    def __init__(self, names: tuple[str, ...], score: float, run: Run) -> None:
        self.round = 0
        self._names = np.array(names, dtype=object)
        self._score = score
        self._run = run
        self._steps: list[tuple[ClassMove, float, int]] = []

    def add(self, move: ClassMove) -> None:
        self._score += move.gain
        self._steps.append((move, self._score, self.round))
        self._run.show(f"score {self._score:.1f} after {len(self._steps)} moves")

    def columns(self) -> dict[str, NDArray[Any]]:
        moves = [move for move, _, _ in self._steps]
        before = [", ".join(self._names[list(move.before)]) for move in moves]
        return {
            "move": np.array([move.kind for move in moves], dtype=object),
            "source": self._names[[move.source for move in moves]],
            "target": self._names[[move.target for move in moves]],
            "before": np.array(before, dtype=object),
            "gain": np.array([move.gain for move in moves], dtype=np.float64),
            "score": np.array([score for _, score, _ in self._steps], dtype=np.float64),
            "round": np.array([round_ for _, _, round_ in self._steps], dtype=np.int64),
        }


def _dag_over(names: tuple[str, ...], graph: Graph) -> Links:
    if set(graph.nodes) != set(names):
        strangers = sorted(set(graph.nodes) ^ set(names))
        raise OptionError(
            f"GreedyEquivalence(initial=…): its nodes must be the columns, and {strangers[0]!r} is in one "
            "of the two only."
        )
    try:
        return graph.reordered(names).to_dag().links
    except DataError as error:
        raise OptionError(f"GreedyEquivalence(initial=…): {error}") from error


def _total(scores: FamilyScores, pattern: Pattern) -> float:
    return scores.total([sorted(parents) for parents in pattern.member])


def _named(names: tuple[str, ...], links: Links) -> Graph:
    return Graph(
        names,
        directed=[(names[a], names[b]) for a, b in links.arrows.tolist()],
        undirected=[(names[a], names[b]) for a, b in links.lines.tolist()],
    )


def _evidence(names: tuple[str, ...], scores: FamilyScores, pattern: Pattern) -> dict[Pair, EdgeEvidence]:
    """What the cheapest deletion of each edge would cost."""
    cost: dict[tuple[int, int], float] = {}
    for target in range(pattern.n_nodes):
        for move in deletions(pattern, scores, target, least=-np.inf):
            ends = (min(move.source, target), max(move.source, target))
            cost[ends] = min(cost.get(ends, np.inf), -move.gain)
    return {(names[a], names[b]): EdgeEvidence(score_gain=loss) for (a, b), loss in cost.items()}

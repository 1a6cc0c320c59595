"""Greedy equivalence search."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.escape import Escape, deletions
from structlearn.learners.score.classes.moves import ClassMove
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.search import ClassSearch, climb_eagerly, climb_in_phases
from structlearn.options import Instance, OneOf, OrNone, Rules, Whole
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.limits import Limits
from structlearn.search.parity import CHECK_PARITY, ParityCheck
from structlearn.search.space import Space
from structlearn.statistics import Counting
from structlearn.statistics.kind import only_kind

Schedule = Literal["eager", "phases"]


class GreedyEquivalence(DAGSearch):
    """Improve an equivalence class of DAGs one edge at a time: insert, delete or turn (GES).

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", or any object with a `local` method whose attribute
        `is_equivalent` is true, so that all DAGs of a class have the same score.
    schedule : "eager" or "phases", default "eager"
        Which move is next: "eager" deletes as soon as that gains, turns where nothing can be deleted, and
        inserts only where neither gains [3]_; "phases" inserts for as long as that gains, then deletes, then
        turns, and so on until no phase finds a move [1]_.
    patience : int, default 15
        Where no move gains, edges are taken away all the same, the cheapest first, and the search goes on
        without them; what does not end higher is undone [3]_. How many in a row may be in vain; 0
        stops at the first local maximum.
    check_parity : int, default 3
        The largest sets of columns to search, at the end, for joint dependence that no pair
        shows, such as c = a xor b; a warning names what is found. Below 3, none.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    initial : Graph or None, default None
        Where to start: a DAG or CPDAG over the columns. By default the arrows that are required.
    max_parents : int or None, default None
        The most parents a node may have in the DAGs of a class.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there: only classes with a DAG that honours them, and the candidates, are
        visited.
    statistics : {"memory", "adtree"}, default "memory"
        Whether tables are counted from the rows or from an AD-tree grown once.
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
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    evidence_ : dict
        For each edge what the best way to delete it would cost; less than zero where keeping it
        is only owed to the knowledge or to a time limit.
    trace_ : dict of arrays
        Each move: "move" ("insert", "delete" or "turn"), "source", "target", "before" (the
        neighbours of the target that become its parents, with commas), "gain" and "score".
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    The moves are the valid operators of [1]_ and, for turning, [2]_: each stands for one edge more,
    less or turned in some DAG of the class. The end is a local maximum of all three kinds.
    With a consistent score and ever more rows, inserting and deleting alone end in the class of the
    generating DAG [1]_; with the rows there are, a wrong edge that is taken back at once leads fewer others
    astray. A move changes the moves of the nodes at changed edges and beside them; only these are scored
    again. The moves of a node are listed over the cliques among its undirected neighbours: large ones
    take long, and max_parents bounds them. Ties, up to rounding, go to the names of the edge's ends in
    alphabetical order.

    References
    ----------
    .. [1] Chickering (2002), Optimal structure identification with greedy search, Journal of
       Machine Learning Research 3.
    .. [2] Hauser and Bühlmann (2012), Characterization and greedy learning of interventional
       Markov equivalence classes of directed acyclic graphs, Journal of Machine Learning Research 13.
    .. [3] Nazaret and Blei (2024), Extremely greedy equivalence search, Uncertainty in Artificial
       Intelligence 40.

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
        "schedule": OneOf(("eager", "phases"), "which kind of move comes first"),
        "patience": Whole(0, "how many edges in a row may be taken away in vain"),
        "check_parity": CHECK_PARITY,
        "candidates": CANDIDATES,
        "initial": OrNone(Instance(Graph, "the graph to start from"), "the required arrows"),
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        schedule: Schedule = "eager",
        patience: int = 15,
        check_parity: int = 3,
        candidates: GivenCandidates | None = None,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        statistics: Counting = "memory",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.schedule = schedule
        self.patience = patience
        self.check_parity = check_parity
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _search(self, space: Space) -> Outcome:
        self._refuse_unequal(space)
        search = ClassSearch(space, self._start(space))
        space.scores.toggles_without_parents()  # all pairs in one batch
        trace = _Trace(space, search.pattern)
        climb = climb_eagerly if self.schedule == "eager" else climb_in_phases
        climb(search, trace.add)
        Escape(search, climb).run(self.patience, trace.add)
        pattern = search.pattern
        return Outcome(
            graph=_named(space.names, search.admission.informed(pattern) or pattern.links),
            status=space.run.status,
            score=space.scores.total(pattern.member()),
            trace=trace.columns(),
            evidence=_evidence(space, pattern),
            extra={"parity": ParityCheck(space, self.check_parity).scan_and_warn(pattern.member())},
        )

    def _refuse_unequal(self, space: Space) -> None:
        only_kind(space.owner, space.statistics, "equivalent score")
        if not space.is_equivalent:
            raise OptionError(
                f"GreedyEquivalence(score={self.score!r}): the DAGs of a class must have the same score, and "
                "this one does not say so by is_equivalent = True. Use another score, or HillClimbing."
            )

    def _start(self, space: Space) -> Pattern:
        """The class to start from, refused where it breaks a rule of the search."""
        admission = Admission(space.limits)
        if self.initial is None:
            pattern = Pattern.of(admission.start())
            source = "the required arrows of knowledge"
        else:
            pattern = Pattern.of(_dag_over(space.names, self.initial))
            source = "initial"
        if not admission.admits(pattern):
            raise OptionError(
                f"GreedyEquivalence: {source} cannot be the start: no DAG of that class has at most "
                f"max_parents={self.max_parents} parents and honours the knowledge and the candidates. "
                "Change one of them."
            )
        return pattern


class _Trace:
    """Every move of a run, step by step."""

    def __init__(self, space: Space, start: Pattern) -> None:
        self._names = np.array(space.names, dtype=object)
        self._score = space.scores.total(start.member())
        self._run = space.run
        self._steps: list[tuple[ClassMove, float]] = []

    def add(self, move: ClassMove) -> None:
        self._score += move.gain
        self._steps.append((move, self._score))
        self._run.show(f"score {self._score:.1f} after {len(self._steps)} moves")

    def columns(self) -> dict[str, NDArray[Any]]:
        moves = [move for move, _ in self._steps]
        before = [", ".join(self._names[list(move.before)]) for move in moves]
        return {
            "move": np.array([move.kind for move in moves], dtype=object),
            "source": self._names[[move.source for move in moves]],
            "target": self._names[[move.target for move in moves]],
            "before": np.array(before, dtype=object),
            "gain": np.array([move.gain for move in moves], dtype=np.float64),
            "score": np.array([score for _, score in self._steps], dtype=np.float64),
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


def _named(names: tuple[str, ...], links: Links) -> Graph:
    return Graph(
        names,
        directed=[(names[a], names[b]) for a, b in links.arrows.tolist()],
        undirected=[(names[a], names[b]) for a, b in links.lines.tolist()],
    )


def _evidence(space: Space, pattern: Pattern) -> dict[Pair, EdgeEvidence]:
    """What the cheapest deletion of each edge would cost."""
    names, unlimited = space.names, Limits.of(space.names, Knowledge())
    cost: dict[tuple[int, int], float] = {}
    for move in deletions(space.scores, Admission(unlimited), pattern):
        ends = (min(move.source, move.target), max(move.source, move.target))
        cost[ends] = min(cost.get(ends, np.inf), -move.gain)
    return {(names[a], names[b]): EdgeEvidence(score_gain=loss) for (a, b), loss in cost.items()}

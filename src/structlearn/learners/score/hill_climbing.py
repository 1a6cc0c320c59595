"""Greedy hill-climbing."""

from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.options import Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH
from structlearn.scores import CPD_FORM, SCORE, CPDForm, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.climbing import tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.move_trace import MoveTrace
from structlearn.search.parity import CHECK_PARITY, ParityCheck
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL, shaken, start_from
from structlearn.statistics import Counting


class HillClimbing(DAGSearch):
    """Improve a DAG one arc at a time until no single change helps.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", another name of `structlearn.scores`, or any object with a `local`
        method.
    cpd : {"table", "tree"}, default "table"
        What a family is scored with: a table of all joint states of the parents, or the tree that grows in
        its place (see `structlearn.scores.TreeScore`), which finds parents that matter only in some contexts.
    tabu : int, default 10
        How many of the last graphs may not be visited again. With a tabu list the search goes
        on past a local maximum, along the best move that leads to a new graph; 0 stops there.
    patience : int, default 15
        With a tabu list: how many moves in a row may bring no new best graph.
    restarts : int, default 0
        How often to shake the best graph and climb again.
    perturb : int, default 10
        How many random moves shake the graph.
    check_parity : int, default 3
        The largest sets of columns to search, at the end, for joint dependence that no pair
        shows, such as c = a xor b; a warning names what is found. Below 3, none.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    initial : Graph or None, default None
        A DAG over the columns to start from; by default no arcs.
    max_parents : int or None, default None
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    statistics : {"memory", "adtree"}, default "memory"
        How discrete columns are counted: from the rows for each batch of families, or off an AD-tree that
        is grown first. The graph is the same.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    random_state : int or None, default None
        The seed of the random moves.
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
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        Each move: "move", "source", "target", "gain", "score" and "climb" (0, then one per restart).
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    Steepest ascent over adding, removing and reversing an arc. A move changes at most two
    families, so a step scores O(p) new ones and remembers the rest, up to a fixed amount of memory.
    With the likelihood scores of discrete columns, families are not counted before they could be
    the best: a parent brings no more than is unknown of the child, or of itself. The moves are those
    of a search that scores all. Ties, up to rounding, go to adding, then removing, then reversing,
    then to the names of the arc's ends in alphabetical order.

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.
    .. [2] Glover (1989), Tabu search, ORSA Journal on Computing 1.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.HillClimbing(score="bic").fit(data).graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "cpd": CPD_FORM,
        "tabu": Whole(0, "how many past graphs may not be visited again"),
        "patience": Whole(1, "how many moves in a row may bring no new best graph"),
        "restarts": Whole(0, "how often to shake the best graph and climb again"),
        "perturb": Whole(1, "how many random moves shake the graph"),
        "check_parity": CHECK_PARITY,
        "candidates": CANDIDATES,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        cpd: CPDForm = "table",
        tabu: int = 10,
        patience: int = 15,
        restarts: int = 0,
        perturb: int = 10,
        check_parity: int = 3,
        candidates: GivenCandidates | None = None,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        statistics: Counting = "memory",
        n_jobs: int | None = None,
        random_state: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.cpd = cpd
        self.tabu = tabu
        self.patience = patience
        self.restarts = restarts
        self.perturb = perturb
        self.check_parity = check_parity
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _search(self, space: Space) -> Outcome:
        if self.candidates is not None:
            space = space.scoring_candidates_only()
        trace = MoveTrace(space, climb=0)
        best = self._climb(start_from(space, self.initial), trace)
        for _ in range(self.restarts):
            if space.run.must_stop():
                break
            trace.at["climb"] += 1
            found = self._climb(shaken(best, self.perturb), trace)
            best = found if found.score > best.score + ENOUGH else best
        parents = best.parents()
        parity = ParityCheck(space, self.check_parity).scan_and_warn(parents)
        return space.outcome(parents, trace.columns(), parity=parity)

    def _climb(self, state: DAGState, trace: MoveTrace) -> DAGState:
        """Move until nothing improves or, with a tabu list, until patience runs out."""
        tabu_climb(state, trace.add, tabu=self.tabu, patience=self.patience)
        return state

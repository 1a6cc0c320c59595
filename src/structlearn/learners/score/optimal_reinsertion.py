"""Optimal reinsertion."""

from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.options import OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import COUNTED_CANDIDATES, CountedCandidates, given_and_counted
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.move_trace import MoveTrace
from structlearn.search.parent_sets import ParentSets
from structlearn.search.reinsertion import reinsert
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL, shaken, start_from
from structlearn.statistics import Counting

MOST_SHAKES = 30  # more take a large graph too far from where it was


class OptimalReinsertion(DAGSearch):
    """Cut out one node at a time and put it back with the best parents and children.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", or any object with a `local` method.
    set_size : int, default 3
        All parent sets up to this size are tried. A node can get more parents as the child
        of others, one at a time, and in the plain climb at the end.
    candidates : int, Graph or mapping or None, default 25
        How many nodes, those that score most as the only parent, the sets tried for a node are made of.
        Or which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    restarts : int, default 10
        How often to shake the best graph and search again.
    perturb : int or None, default None
        How many random moves shake the graph; None for one per node, at most 30.
    initial : Graph or None, default None
        The DAG to start from; by default only the required arcs.
    max_parents : int or None, default None
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    statistics : {"memory", "adtree"}, default "memory"
        Whether tables are counted from the rows or from an AD-tree grown once.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    random_state : int or None, default 0
        The seed of the order of the nodes and of the random moves.
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
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        Each change: "move" ("reinsert", or that of the climb), "source" (empty for a
        reinsertion), "target", "gain", "score" and "climb" (0 after a plain climb, 1 from
        the start itself, then one per restart).
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    A step [1]_ finds the best of all ways to connect one node: for each set of parents, the nodes
    that are not above them and gain from the node can all be its children. Nodes come in random
    order, until none changes; then follows a climb by single arcs. Because two parents can come
    at once, the search sees dependences that no single arc shows, such as c = a xor b.

    The search runs twice, from the start and from where a climb leads from it, and restarts
    from the better end.

    The scores of the parent sets do not change during the search. They are found once, in one
    batch per size, and only sets that score more than each of their subsets are kept: a subset
    allows at least the same children. Besides these a step tries the present parents with one
    more or one fewer.

    References
    ----------
    .. [1] Moore and Wong (2003), Optimal reinsertion: a new search operator for accelerated and
       more accurate Bayesian network structure learning, ICML.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 1000))
    >>> data = {"a": a, "b": b, "c": a ^ b}
    >>> len(sl.HillClimbing(tabu=0, check_parity=0).fit(data).graph_.edges)
    0
    >>> len(sl.OptimalReinsertion().fit(data).graph_.edges)
    2
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "set_size": Whole(1, "up to which size all parent sets are tried"),
        "candidates": COUNTED_CANDIDATES,
        "restarts": Whole(0, "how often to shake the best graph and search again"),
        "perturb": OrNone(Whole(1, "how many random moves shake the graph"), "one per node, at most 30"),
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        set_size: int = 3,
        candidates: CountedCandidates | None = 25,
        restarts: int = 10,
        perturb: int | None = None,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        statistics: Counting = "memory",
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.set_size = set_size
        self.candidates = candidates
        self.restarts = restarts
        self.perturb = perturb
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _search(self, space: Space) -> Outcome:
        _, counted = given_and_counted(self.candidates)
        sets = ParentSets(space, set_size=self.set_size, candidates=counted)
        trace = MoveTrace(space, climb=0)
        best = self._best_from(start_from(space, self.initial), sets, trace)
        for _ in range(self.restarts):
            if space.run.must_stop():
                break
            trace.at["climb"] += 1
            state = shaken(best, self.perturb or min(space.n_nodes, MOST_SHAKES))
            self._improve(state, sets, trace)
            best = state if state.score > best.score + ENOUGH else best
        return space.outcome(best.parents(), trace.columns())

    def _best_from(self, start: DAGState, sets: ParentSets, trace: MoveTrace) -> DAGState:
        """The better end of two searches: after a plain climb, and at once."""
        climbed = start.copy()
        climb(climbed, trace.add)
        self._improve(climbed, sets, trace)
        trace.at["climb"] += 1
        self._improve(start, sets, trace)
        return start if start.score > climbed.score + ENOUGH else climbed

    def _improve(self, state: DAGState, sets: ParentSets, trace: MoveTrace) -> None:
        """Reinsert and climb until neither improves the graph."""
        improved = True
        while improved and not state.space.run.must_stop():
            before = state.score
            self._reinsert_all(state, sets, trace)
            climb(state, trace.add)
            improved = state.score > before + ENOUGH

    def _reinsert_all(self, state: DAGState, sets: ParentSets, trace: MoveTrace) -> None:
        """Pass over the nodes, each time in a new order, until a pass changes nothing."""
        run, changed = state.space.run, True
        while changed:
            changed = False
            for node in state.space.rng.permutation(len(state.arcs)).tolist():
                if run.must_stop():
                    return
                run.show(f"score {state.score:.1f} after {len(trace)} changes")
                gain = reinsert(state, node, sets.of(node))
                if gain > 0.0:
                    changed = True
                    trace.add_change("reinsert", node, gain, state.score)

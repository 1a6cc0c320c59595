"""Simulated annealing."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.score.kernels import annealing as kernels
from structlearn.options import Above, Between, Either, Flag, OneOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState, Move
from structlearn.search.kernels import moves
from structlearn.search.move_trace import MoveTrace
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL, start_from
from structlearn.statistics import Counting

DRAWS = 1024  # proposals between two looks at the clock


class SimulatedAnnealing(DAGSearch):
    """Change arcs at random, with ever less patience for changes that lower the score.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", or any object with a `local` method.
    temperature : float or "auto", default 100.0
        The temperature at the start, in units of the score; "auto" takes three times the
        median of what single arcs do to the score of the start.
    proposals : int or None, default None
        The most proposals at one temperature; None for 50 per node.
    changes : int or None, default None
        The most accepted changes at one temperature; None for 10 per node.
    cooling : float, default 0.9
        By what the temperature is multiplied.
    coolings : int, default 120
        How often.
    polish : bool, default True
        Whether to climb from the best graph visited, and drop arcs that bring nothing.
    chains : int, default 1
        How many independent runs the best graph is taken from.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
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
        The seed of the proposals.
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
        Each accepted change: "move", "source", "target", "gain", "score", "temperature" (0 in
        the climb at the end), "proposal" (how many there were in this chain, this one
        included) and "chain".
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    A proposal takes two nodes and turns what is between them, no arc or one of the two, into one
    of the other two. It is accepted if the score gains, else with probability exp(gain /
    temperature) [1]_. The run ends early at a temperature that accepts nothing.

    Proposals are symmetric: with ``cooling=1`` the graphs visited follow, in the long run, a
    distribution proportional to exp(score / temperature).

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.SimulatedAnnealing().fit(data).graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "temperature": Either((Above(0, ""), OneOf(("auto",), "")), "the temperature at the start"),
        "proposals": OrNone(Whole(1, "the most proposals at one temperature"), "50 per node"),
        "changes": OrNone(Whole(1, "the most accepted changes at one temperature"), "10 per node"),
        "cooling": Between(0, 1, "by what the temperature is multiplied"),
        "coolings": Whole(0, "how often the temperature is lowered"),
        "polish": Flag("whether to climb from the best graph visited"),
        "chains": Whole(1, "how many independent runs there are"),
        "candidates": CANDIDATES,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        temperature: float | str = 100.0,
        proposals: int | None = None,
        changes: int | None = None,
        cooling: float = 0.9,
        coolings: int = 120,
        polish: bool = True,
        chains: int = 1,
        candidates: GivenCandidates | None = None,
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
        self.temperature = temperature
        self.proposals = proposals
        self.changes = changes
        self.cooling = cooling
        self.coolings = coolings
        self.polish = polish
        self.chains = chains
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
        trace = MoveTrace(space, temperature=0.0, proposal=0, chain=0)
        start = best = start_from(space, self.initial)
        for chain in range(self.chains):
            if space.run.must_stop():
                break
            trace.at["chain"] = chain
            found = self._anneal(start.copy(), trace)
            best = found if found.score > best.score + ENOUGH else best
        return space.outcome(best.parents(), trace.columns())

    def _anneal(self, state: DAGState, trace: MoveTrace) -> DAGState:
        """One chain: the best graph it visits, polished."""
        best = state.copy()
        run, chain = state.space.run, _Chain(state)
        temperature = self._first_temperature(state)
        for level in range(self.coolings + 1):
            n_changes = 0
            for move in self._changes(chain, temperature):
                n_changes += 1
                state.apply(move)
                trace.at |= {"temperature": temperature, "proposal": chain.n_proposals}
                trace.add(move, state.score)
                if state.score > best.score + ENOUGH:
                    best = state.copy()
            run.show(f"score {best.score:.1f} at temperature {temperature:.3g}", level, self.coolings)
            if n_changes == 0 or run.must_stop():
                break
            temperature *= self.cooling
        if self.polish:
            trace.at |= {"temperature": 0.0, "proposal": chain.n_proposals}
            climb(best, trace.add)
        return best

    def _changes(self, chain: "_Chain", temperature: float) -> Iterator[Move]:
        """The accepted changes at one temperature; each must be made before the next is asked for."""
        n_nodes, run = len(chain.state.arcs), chain.state.space.run
        n_changes_left = 10 * n_nodes if self.changes is None else self.changes
        last = chain.n_proposals + (50 * n_nodes if self.proposals is None else self.proposals)
        while n_nodes > 1 and n_changes_left > 0 and chain.n_proposals < last and not run.must_stop():
            move = chain.next_change(temperature, last - chain.n_proposals)
            if move is not None:
                n_changes_left -= 1
                yield move

    def _first_temperature(self, state: DAGState) -> float:
        if not isinstance(self.temperature, str):
            return float(self.temperature)
        effects = np.abs(state.gains[~np.eye(len(state.gains), dtype=np.bool_)])
        effects = effects[np.isfinite(effects) & (effects > ENOUGH)]
        return 3.0 * float(np.median(effects)) if len(effects) else 1.0


class _Chain:
    """A graph, its random numbers and how many proposals it has had."""

    def __init__(self, state: DAGState) -> None:
        self.state = state
        self.n_proposals = 0
        self._draws = np.empty((0, 3))

    def next_change(self, temperature: float, most: int) -> Move | None:
        """Propose until a change is accepted, or the numbers at hand or `most` proposals are used up."""
        if len(self._draws) == 0:
            self._draws = self.state.space.rng.random((DRAWS, 3))
        limits = self.state.limits
        n_used, kind, u, v, gain = kernels.next_change(
            self.state.gains,
            self.state.arcs,
            self.state.ancestors,
            limits.frozen,
            limits.closed,
            limits.max_parents,
            max(temperature, np.finfo(np.float64).tiny),
            self._draws[:most],
        )
        self._draws = self._draws[n_used:]
        self.n_proposals += n_used
        return None if kind == moves.NONE else Move(kind, u, v, gain)

"""Hill-climbing among a few candidate parents."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.score.measures.measure import MEASURES, MeasureName, measure_for
from structlearn.options import OneOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH
from structlearn.run import Status
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import Candidates
from structlearn.search.climbing import tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.move_trace import MoveTrace
from structlearn.search.parity import CHECK_PARITY, ParityCheck
from structlearn.search.promises import most_promising
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL, start_from, state_with
from structlearn.statistics import Counting

Stop = Literal["score", "candidates"]


class SparseCandidate(DAGSearch):
    """Climb with a few candidate parents per node, choose candidates anew by the network, and again.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", or any object with a `local` method.
    candidates : int, default 10
        How many candidate parents a node has. It cannot have more parents than that, other than those
        of `initial` and of `knowledge`.
    measure : {"score", "discrepancy", "shield", "mutual-information"}, default "score"
        What candidates are chosen by: the score with this parent more; how far the pair is in the data
        from what the network says of it; the information that both share given the parents; or
        without looking at the network.
    samples : int or None, default None
        How many rows of the network to draw for the discrepancy of discrete columns. By default it
        is computed exactly where that is quicker than to draw a million rows.
    stop : {"score", "candidates"}, default "score"
        When to stop: once the score stays the same, or once the candidates do.
    idle_rounds : int, default 5
        With ``stop="candidates"``: how many rounds in a row may leave the score the same.
    tabu : int, default 10
        How many of the last graphs a climb may not visit again. With a tabu list it goes on past
        a local maximum, along the best move that leads to a new graph; 0 stops there.
    patience : int, default 15
        With a tabu list: how many moves in a row may bring no new best graph.
    check_parity : int, default 3
        The largest sets of columns to search, at the end, for joint dependence that no pair
        shows, such as c = a xor b; a warning names what is found. Below 3, none.
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
        The seed of the rows drawn.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The DAG of the last round, which has the best score; edge weights are what the score loses
        without them.
    score_ : float
        Its score.
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        Each move: "move", "source", "target", "gain", "score" and "round". Moves past the best graph of
        a round are taken back at its end.
    rounds_ : dict of arrays
        Each round: the "score" at its end, how many candidates were "new" and the "noise", the largest
        error to expect of the measure in nats per row, 0 where nothing was drawn.
    ended_by_ : str
        Why there was no further round: "score" or "candidates" stayed the same, "loop" where candidates
        and graph came round again, "idle rounds", or "interruption".
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    A round chooses for each node its present parents and those others that promise most, and climbs
    from the present graph by adding, removing and reversing single arcs between nodes and their
    candidates [1]_. Because the present parents are among the candidates, the score never falls.

    The discrepancy of a pair is the Kullback-Leibler divergence of its table from that of the network
    with fitted probabilities; for continuous columns that of two normal distributions. It finds
    dependences that the network does not explain yet, and takes no account of what a table
    costs; the score does. Near a good fit the noise of drawn rows can decide the ranking: compare
    `rounds_["noise"]` with what an arc must bring, such as ln(n) / 2n per parameter for "bic".

    On the empty network the discrepancy, the shield and the mutual information are the same. With as
    many candidates as there are other columns this is plain hill-climbing.

    References
    ----------
    .. [1] Friedman, Nachman and Pe'er (1999), Learning Bayesian network structure from massive
       datasets: the "sparse candidate" algorithm, UAI.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> learner = sl.SparseCandidate(candidates=3, measure="discrepancy").fit(data)
    >>> print(learner.graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    >>> learner.ended_by_
    'score'
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "candidates": Whole(1, "how many candidate parents a node has"),
        "measure": OneOf(MEASURES, "what candidates are chosen by"),
        "samples": OrNone(Whole(1, "how many rows of the network to draw"), "none, or a million"),
        "stop": OneOf(("score", "candidates"), "what must stay the same for the search to stop"),
        "idle_rounds": Whole(1, "how many rounds in a row may leave the score the same"),
        "tabu": Whole(0, "how many past graphs may not be visited again"),
        "patience": Whole(1, "how many moves in a row may bring no new best graph"),
        "check_parity": CHECK_PARITY,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        candidates: int = 10,
        measure: MeasureName = "score",
        samples: int | None = None,
        stop: Stop = "score",
        idle_rounds: int = 5,
        tabu: int = 10,
        patience: int = 15,
        check_parity: int = 3,
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
        self.candidates = candidates
        self.measure = measure
        self.samples = samples
        self.stop = stop
        self.idle_rounds = idle_rounds
        self.tabu = tabu
        self.patience = patience
        self.check_parity = check_parity
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _search(self, space: Space) -> Outcome:
        measure = measure_for(space, self.measure, samples=self.samples)
        parents = self._first_parents(space)
        trace = MoveTrace(space, round=0)
        rounds = _Rounds(self.stop, self.idle_rounds, space.scores.total(parents))
        while not rounds.ended_by and not space.run.must_stop():
            promises = measure.of(parents, space.run)
            chosen = most_promising(promises.values, parents, space.limits, self.candidates)
            if space.run.must_stop() or rounds.are_again(chosen):
                break
            trace.at["round"] += 1
            state = state_with(space.among(chosen), parents)
            tabu_climb(state, trace.add, tabu=self.tabu, patience=self.patience)
            parents = state.parents()
            rounds.add(chosen, state, promises.noise)
        return space.outcome(
            parents,
            trace.columns(),
            rounds=rounds.columns(),
            ended_by=rounds.ended_by if space.run.status is Status.COMPLETE else "interruption",
            parity=ParityCheck(space, self.check_parity).scan_and_warn(parents),
        )

    def _first_parents(self, space: Space) -> list[list[int]]:
        if self.initial is None:
            return [np.flatnonzero(row).tolist() for row in space.limits.frozen]
        return start_from(space, self.initial).parents()


class _Rounds:
    """What each round has come to, and whether there should be another."""

    def __init__(self, stop: Stop, most_idle: int, start_score: float) -> None:
        self.ended_by = ""
        self._score = start_score
        self._stop = stop
        self._most_idle = most_idle
        self._latest: Candidates | None = None
        self._seen: set[bytes] = set()
        self._n_idle = 0
        self._scores: list[float] = []
        self._n_new: list[int] = []
        self._noises: list[float] = []

    def are_again(self, chosen: Candidates) -> bool:
        """Whether candidates are those of the round before: climbing among them would change nothing."""
        if self._latest is not None and (self._latest == chosen).all():
            self.ended_by = "candidates"
        return bool(self.ended_by)

    def add(self, chosen: Candidates, state: DAGState, noise: float) -> None:
        before = np.zeros_like(chosen) if self._latest is None else self._latest
        self._n_idle = self._n_idle + 1 if state.score <= self._score + ENOUGH else 0
        self._score, self._latest = state.score, chosen
        self._scores.append(state.score)
        self._n_new.append(int((chosen & ~before).sum()))
        self._noises.append(noise)
        self._end(np.packbits([chosen, state.arcs]).tobytes())

    def columns(self) -> dict[str, NDArray[Any]]:
        return {
            "score": np.array(self._scores, dtype=np.float64),
            "new": np.array(self._n_new, dtype=np.int64),
            "noise": np.array(self._noises, dtype=np.float64),
        }

    def _end(self, key: bytes) -> None:
        if self._n_idle and self._stop == "score":
            self.ended_by = "score"
        elif key in self._seen:
            self.ended_by = "loop"
        elif self._n_idle >= self._most_idle:
            self.ended_by = "idle rounds"
        self._seen.add(key)

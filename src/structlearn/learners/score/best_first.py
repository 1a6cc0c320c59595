"""Best-first search."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.options import Either, Instance, ListOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import slack
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.climbing import climb
from structlearn.search.dag_state import MOVE_WORDS, DAGState, Move
from structlearn.search.frontier import Frontier
from structlearn.search.kernels import moves
from structlearn.search.neighbors import neighbors, start_step
from structlearn.search.space import Space
from structlearn.search.starts import start_from, without_impossible
from structlearn.statistics import Counting


class BestFirst(DAGSearch):
    """Expand the best graph that was found and not yet expanded, wherever it was found.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", or any object with a `local` method.
    patience : int or None, default 100
        How many graphs in a row may bring no new best one; None for no limit.
    max_expansions : int or None, default 10_000
        The most graphs that are expanded; None for no limit.
    max_open : int, default 10_000
        The most graphs that wait to be expanded. Beyond, the worst are dropped. A small number
        makes this a beam search of that width.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    initial : Graph, list of Graph or None, default None
        The DAG, or several, to start from; by default only the required arcs. A node whose
        family cannot be scored, with more parents than rows, say, starts without its arcs.
    max_parents : int or None, default None
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
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
        The DAG with the best score found; edge weights are what the score loses without them.
    score_ : float
        Its score.
    evidence_ : dict
        For each arc the score it brings.
    n_dropped_ : int
        How many graphs were dropped because more than `max_open` waited. Where that is no less
        than `max_expansions`, none of them would have been expanded.
    trace_ : dict of arrays
        Each graph visited: "parent" (the row of the graph it was made from, below 0 for a
        start), "move" ("start" for a start), "source", "target", "score", "best" (the best score
        so far) and "open" (how many graphs wait). A climb at the end comes last.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    To expand a graph is to score all graphs one arc away, by adding, removing or reversing it;
    those that are new wait with the others, and the best of them all is next [1]_. So the search
    climbs as `HillClimbing` does, and at a local maximum spreads out around it. It never ends
    lower than a plain climb from the same start; with ``patience=1`` and ``max_open=1`` it is one.
    At the end arcs that bring nothing are dropped and, where `max_expansions` cut the search short,
    the best graph climbs on.

    A waiting graph is kept as a score, a key and a move, a visited one as a bitmap. Besides the
    scores remembered they take at most 200 max_open + max_expansions (p² / 8 + 500) bytes. The keys
    are 64-bit hashes: among a million graphs two are mistaken for one with probability 3e-8.

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.
    .. [2] Korf (1993), Linear-space best-first search, Artificial Intelligence 62.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.BestFirst().fit(data).graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "patience": OrNone(Whole(1, "how many graphs in a row may bring no new best one"), "no limit"),
        "max_expansions": OrNone(Whole(1, "the most graphs that are expanded"), "no limit"),
        "max_open": Whole(1, "the most graphs that wait to be expanded"),
        "candidates": CANDIDATES,
        "initial": OrNone(
            Either((Instance(Graph, ""), ListOf(Graph, "")), "the DAG, or several, to start from"), "no arcs"
        ),
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        patience: int | None = 100,
        max_expansions: int | None = 10_000,
        max_open: int = 10_000,
        candidates: GivenCandidates | None = None,
        initial: Graph | Sequence[Graph] | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        statistics: Counting = "memory",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.patience = patience
        self.max_expansions = max_expansions
        self.max_open = max_open
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _search(self, space: Space) -> Outcome:
        initials = self.initial if isinstance(self.initial, list | tuple) else [self.initial]
        starts = [without_impossible(start_from(space, initial)) for initial in initials]
        walk, trace = _Walk(starts, self.max_open), _Trace(space.names, n_starts=len(starts))
        best = self._expand_best(walk, trace)
        climb(best, trace.add_climb)
        return space.outcome(best.parents(), trace.columns(), n_dropped=walk.frontier.n_dropped)

    def _expand_best(self, walk: "_Walk", trace: "_Trace") -> DAGState:
        """Visit the best waiting graph until patience, expansions or graphs run out."""
        best, run = walk.state.copy(), walk.state.space.run
        n_since_best = n_expanded = 0
        while len(walk.frontier):
            step = walk.advance()
            is_better = n_expanded == 0 or walk.state.score > best.score + slack(best.score)
            best = walk.state.copy() if is_better else best
            n_since_best = 0 if is_better else n_since_best + 1
            trace.add_visit(step, best.score, len(walk.frontier))
            run.show(f"score {best.score:.1f} after {n_expanded} expansions", n_expanded, self.max_expansions)
            if n_since_best == self.patience or n_expanded == self.max_expansions or run.must_stop():
                break
            walk.expand()
            n_expanded += 1
        return best


class _Walk:
    """A graph that jumps to the best one waiting, and what it has left behind."""

    def __init__(self, starts: list[DAGState], max_open: int) -> None:
        self.state = starts[0].copy()
        self.frontier = Frontier(max_open)
        self._visited = [np.packbits(start.arcs) for start in starts]
        for origin, start in enumerate(starts):
            self.frontier.push(start_step(start, origin))

    def advance(self) -> np.void:
        """Go to the best waiting graph."""
        step = self.frontier.pop()
        n = len(self.state.arcs)
        arcs = np.unpackbits(self._visited[step["origin"]], count=n * n).astype(np.bool_).reshape(n, n)
        if step["kind"] != moves.NONE:
            arcs[step["v"], step["u"]] ^= True
        if step["kind"] == moves.REVERSE:
            arcs[step["u"], step["v"]] = True
        self.state.become(arcs)
        return step

    def expand(self) -> None:
        """Let the graphs one move away wait."""
        self.frontier.push(neighbors(self.state, len(self._visited)))
        self._visited.append(np.packbits(self.state.arcs))


class _Trace:
    """Every graph visited."""

    def __init__(self, names: tuple[str, ...], n_starts: int) -> None:
        self._names = (*names, "")  # a start has no arc: −1
        self._n_starts = n_starts
        self._rows: list[tuple[int, str, str, str, float, float, int]] = []
        self._row_of_best = 0

    def add_visit(self, step: np.void, best: float, n_open: int) -> None:
        word = "start" if step["kind"] == moves.NONE else MOVE_WORDS[step["kind"]]
        if not self._rows or best > self._rows[-1][5]:
            self._row_of_best = len(self._rows)
        origin, score = int(step["origin"]) - self._n_starts, float(step["score"])
        self._rows.append((origin, word, self._names[step["u"]], self._names[step["v"]], score, best, n_open))

    def add_climb(self, move: Move, score: float) -> None:
        ends = self._names[move.u], self._names[move.v]
        n_open = self._rows[-1][-1]
        self._rows.append((self._row_of_best, MOVE_WORDS[move.kind], *ends, score, score, n_open))
        self._row_of_best = len(self._rows) - 1

    def columns(self) -> dict[str, NDArray[Any]]:
        kinds: dict[str, type] = {
            "parent": np.int64,
            "move": object,
            "source": object,
            "target": object,
            "score": np.float64,
            "best": np.float64,
            "open": np.int64,
        }
        columns = zip(*self._rows, strict=True)
        return {
            name: np.array(column, dtype=kind)
            for (name, kind), column in zip(kinds.items(), columns, strict=True)
        }

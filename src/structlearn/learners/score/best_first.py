"""Best-first search."""

from collections.abc import Sequence
from typing import ClassVar

from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import Counted, Limited, Narrowed, Scored, TolerantByFamily
from structlearn.learners.score.expansion.visit_trace import VisitTrace
from structlearn.learners.score.expansion.walk import Walk
from structlearn.options import Either, Instance, ListOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.rounding import is_better
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.space import Space
from structlearn.search.starts import start_from


class BestFirst(Scored, Narrowed, Limited, Counted, TolerantByFamily, DAGSearch):
    """Expand the best graph that was found and not yet expanded, wherever it was found."""

    patience: int | None = option(
        OrNone(Whole(1), "no limit"), "How many graphs in a row may bring no new best one.", default=100
    )
    max_expansions: int | None = option(
        OrNone(Whole(1), "no limit"), "The most graphs that are expanded.", default=10_000
    )
    max_open: int = option(
        Whole(1),
        "The most graphs that wait to be expanded. Beyond, the worst are dropped. A small number makes this "
        "a beam search of that width.",
        default=10_000,
    )
    initial: Graph | Sequence[Graph] | None = option(
        OrNone(Either((Instance(Graph), ListOf(Graph))), "only the required arcs"),
        "The DAG, or several, to start from. A node whose family cannot be scored, with more parents than "
        "rows, say, starts without its arcs.",
        default=None,
    )

    def _search(self, space: Space) -> Outcome:
        initials = self.initial if isinstance(self.initial, list | tuple) else [self.initial]
        starts = [start_from(space, initial) for initial in initials]
        walk, trace = Walk(starts, self.max_open), VisitTrace(space.names, n_starts=len(starts))
        best = self._expand_best(walk, trace)
        if space.run.must_stop():
            space.run.round_off()  # a moment, to drop arcs that bring nothing
        climb(best, trace.add_climb)
        return space.outcome(best.parents(), trace.columns(), n_dropped=walk.frontier.n_dropped)

    def _expand_best(self, walk: Walk, trace: VisitTrace) -> DAGState:
        """Visit the best waiting graph until patience, expansions or graphs run out."""
        best, run = walk.state.copy(), walk.state.space.run
        must_stop = run.before_steps()
        n_since_best = n_expanded = 0
        while len(walk.frontier):
            step = walk.advance()
            is_record = n_expanded == 0 or is_better(walk.state.score, best.score)
            best = walk.state.copy() if is_record else best
            n_since_best = 0 if is_record else n_since_best + 1
            trace.add_visit(step, best.score, len(walk.frontier))
            run.show(f"score {best.score:.1f} after {n_expanded} expansions", n_expanded, self.max_expansions)
            if n_since_best == self.patience or n_expanded == self.max_expansions or must_stop():
                break
            walk.expand()
            n_expanded += 1
        return best

    details: ClassVar[str] = """
    Attributes
    ----------
    n_dropped_ : int
        How many graphs were dropped because more than `max_open` waited. Where that is no less
        than `max_expansions`, none of them would have been expanded.
    trace_ : dict of arrays
        Each graph visited: "parent" (the row of the graph it was made from, below 0 for a
        start), "move" ("start" for a start), "source", "target", "score", "best" (the best score
        so far) and "open" (how many graphs wait). A climb at the end comes last.

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

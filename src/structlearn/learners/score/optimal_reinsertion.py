"""Optimal reinsertion."""

from typing import ClassVar

from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import Counted, Limited, Scored, Seeded, Started, TolerantByFamily
from structlearn.options import OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.rounding import is_better
from structlearn.search.candidates import COUNTED_CANDIDATES, CountedCandidates, given_and_counted
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.move_trace import MoveTrace
from structlearn.search.parent_sets import ParentSets
from structlearn.search.reinsertion import reinsert
from structlearn.search.space import Space
from structlearn.search.starts import shaken, start_from

MOST_SHAKES = 30  # more take a large graph too far from where it was


class OptimalReinsertion(Scored, Started, Limited, Counted, Seeded, TolerantByFamily, DAGSearch):
    """Cut out one node at a time and put it back with the best parents and children."""

    work_is_known: ClassVar[bool] = False
    set_size: int = option(
        Whole(1),
        "Up to which size all parent sets are tried. A node can get more parents as the child of others, one "
        "at a time, and in the plain climb at the end.",
        default=3,
    )
    candidates: CountedCandidates | None = option(
        COUNTED_CANDIDATES,
        "Of which nodes the sets tried for a node are made. So many of them, those that score most as the "
        "only parent, or those that another method has chosen: the ends of an edge of a graph, in either "
        "direction, or for each name its possible parents.",
        default=25,
    )
    restarts: int = option(Whole(0), "How often to shake the best graph and search again.", default=10)
    perturb: int | None = option(
        OrNone(Whole(1), "one per node, at most 30"), "How many random moves shake the graph.", default=None
    )
    random_state = 0

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
            best = state if is_better(state.score, best.score) else best
        return space.outcome(best.parents(), trace.columns())

    def _best_from(self, start: DAGState, sets: ParentSets, trace: MoveTrace) -> DAGState:
        """The better end of two searches: after a plain climb, and at once."""
        climbed = start.copy()
        climb(climbed, trace.add)
        self._improve(climbed, sets, trace)
        trace.at["climb"] += 1
        self._improve(start, sets, trace)
        return start if is_better(start.score, climbed.score) else climbed

    def _improve(self, state: DAGState, sets: ParentSets, trace: MoveTrace) -> None:
        """Reinsert and climb until neither improves the graph."""
        improved = True
        while improved and not state.space.run.must_stop():
            before = state.score
            self._reinsert_all(state, sets, trace)
            climb(state, trace.add)
            improved = is_better(state.score, before)

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

    details: ClassVar[str] = """
    Attributes
    ----------
    trace_ : dict of arrays
        Each change: "move" ("reinsert", or that of the climb), "source" (empty for a
        reinsertion), "target", "gain", "score" and "climb" (0 after a plain climb, 1 from
        the start itself, then one per restart).

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

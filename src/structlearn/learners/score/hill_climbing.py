"""Greedy hill-climbing."""

from typing import ClassVar

from structlearn.learners.gaps.fills_gaps import FillsGaps
from structlearn.learners.option_groups import (
    Counted,
    Formed,
    Limited,
    Narrowed,
    ParityChecked,
    Scored,
    Seeded,
    Started,
    Tabu,
)
from structlearn.options import OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.rounding import is_better
from structlearn.search.climbing import tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.move_trace import MoveTrace
from structlearn.search.orders.reordering import MOST_NODES, reorder
from structlearn.search.parity import ParityCheck
from structlearn.search.space import Space
from structlearn.search.starts import shaken, start_from

SHAKES, SHAKES_OF_MANY = 10, 100


class HillClimbing(
    Scored, Formed, Tabu, ParityChecked, Narrowed, Started, Limited, Counted, Seeded, FillsGaps
):
    """Improve a DAG one arc at a time until no single change helps."""

    work_is_known: ClassVar[bool] = False
    restarts: int = option(Whole(0), "How often to shake the best graph and climb again.", default=0)
    perturb: int = option(Whole(1), "How many random moves shake the graph.", default=10)
    shakes: int | None = option(
        OrNone(Whole(0), f"{SHAKES}; {SHAKES_OF_MANY} beyond {MOST_NODES} columns; 1 on resamples"),
        "How often in a row shaking the order of the nodes may bring nothing, once the climb has ended. Each "
        "node takes the best parents before it that were scored. Only with a tabu list; 0 for none.",
        default=None,
    )
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        if self.candidates is not None:
            space = space.scoring_candidates_only()
        trace = MoveTrace(space, climb=-1)
        best = self._climb(start_from(space, self.initial), trace)
        for _ in range(self.restarts):
            if space.run.must_stop():
                break
            found = self._climb(shaken(best, self.perturb), trace)
            best = found if is_better(found.score, best.score) else best
        usual = SHAKES if space.n_nodes <= MOST_NODES else SHAKES_OF_MANY
        shakes = usual if self.shakes is None else self.shakes
        if self.tabu and shakes and space.n_nodes > 1:
            best = reorder(best, shakes, lambda state: self._climb(state, trace))
        parents = best.parents()
        parity = ParityCheck(space, self.check_parity).scan_and_warn(parents)
        return space.outcome(parents, trace.columns(), parity=parity)

    def _climb(self, state: DAGState, trace: MoveTrace) -> DAGState:
        """Move until nothing improves or, with a tabu list, until patience runs out."""
        trace.at["climb"] += 1
        tabu_climb(state, trace.add, tabu=self.tabu, patience=self.patience)
        return state

    details: ClassVar[str] = """
    Attributes
    ----------
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    trace_ : dict of arrays
        Each move: "move", "source", "target", "gain", "score" and "climb" (0, then one per restart, then
        one per order that was shaken).

    Notes
    -----
    Steepest ascent over adding, removing and reversing an arc. A move changes at most two
    families, so a step scores O(p) new ones and remembers the rest, up to a fixed amount of memory.
    With the likelihood scores of discrete columns, families are not counted before they could be
    the best: a parent brings no more than is unknown of the child, or of itself. The moves are those
    of a search that scores all. Ties, up to rounding, go to adding, then removing, then reversing,
    then to the names of the arc's ends in alphabetical order. What is lost by such luck, shaken orders of
    the nodes mostly bring back. Of up to 12 columns all families are scored at once where that takes no
    longer, and the best of all orders takes the place of shaken ones.

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

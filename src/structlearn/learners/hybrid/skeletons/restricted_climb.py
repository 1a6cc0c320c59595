"""The second half of a hybrid: a tabu climb among candidate parents."""

from structlearn.graphs import Graph
from structlearn.options import Rules, Whole
from structlearn.outcome import Outcome
from structlearn.search.candidates import Candidates, candidate_matrix
from structlearn.search.climbing import tabu_climb
from structlearn.search.move_trace import MoveTrace
from structlearn.search.space import Space
from structlearn.search.starts import start_from

CLIMB_RULES: Rules = {
    "tabu": Whole(0, "how many past graphs may not be visited again"),
    "patience": Whole(1, "how many moves in a row may bring no new best graph"),
}


def restricted_climb(
    space: Space, chosen: Candidates, *, initial: Graph | None, tabu: int, patience: int
) -> Outcome:
    """The best DAG that a climb visits which adds arcs between columns and their candidates only.

    `initial` is the DAG to start from, the required arcs alone if None; its arcs are candidates too.
    """
    if initial is not None:
        chosen = chosen | candidate_matrix(space.owner, space.names, initial)
    space = space.among(chosen).scoring_candidates_only()
    state, trace = start_from(space, initial), MoveTrace(space)
    tabu_climb(state, trace.add, tabu=tabu, patience=patience)
    return space.outcome(state.parents(), trace.columns())

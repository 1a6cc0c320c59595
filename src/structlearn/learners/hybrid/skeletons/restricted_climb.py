"""The second half of a hybrid: a tabu climb among candidate parents."""

from structlearn.graphs import Graph
from structlearn.learners.option_groups import Tabu
from structlearn.options import Instance, OrNone, option
from structlearn.outcome import Outcome
from structlearn.search.candidates import Candidates, candidate_matrix
from structlearn.search.climbing import Note, tabu_climb, unnoted
from structlearn.search.dag_state import DAGState
from structlearn.search.move_trace import MoveTrace
from structlearn.search.space import Space
from structlearn.search.starts import refuse_other_columns, start_from


class RestrictedClimb(Tabu):
    """A climb that adds arcs between columns and their candidates only."""

    initial: Graph | None = option(
        OrNone(Instance(Graph), "only the required arcs"),
        "The DAG to start from. Its arcs may stay and be reversed, whoever the candidates are.",
        default=None,
    )


def climb_among(space: Space, chosen: Candidates, options: RestrictedClimb, note: Note = unnoted) -> DAGState:
    """The best DAG that the climb visits; `chosen` has a row of candidates for each child."""
    space.run.round_off()
    if options.initial is not None:
        refuse_other_columns(space, options.initial)
        chosen = chosen | candidate_matrix(space.owner, space.names, options.initial)
    state = start_from(space.among(chosen).scoring_candidates_only(), options.initial)
    tabu_climb(state, note, tabu=options.tabu, patience=options.patience)
    return state


def restricted_climb(space: Space, chosen: Candidates, options: RestrictedClimb) -> Outcome:
    """The outcome of a climb, with its moves."""
    trace = MoveTrace(space)
    state = climb_among(space, chosen, options, trace.add)
    return state.space.outcome(state.parents(), trace.columns())

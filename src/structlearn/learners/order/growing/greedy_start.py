"""A quick greedy search, whose DAG gives the first order."""

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.search import ClassSearch, climb_eagerly
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.space import Space
from structlearn.search.starts import state_with


def greedy_start(space: Space) -> DAGState:
    """Where greedy search ends: among classes where all their DAGs score the same, else among DAGs."""
    is_free = not (space.limits.frozen.any() or space.limits.closed.any())
    if space.is_equivalent and is_free:
        search = ClassSearch(space, Pattern.of(Admission(space.limits).start()))
        climb_eagerly(search, lambda _move, _score: None)
        return state_with(space, search.pattern.member())
    state = DAGState(space)
    climb(state)
    return state

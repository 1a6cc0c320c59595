"""A quick greedy search, whose DAG gives the first order."""

from structlearn.learners.score.class_admission import Admission
from structlearn.learners.score.class_pattern import Pattern
from structlearn.learners.score.class_search import ClassSearch, climb_eagerly
from structlearn.learners.score.climb import DAGState, Limits, graph_of
from structlearn.learners.score.starts import climb, start_state
from structlearn.run import Run
from structlearn.scores import FamilyScores, Score


def greedy_start(
    names: tuple[str, ...], score: Score, scores: FamilyScores, limits: Limits, run: Run
) -> DAGState:
    """Where greedy search ends: among classes where all their DAGs score the same, else among DAGs."""
    is_free = not (limits.frozen.any() or limits.closed.any())
    if getattr(score, "is_equivalent", False) and is_free:
        admission = Admission(limits)
        search = ClassSearch(Pattern.of(admission.start()), scores, admission, run)
        climb_eagerly(search, lambda _: None)
        return start_state("BOSS", names, scores, limits, graph_of(names, search.pattern.member()))
    state = start_state("BOSS", names, scores, limits, None)
    climb(state, run, lambda _: None)
    return state

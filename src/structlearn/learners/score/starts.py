"""Where a search over DAGs starts, and the plain climb with which it ends."""

from collections.abc import Callable

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.score.climb import DAGState, Limits, Move, arc_keys
from structlearn.learners.score.kernels import moves
from structlearn.options import Instance, OrNone
from structlearn.rounding import ENOUGH
from structlearn.run import Run
from structlearn.scores import FamilyScores

INITIAL = OrNone(Instance(Graph, "the DAG to start from"), "no arcs")
NO_TABU = np.empty(0, dtype=np.uint64)


def start_state(
    owner: str, names: tuple[str, ...], scores: FamilyScores, limits: Limits, initial: Graph | None
) -> DAGState:
    """The start of a search: the required arcs and those of `initial`."""
    state = DAGState(scores, limits, arc_keys(len(names)))
    if initial is None:
        return state
    if set(initial.nodes) != set(names) or not initial.is_dag:
        raise OptionError(f"{owner}(initial=…): initial is a DAG over the columns, {', '.join(names)}.")
    place = {name: column for column, name in enumerate(names)}
    for source, target in initial.directed:
        _add(owner, state, place[source], place[target], f"{source} → {target}")
    return state


def climb(state: DAGState, run: Run, note: Callable[[Move], None]) -> None:
    """Make the best move until none improves the score, and drop arcs that bring nothing."""
    while not run.must_stop():
        move = state.best_move(NO_TABU)
        if move is None or move.gain <= ENOUGH:
            break
        state.apply(move)
        note(move)
    for child, parent in np.argwhere(state.arcs & ~state.limits.frozen):
        move = state.move(moves.REMOVE, int(parent), int(child))
        if move.gain >= -ENOUGH:
            state.apply(move)
            note(move)


def shaken(state: DAGState, n_moves: int, rng: np.random.Generator) -> DAGState:
    """A copy of a state after so many random moves, less those to a score of −∞."""
    twin = state.copy()
    for _ in range(n_moves):
        move = twin.random_move(rng)
        if move is not None and np.isfinite(move.gain):
            twin.apply(move)
    return twin


def _add(owner: str, state: DAGState, u: int, v: int, arc: str) -> None:
    limits = state.limits
    if state.arcs[v, u]:
        return
    if limits.closed[v, u] or moves.is_above(state.ancestors, u, v):
        raise OptionError(
            f"{owner}(initial=…): knowledge or candidates rule out its arc {arc}; remove it, or allow it."
        )
    if state.arcs[v].sum() >= limits.max_parents:
        raise OptionError(f"{owner}(initial=…): with {arc} a node has more parents than max_parents.")
    state.apply(state.move(moves.ADD, u, v))

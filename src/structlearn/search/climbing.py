"""Climbs over DAGs: to the next local maximum, or past it along graphs that were not visited lately."""

from collections.abc import Callable

import numpy as np

from structlearn.rounding import is_better, slack
from structlearn.search.dag_state import DAGState, Move
from structlearn.search.kernels import moves

MOST_VISITED = 1 << 20  # more moves than any climb makes
Note = Callable[[Move, float], object]  # takes each move and the score after it


def unnoted(move: Move, score: float) -> None:
    """Forget a move."""


def climb(state: DAGState, note: Note = unnoted) -> None:
    """Make the best move until none improves the score, and drop arcs that bring nothing, as time allows."""
    # A move after which the families do not add up to a better score is the last, and taken back.
    tabu_climb(state, note, tabu=0, patience=1)
    for child, parent in np.argwhere(state.arcs & ~state.limits.frozen):
        if state.space.run.must_stop():
            break
        move = state.move(moves.REMOVE, int(parent), int(child))
        if move.gain >= -slack(state.score):
            state.apply(move)
            note(move, state.score)


def tabu_climb(state: DAGState, note: Note = unnoted, *, tabu: int, patience: int) -> None:
    """Make the best move to a graph that is not among the last `tabu`, better or not.

    After `patience` moves in a row without a new best graph the state goes back to the best one.
    With `tabu=0` the climb ends where no move is better.
    """
    visited = np.zeros(min(tabu, MOST_VISITED), dtype=np.uint64)
    n_visited, best_score = 0, state.score
    since_best: list[Move] = []
    is_over = False
    while not is_over and not state.space.run.must_stop():
        made, is_over = state.climb_on((visited, n_visited, best_score, len(since_best), patience))
        n_visited += len(made)
        for move, score in made:
            note(move, score)
            since_best.append(move)
            if is_better(score, best_score):
                best_score = score
                since_best.clear()
    state.undo(*since_best)

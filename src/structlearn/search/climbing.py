"""Climbs over DAGs: to the next local maximum, or past it along graphs that were not visited lately."""

from collections import deque
from collections.abc import Callable

import numpy as np

from structlearn.rounding import is_better, slack
from structlearn.search.dag_state import DAGState, Move
from structlearn.search.kernels import moves

Note = Callable[[Move, float], object]  # takes each move and the score after it


def unnoted(move: Move, score: float) -> None:
    """Forget a move."""


def climb(state: DAGState, note: Note = unnoted) -> None:
    """Make the best move until none improves the score, and drop arcs that bring nothing, as time allows."""
    while not state.space.run.must_stop():
        move = state.best_move()
        if move is None or not _improves(state, move):
            break
        note(move, state.score)
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
    visited: deque[np.uint64] = deque(maxlen=tabu)
    best_score = state.score
    since_best: list[Move] = []
    while len(since_best) < patience and not state.space.run.must_stop():
        move = state.best_move(np.array(visited, dtype=np.uint64))
        if move is None or (not tabu and move.gain <= slack(state.score)):
            break
        visited.append(state.key)
        state.apply(move)
        note(move, state.score)
        since_best.append(move)
        if is_better(state.score, best_score):
            best_score = state.score
            since_best.clear()
    for move in reversed(since_best):
        state.undo(move)


def _improves(state: DAGState, move: Move) -> bool:
    """Make a move that gains; it is taken back where the families do not add up to a better score."""
    before = state.score
    if move.gain <= slack(before):
        return False
    state.apply(move)
    if is_better(state.score, before):
        return True
    state.undo(move)
    return False

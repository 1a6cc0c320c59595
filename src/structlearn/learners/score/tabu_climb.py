"""Climbing past local maxima, along graphs that were not visited lately."""

from collections import deque
from collections.abc import Callable

import numpy as np

from structlearn.learners.score.climb import DAGState, Move
from structlearn.rounding import ENOUGH
from structlearn.run import Run


def tabu_climb(state: DAGState, run: Run, note: Callable[[Move], None], *, tabu: int, patience: int) -> None:
    """Make the best move to a graph that is not among the last `tabu`, better or not.

    After `patience` moves in a row without a new best graph the state goes back to the best one.
    With `tabu=0` the climb ends where no move is better.
    """
    visited: deque[np.uint64] = deque(maxlen=tabu)
    best_score = state.score
    since_best: list[Move] = []
    while len(since_best) < patience and not run.must_stop():
        move = state.best_move(np.array(visited, dtype=np.uint64))
        if move is None or (move.gain <= ENOUGH and not tabu):
            break
        visited.append(state.key)
        state.apply(move)
        note(move)
        since_best.append(move)
        if state.score > best_score + ENOUGH:
            best_score = state.score
            since_best.clear()
    for move in reversed(since_best):
        state.undo(move)

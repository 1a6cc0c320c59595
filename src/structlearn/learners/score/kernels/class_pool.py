"""Moves of one kind out of an equivalence class, those of one target in places of their own."""

import numpy as np

from structlearn.compile import kernel
from structlearn.learners.score.kernels.class_moves import best_move

TIES = 1e6  # gains that agree to so small a part of one are a tie


@kernel
def write_moves(first, new_gains, new_sources, new_before, ranks, gains, sources, before):
    """Write the moves of a target from a place on; returns the highest rank."""
    top, width = -np.inf, new_before.shape[1]
    for i in range(new_gains.size):
        place = first + i
        ranks[place] = np.rint(new_gains[i] * TIES) / TIES
        gains[place], sources[place] = new_gains[i], new_sources[i]
        for j in range(before.shape[1]):
            before[place, j] = new_before[i, j] if j < width else -1
        top = max(top, ranks[place])
    return top


@kernel
def best_of_targets(kind, tops, firsts, sizes, ranks, sources, before, starts, others, marks, part_of, reach):
    """The target and the place of the valid move with the highest rank; −1 without any.

    Ties go to the source, the target and those before it. `tops` has what no rank of a target exceeds; its
    moves are `sizes` many from `firsts` on.
    """
    best_target, best, least = -1, -1, -np.inf
    for target in range(tops.size):
        if tops[target] == -np.inf or tops[target] < least:
            continue
        first, end = firsts[target], firsts[target] + sizes[target]
        moves = ranks[first:end], sources[first:end], before[first:end]
        place = best_move(kind, target, least, *moves, starts, others, marks, part_of, reach)
        if place < 0:
            continue
        place += first
        if best < 0 or ranks[place] > least or sources[place] < sources[best]:
            best_target, best, least = target, place, ranks[place]
    return best_target, best

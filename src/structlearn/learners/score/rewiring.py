"""A search that jumps from one DAG to another."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.climb import DAGState
from structlearn.learners.score.kernels import moves


def rewire(state: DAGState, arcs: NDArray[np.bool_]) -> None:
    """Turn the graph of a state into another DAG; `key` stays behind."""
    changed = arcs != state.arcs
    if not changed.any():
        return
    # Old arcs go first, so that no cycle can arise on the way.
    for v, u in np.argwhere(changed & state.arcs):
        moves.remove_arc(state.arcs, state.ancestors, u, v)
    for v, u in np.argwhere(changed & arcs):
        moves.add_arc(state.arcs, state.ancestors, u, v)
    gains = state.gains
    for child in np.flatnonzero(changed.any(axis=1)).tolist():
        gains[child] = state.scores.toggles(child, np.flatnonzero(arcs[child]).tolist())
    state.score = state.scores.total(state.parents())


def leave_impossible(state: DAGState) -> None:
    """Take all arcs that are not required from families that cannot be scored."""
    arcs = state.arcs.copy()
    for child, parents in enumerate(state.parents()):
        if state.scores.local(child, parents) == -np.inf:
            arcs[child] = state.limits.frozen[child]
    rewire(state, arcs)

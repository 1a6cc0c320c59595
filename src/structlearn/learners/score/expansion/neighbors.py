"""Every DAG one move away from another, with its score."""

import numpy as np
from numpy.typing import NDArray

from structlearn.search.dag_state import DAGState
from structlearn.search.kernels import moves

# A graph as a move from another, the `origin`, which is a number in a list of graphs.
STEP = np.dtype([("score", "f8"), ("key", "u8"), ("origin", "i4"), ("kind", "i4"), ("u", "i4"), ("v", "i4")])
Steps = NDArray[np.void]


def start_step(state: DAGState, origin: int) -> Steps:
    """The graph of a state as no move from itself."""
    return np.array([(state.score, _key(state), origin, moves.NONE, -1, -1)], dtype=STEP)


def neighbors(state: DAGState, origin: int) -> Steps:
    """The graphs that a legal move makes of the state's: by adding, removing, then reversing.

    Moves of one kind are ordered by u and v.
    """
    gains, keys = state.gains, state.arc_keys
    may_add, may_remove, may_reverse = _legal(state)
    with np.errstate(invalid="ignore"):  # families may be impossible before and after
        found = np.concatenate(
            [
                _steps(moves.ADD, may_add, gains, keys),
                _steps(moves.REMOVE, may_remove, gains, keys),
                _steps(moves.REVERSE, may_reverse, gains, keys),
            ]
        )
        found["score"] += state.score
    found["key"] ^= _key(state)
    found["origin"] = origin
    possible: Steps = found[np.isfinite(found["score"])]
    return possible


def _key(state: DAGState) -> np.uint64:
    key: np.uint64 = np.bitwise_xor.reduce(state.arc_keys[state.arcs], initial=0)
    return key


def _legal(state: DAGState) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Which arcs may be added, removed and reversed."""
    arcs, above, limits = state.arcs, state.above, state.limits
    has_room = arcs.sum(axis=1) < limits.most_parents
    is_taken = arcs | above.T | limits.closed | np.eye(len(arcs), dtype=np.bool_)
    may_remove = arcs & ~limits.frozen
    may_reverse = may_remove & ~limits.closed.T & has_room
    children, parents = np.flatnonzero(may_reverse.any(axis=1)), np.flatnonzero(arcs.any(axis=0))
    # Floats, because only their products are fast.
    detours = arcs[np.ix_(children, parents)].astype(np.float32) @ above[parents].astype(np.float32)
    may_reverse[children] &= detours == 0
    return ~is_taken & has_room[:, None], may_remove, may_reverse


def _steps(
    kind: int, is_legal: NDArray[np.bool_], gains: NDArray[np.float64], keys: NDArray[np.uint64]
) -> Steps:
    u, v = np.nonzero(is_legal.T)
    steps = np.empty(len(u), dtype=STEP)
    steps["score"], steps["key"] = gains[v, u], keys[v, u]
    if kind == moves.REVERSE:
        steps["score"] += gains[u, v]
        steps["key"] ^= keys[u, v]
    steps["kind"], steps["u"], steps["v"] = kind, u, v
    return steps

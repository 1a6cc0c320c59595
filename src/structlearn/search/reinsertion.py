"""One step of optimal reinsertion: a node leaves the graph and comes back connected as best it can."""

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import ENOUGH, is_better, slack
from structlearn.search.dag_state import DAGState, unpacked
from structlearn.search.kernels import reinsertion as kernels
from structlearn.search.parent_sets import ScoredSets


def reinsert(state: DAGState, node: int, sets: ScoredSets) -> float:
    """Give a node its best parents and children; what that adds to the score, 0 if nothing changes."""
    was_child = state.arcs[:, node]
    gains = _gains_of_children(state, node)
    ancestors = kernels.ancestors_without(state.arcs, state.ancestors, node)
    present = state.scores.local(node, np.flatnonzero(state.arcs[node]).tolist())
    before = best = present + gains[was_child].sum()
    parents = None
    must_be_child = state.limits.frozen[:, node].copy()
    for tried in (sets, _near_present(state, node, present)):
        row, value = kernels.best_parents(
            tried.members, tried.scores, tried.ranks, ancestors, gains, must_be_child, best
        )
        if row >= 0:
            best, parents = value, tried.members[row]
    if parents is None or not best > before + slack(state.score):
        return 0.0
    parents = parents[parents >= 0]
    is_child = ((gains > ENOUGH) | must_be_child) & ~unpacked(ancestors[parents], len(gains)).any(axis=0)
    is_child[parents] = False
    arcs = state.arcs.copy()
    arcs[node] = False
    arcs[node, parents] = True
    arcs[:, node] = is_child
    arcs_now, score_now = state.arcs.copy(), state.score
    state.become(arcs)
    if is_better(state.score, score_now):
        return state.score - score_now
    state.become(arcs_now)
    return 0.0


def _gains_of_children(state: DAGState, node: int) -> NDArray[np.float64]:
    """What each node would bring as a child; minus infinity where it may not be one."""
    was_child = state.arcs[:, node]
    gains = state.gains[:, node].copy()
    gains[was_child] *= -1.0
    may_not = state.limits.closed[:, node].copy()
    asked = np.flatnonzero((gains > ENOUGH) | was_child)  # of others nothing is left below anyway
    n_parents = np.count_nonzero(state.arcs[asked], axis=1) - was_child[asked]
    may_not[asked] |= n_parents >= state.limits.most_parents[asked]
    may_not[node] = True
    gains[may_not & ~state.limits.frozen[:, node]] = -np.inf
    gains[(gains <= ENOUGH) & ~state.limits.frozen[:, node] & ~was_child] = -np.inf
    return gains


def _near_present(state: DAGState, node: int, present: float) -> ScoredSets:
    """The present parents, and these with one more or one fewer."""
    limits, gains = state.limits, state.gains[node]
    now = state.arcs[node]
    may_add = ~now & ~limits.closed[node] & (now.sum() < limits.most_parents[node])
    may_add[node] = False
    added, removed = np.flatnonzero(may_add), np.flatnonzero(now & ~limits.frozen[node])
    parents = np.flatnonzero(now)
    members = np.full((1 + len(added) + len(removed), len(parents) + 1), -1, dtype=np.int64)
    members[: 1 + len(added), :-1] = parents
    members[1 : 1 + len(added), -1] = added
    for row, left_out in enumerate(removed, start=1 + len(added)):
        members[row, : len(parents) - 1] = parents[parents != left_out]
    if present == -np.inf:  # nothing can be added to it
        scores = np.array([state.scores.local(node, row[row >= 0].tolist()) for row in members])
    else:
        scores = present + np.concatenate([[0.0], gains[added], gains[removed]])
    return ScoredSets.of(members, scores)

"""The best way to put a node back into a DAG. Matrices have a row per child."""

import numpy as np

from structlearn.compile import kernel
from structlearn.search.kernels.moves import beats, count_ancestors, inherit, is_above, tie


@kernel
def ancestors_without(arcs, ancestors, node):
    """Who is above whom, with the bits of `ancestors`, once all arcs at `node` are cut."""
    left = ancestors.copy()
    left[node] = np.uint64(0)
    n_above = np.full(arcs.shape[0], -1, dtype=np.int64)
    for v in range(arcs.shape[0]):
        if is_above(ancestors, v, node):
            n_above[v] = count_ancestors(ancestors, v)
    for v in np.argsort(n_above):  # a node has more ancestors than any of them
        if n_above[v] < 0:
            continue
        left[v] = np.uint64(0)
        for u in range(arcs.shape[0]):
            if arcs[v, u] and u != node:
                inherit(left, v, u)
    return left


@kernel
def best_parents(members, scores, ranks, ancestors, gains, is_required, current):
    """The parent set with which a node and its best children score most: (row, value).

    Rows of `members` end with −1 and are sorted by score. `gains` is what each node brings as a
    child, `is_required` which must be one. A child above a parent would close a cycle; all
    others that gain can be taken. Without a set better than `current` the row is −1.
    """
    most, children, n_children = 0.0, np.empty(gains.size, dtype=np.int64), 0
    for x in range(gains.size):
        if gains[x] > 0.0 or is_required[x]:
            most += gains[x]
            children[n_children] = x
            n_children += 1
    row, best, best_rank = -1, current, np.int64(-1)
    for i in range(scores.size):
        if scores[i] + most < best - tie(best):
            break
        value = scores[i]
        for x in children[:n_children]:
            if not is_above_any(ancestors, members[i], x):
                value += gains[x]
            elif is_required[x]:
                value = -np.inf
        if value > -np.inf and beats(value, ranks[i], best, best_rank):
            row, best, best_rank = i, value, ranks[i]
    return row, best


@kernel
def is_above_any(ancestors, members, x):
    """Whether a node is among the members or above one of them."""
    for member in members:
        if member < 0:
            return False
        if member == x or is_above(ancestors, member, x):
            return True
    return False

"""The best way to put a node back into a DAG. Matrices have a row per child."""

import numpy as np

from structlearn.compile import kernel
from structlearn.search.kernels.moves import beats, tie


@kernel
def ancestors_without(arcs, above, node):
    """Who is above whom, or the same, once all arcs at `node` are cut."""
    n = arcs.shape[0]
    n_above = np.zeros(n, dtype=np.int64)
    for v in range(n):
        for u in range(n):
            n_above[v] += above[v, u]
    reach = np.zeros((n, n), dtype=np.bool_)
    for v in np.argsort(n_above):  # a node has more ancestors than any of them
        reach[v, v] = True
        for u in range(n):
            if arcs[v, u] and u != node and v != node:
                for x in range(n):
                    reach[v, x] |= reach[u, x]
    return reach


@kernel
def best_parents(members, scores, ranks, reach, gains, is_required, current):
    """The parent set with which a node and its best children score most: (row, value).

    Rows of `members` end with −1 and are sorted by score. `gains` is what each node brings as a
    child, `is_required` which must be one. A child above a parent would close a cycle; all
    others that gain can be taken. Without a set better than `current` the row is −1.
    """
    most = 0.0
    for x in range(gains.size):
        if gains[x] > 0.0 or is_required[x]:
            most += gains[x]
    row, best, best_rank = -1, current, np.int64(-1)
    for i in range(scores.size):
        if scores[i] + most < best - tie(best):
            break
        value = scores[i]
        for x in range(gains.size):
            if gains[x] > 0.0 or is_required[x]:
                if not is_above_any(reach, members[i], x):
                    value += gains[x]
                elif is_required[x]:
                    value = -np.inf
        if value > -np.inf and beats(value, ranks[i], best, best_rank):
            row, best, best_rank = i, value, ranks[i]
    return row, best


@kernel
def is_above_any(reach, members, x):
    """Whether a node is among the members or above one of them."""
    for member in members:
        if member < 0:
            return False
        if reach[member, x]:
            return True
    return False

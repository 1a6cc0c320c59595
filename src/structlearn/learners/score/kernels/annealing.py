"""The proposals of simulated annealing."""

import math

from structlearn.compile import kernel
from structlearn.search.kernels.moves import (
    ADD,
    NONE,
    REMOVE,
    REVERSE,
    count_parents,
    is_above,
    may_reverse,
)


@kernel
def next_change(gains, arcs, ancestors, frozen, closed, max_parents, temperature, draws):
    """Propose until a change is accepted: (draws used, kind, u, v, gain), kind NONE if none is.

    An ordered pair (u, v) is drawn: it proposes to add u → v, to remove it where it is there, to
    reverse v → u where that is. So each pair of nodes goes to either of its two other states
    with the same probability. A row of `draws` has three uniform numbers.
    """
    n = arcs.shape[0]
    n_parents = count_parents(arcs)
    for i in range(draws.shape[0]):
        u = int(draws[i, 0] * n)
        v = int(draws[i, 1] * (n - 1))
        v += v >= u
        if arcs[v, u]:
            kind, gain, is_legal = REMOVE, gains[v, u], not frozen[v, u]
        elif arcs[u, v]:
            kind, gain = REVERSE, gains[u, v] + gains[v, u]
            is_legal = not (frozen[u, v] or closed[v, u]) and n_parents[v] < max_parents
            is_legal = is_legal and may_reverse(arcs, ancestors, v, u)
            u, v = v, u
        else:
            kind, gain = ADD, gains[v, u]
            is_legal = not (closed[v, u] or is_above(ancestors, u, v)) and n_parents[v] < max_parents
        if is_legal and (gain > 0.0 or draws[i, 2] < math.exp(gain / temperature)):
            return i + 1, kind, u, v, gain
    return draws.shape[0], NONE, -1, -1, 0.0

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

AT_ONCE = 32  # draws that are listed together: one of ten or so is accepted, and ends it


def _listed(draws):
    for start in range(0, len(draws), AT_ONCE):
        yield from draws[start : start + AT_ONCE].tolist()


def next_change_of_lists(gains, arcs, ancestors, frozen, closed, most_parents, temperature, draws):
    """What `next_change` does, by lists of Python's own: most of the proposals are refused."""
    n, parents, worth = len(arcs), arcs.tolist(), gains.tolist()
    is_closed, is_frozen, n_parents = closed.tolist(), frozen.tolist(), arcs.sum(axis=1).tolist()
    for i, (at_u, at_v, chance) in enumerate(_listed(draws)):
        u, v = int(at_u * n), int(at_v * (n - 1))
        v += v >= u
        if parents[v][u]:
            kind, gain, is_legal = REMOVE, worth[v][u], not is_frozen[v][u]
        elif parents[u][v]:
            kind, gain = REVERSE, worth[u][v] + worth[v][u]
            is_legal = not (is_frozen[u][v] or is_closed[v][u]) and n_parents[v] < most_parents[v]
            is_legal = is_legal and may_reverse(arcs, ancestors, v, u)
            u, v = v, u
        else:
            kind, gain = ADD, worth[v][u]
            is_legal = not (is_closed[v][u] or is_above(ancestors, u, v)) and n_parents[v] < most_parents[v]
        if is_legal and (gain > 0.0 or chance < math.exp(gain / temperature)):
            return i + 1, kind, u, v, gain
    return len(draws), NONE, -1, -1, 0.0


@kernel(instead=next_change_of_lists)
def next_change(gains, arcs, ancestors, frozen, closed, most_parents, temperature, draws):
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
            is_legal = not (frozen[u, v] or closed[v, u]) and n_parents[v] < most_parents[v]
            is_legal = is_legal and may_reverse(arcs, ancestors, v, u)
            u, v = v, u
        else:
            kind, gain = ADD, gains[v, u]
            is_legal = not (closed[v, u] or is_above(ancestors, u, v)) and n_parents[v] < most_parents[v]
        if is_legal and (gain > 0.0 or draws[i, 2] < math.exp(gain / temperature)):
            return i + 1, kind, u, v, gain
    return draws.shape[0], NONE, -1, -1, 0.0

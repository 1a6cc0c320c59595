"""The moves of a search over DAGs: which are legal, which is best, and what they change.

Matrices have a row per child: `arcs[v, u]` is u → v, `above[v, u]` that a directed path leads
from u to v, `gains[v, u]` what toggling u among the parents of v adds to the score.
"""

import numpy as np

from structlearn.compile import inlined, kernel

ADD, REMOVE, REVERSE, NONE = 0, 1, 2, 3
TIE = 1e-9


@inlined
def beats(gain, rank, best, best_rank):
    """Whether a move is better: by its gain or, where that is a tie, by its rank."""
    slack = TIE * max(1.0, abs(best)) if best > -np.inf else 0.0
    return gain > best + slack or (gain >= best - slack and rank < best_rank)


@kernel
def count_parents(arcs):
    """The number of parents of each node; loops compile in a fraction of the time of a sum."""
    n_parents = np.zeros(arcs.shape[0], dtype=np.int64)
    for v in range(arcs.shape[0]):
        for u in range(arcs.shape[0]):
            n_parents[v] += arcs[v, u]
    return n_parents


@kernel
def inherit(above, child, parent):
    """Put what is above the parent, and the parent, above the child."""
    above[child, parent] = True
    for x in range(above.shape[0]):
        above[child, x] |= above[parent, x]


@kernel
def may_reverse(arcs, above, u, v):
    """Whether u → v is the only directed path from u to v."""
    for w in range(arcs.shape[0]):
        if arcs[v, w] and w != u and above[w, u]:
            return False
    return True


@kernel
def is_listed(key, keys):
    """Whether a structure is among the remembered ones."""
    for i in range(keys.size):
        if keys[i] == key:
            return True
    return False


@kernel
def best_move(gains, arcs, above, frozen, closed, max_parents, key, arc_keys, tabu):
    """The legal move with the largest gain whose result is not tabu: (kind, u, v, gain).

    Ties go to adding, then removing, then reversing, then to the smallest (u, v). `frozen`
    arcs stay, `closed` ones may not be made. Without a legal move the kind is NONE.
    """
    n = arcs.shape[0]
    n_parents = count_parents(arcs)
    kind, from_, to, best, best_rank = NONE, -1, -1, -np.inf, (4 * n) * n
    for v in range(n):
        for u in range(n):
            if arcs[v, u]:
                if frozen[v, u]:
                    continue
                rank = (REMOVE * n + u) * n + v
                if beats(gains[v, u], rank, best, best_rank) and not is_listed(key ^ arc_keys[v, u], tabu):
                    kind, from_, to, best, best_rank = REMOVE, u, v, gains[v, u], rank
                rank = (REVERSE * n + u) * n + v
                gain = gains[v, u] + gains[u, v]
                if not beats(gain, rank, best, best_rank) or closed[u, v] or n_parents[u] >= max_parents:
                    continue
                if not may_reverse(arcs, above, u, v):
                    continue
                if not is_listed(key ^ arc_keys[v, u] ^ arc_keys[u, v], tabu):
                    kind, from_, to, best, best_rank = REVERSE, u, v, gain, rank
                continue
            rank = u * n + v
            if u == v or not beats(gains[v, u], rank, best, best_rank) or n_parents[v] >= max_parents:
                continue
            if arcs[u, v] or closed[v, u] or above[u, v]:
                continue
            if not is_listed(key ^ arc_keys[v, u], tabu):
                kind, from_, to, best, best_rank = ADD, u, v, gains[v, u], rank
    return kind, from_, to, best


@kernel
def add_arc(arcs, above, u, v):
    """Add u → v; what is above u is then above v and all below it."""
    arcs[v, u] = True
    for w in range(arcs.shape[0]):
        if w == v or above[w, v]:
            inherit(above, w, u)


@kernel
def remove_arc(arcs, above, u, v):
    """Remove u → v; what is above v and all below it is found again, parents first."""
    arcs[v, u] = False
    n = arcs.shape[0]
    is_stale = np.zeros(n, dtype=np.bool_)
    n_left = 0
    for w in range(n):
        is_stale[w] = w == v or above[w, v]
        n_left += is_stale[w]
    while n_left > 0:
        for w in range(n):
            if is_stale[w] and not has_stale_parent(arcs, is_stale, w):
                above[w] = False
                for p in range(n):
                    if arcs[w, p]:
                        inherit(above, w, p)
                is_stale[w] = False
                n_left -= 1


@kernel
def has_stale_parent(arcs, is_stale, node):
    """Whether the ancestors of a parent have still to be found."""
    for p in range(arcs.shape[0]):
        if arcs[node, p] and is_stale[p]:
            return True
    return False


@kernel
def legal_moves(arcs, above, frozen, closed, max_parents):
    """Every legal move as (kind, u, v), ordered by v and u."""
    n = arcs.shape[0]
    n_parents = count_parents(arcs)
    moves = []
    for v in range(n):
        for u in range(n):
            if u == v:
                continue
            if not arcs[v, u]:
                if not (arcs[u, v] or closed[v, u] or above[u, v]) and n_parents[v] < max_parents:
                    moves.append((ADD, u, v))
            elif not frozen[v, u]:
                moves.append((REMOVE, u, v))
                if not closed[u, v] and n_parents[u] < max_parents and may_reverse(arcs, above, u, v):
                    moves.append((REVERSE, u, v))
    return moves

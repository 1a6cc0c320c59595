"""The moves of a search over DAGs: which are legal, which is best, and what they change.

Matrices have a row per child: `arcs[v, u]` is u → v, `gains[v, u]` what toggling u among the
parents of v adds to the score, or at most adds where `is_bound[v, u]`. The row of a node in
`ancestors` has a bit for each node from which a directed path leads to it, 64 to a word. `graph`
is (arcs, ancestors, frozen, closed, most_parents): `frozen` arcs stay, `closed` ones may not be made, and
a node has at most so many parents.
"""

import math

import numpy as np

from structlearn import rounding
from structlearn.compile import count_bits, kernel

ADD, REMOVE, REVERSE, NONE, UNSURE = 0, 1, 2, 3, 4
LARGEST = np.finfo(np.float64).max

tie, slack = kernel(rounding.tie), kernel(rounding.slack)


@kernel
def beats(gain, rank, best, best_rank):
    """Whether a move is better: by its gain or, where that is a tie, by its rank."""
    margin = tie(best)
    return gain > best + margin or (gain >= best - margin and rank < best_rank)


@kernel(instead=lambda arcs: arcs.sum(axis=1, dtype=np.int64))
def count_parents(arcs):
    """The number of parents of each node; loops compile in a fraction of the time of a sum."""
    n_parents = np.zeros(arcs.shape[0], dtype=np.int64)
    for v in range(arcs.shape[0]):
        for u in range(arcs.shape[0]):
            n_parents[v] += arcs[v, u]
    return n_parents


@kernel
def has_room(arcs, v, most_parents):
    """Whether a node may have one more parent."""
    if most_parents[v] >= arcs.shape[0]:
        return True
    n_parents = 0
    for u in range(arcs.shape[0]):
        n_parents += arcs[v, u]
    return n_parents < most_parents[v]


@kernel(instead=lambda ancestors, v, u: int(ancestors[v, u >> 6]) >> int(u & 63) & 1 == 1)
def is_above(ancestors, v, u):
    """Whether a directed path leads from u to v."""
    return (ancestors[v, u >> 6] >> np.uint64(u & 63)) & np.uint64(1) != np.uint64(0)


def are_below(ancestors, v):
    """Whether a directed path leads from v to each node."""
    return ancestors[:, v >> 6] & np.uint64(1 << (int(v) & 63)) != 0


@kernel
def inherit(ancestors, child, parent):
    """Put what is above the parent, and the parent, above the child."""
    ancestors[child, parent >> 6] |= np.uint64(1) << np.uint64(parent & 63)
    for word in range(ancestors.shape[1]):
        ancestors[child, word] |= ancestors[parent, word]


@kernel
def may_reverse(arcs, ancestors, u, v):
    """Whether u → v is the only directed path from u to v."""
    for w in range(arcs.shape[0]):
        if arcs[v, w] and w != u and is_above(ancestors, w, u):
            return False
    return True


@kernel
def is_legal(kind, u, v, graph):
    """Whether a move may be made; to add an arc, v must have room for it.

    It leaves a DAG that has all `frozen` arcs, no new `closed` one and not too many parents.
    """
    arcs, ancestors, frozen, closed, most_parents = graph
    if kind == ADD:
        return not (u == v or arcs[u, v] or closed[v, u] or is_above(ancestors, u, v))
    if kind == REMOVE or frozen[v, u]:
        return not frozen[v, u]
    return not closed[u, v] and has_room(arcs, u, most_parents) and may_reverse(arcs, ancestors, u, v)


@kernel
def kinds_of_moves(is_arc, is_full):
    """The first kind of move of a pair (u, v), and the first that is none, by whether u → v is there."""
    if is_arc:
        return REMOVE, REVERSE + 1
    return (ADD, ADD) if is_full else (ADD, ADD + 1)


@kernel
def is_listed(key, keys):
    """Whether a structure is among the remembered ones."""
    for i in range(keys.size):
        if keys[i] == key:
            return True
    return False


@kernel
def best_move(gains, is_bound, most, graph, key, arc_keys, tabu, doubts):
    """The legal move with the largest gain whose result is not tabu: (kind, u, v, gain).

    Ties go to adding, then removing, then reversing, then to the smallest (u, v). Without a
    possible move the kind is NONE. It is UNSURE where gains that are only bounds could be the
    largest: `doubts`, all NaN before, then has the smallest of those bounds for each row.

    `most` has for each row a gain that no legal move of it exceeds. Only rows that could have
    the best move are looked at; what is found there replaces their entries in `most`.
    """
    n = most.size
    is_seen = np.zeros(n, dtype=np.bool_)
    gain, rank = -np.inf, NONE * n * n
    v = highest(most, is_seen)
    while v >= 0 and most[v] >= gain - tie(gain):
        is_seen[v] = True
        most[v], found, _ = row_moves(v, np.inf, gains, is_bound, graph, key, arc_keys, tabu, doubts)
        gain = max(gain, found)
        v = highest(most, is_seen)
    # An impossible family gains minus infinity, and one that replaces it, infinity.
    least = min(max(gain - tie(gain), -LARGEST), LARGEST)
    for v in range(n):
        if is_seen[v] and most[v] >= least:
            found = row_moves(v, least, gains, is_bound, graph, key, arc_keys, tabu, doubts)
            rank = min(rank, found[2])
    for v in range(n):
        if not math.isnan(doubts[v]):
            return UNSURE, -1, -1, gain
    kind, u, v = rank // (n * n), rank // n % n, rank % n
    return kind, u, v, gain if kind == NONE else gain_of(kind, u, v, gains)


@kernel
def highest(most, is_seen):
    """The row with the largest entry among those not seen; −1 where no move is possible in any."""
    row = -1
    for v in range(most.size):
        if not is_seen[v] and most[v] > (-np.inf if row < 0 else most[row]):
            row = v
    return row


def row_moves_of_lists(v, least, gains, is_bound, graph, key, arc_keys, tabu, doubts):
    """What `row_moves` does, with what it needs of each other node laid out in lists."""
    arcs, ancestors, _, closed, most_parents = graph
    n = arcs.shape[0]
    is_arc = arcs[v].tolist()
    is_full = most_parents[v] < n and sum(is_arc) >= most_parents[v]
    may_not_add = (arcs[:, v] | closed[v] | are_below(ancestors, v)).tolist()
    may_not_add[v] = True
    gains_of_toggling = gains[v].tolist(), gains[:, v].tolist()
    are_bounds = is_bound[v].tolist(), is_bound[:, v].tolist()
    most, best, rank = -np.inf, -np.inf, NONE * n * n
    for u in range(n):
        if not is_arc[u] and (is_full or may_not_add[u]):
            continue
        for kind in (REMOVE, REVERSE) if is_arc[u] else (ADD,):
            turns = kind == REVERSE
            gain = gains_of_toggling[0][u] + gains_of_toggling[1][u] if turns else gains_of_toggling[0][u]
            if not (gain > best or gain >= least):
                continue
            child, bound = (u if turns else v), gains_of_toggling[turns][u]
            is_sure = not are_bounds[turns][u]
            is_doubt = not is_sure and gain >= least and not doubts[child] <= bound
            if not (is_sure or is_doubt or gain > most) or (kind != ADD and not is_legal(kind, u, v, graph)):
                continue
            most = max(most, gain)
            if is_doubt:
                doubts[child] = bound
            if is_sure and not (tabu.size and is_listed(key_after(kind, u, v, key, arc_keys), tabu)):
                best = max(best, gain)
                rank = min(rank, (kind * n + u) * n + v) if gain >= least else rank
    return most, best, rank


@kernel(instead=row_moves_of_lists)
def row_moves(v, least, gains, is_bound, graph, key, arc_keys, tabu, doubts):
    """The legal moves of arcs into v: (largest gain, largest that is sure and not tabu, first rank).

    The rank is that of the first such move that gains `least`; bounds of that size become doubts.
    """
    arcs, ancestors, frozen, closed, most_parents = graph
    n, is_full = arcs.shape[0], not has_room(arcs, v, most_parents)
    word, bit = v >> 6, np.uint64(1) << np.uint64(v & 63)
    most, best, rank = -np.inf, -np.inf, NONE * n * n
    for u in range(n):
        # What `is_legal` says, without a call: with one for each node this took five times as long.
        if arcs[v, u]:
            first_kind, no_kind = REMOVE, REVERSE + 1
            if frozen[v, u]:
                continue
        else:
            first_kind, no_kind = ADD, ADD + 1
            if not (gains[v, u] > best or gains[v, u] >= least):
                continue
            if is_full or u == v or closed[v, u] or ancestors[u, word] & bit:
                continue
        for kind in range(first_kind, no_kind):
            gain = gain_of(kind, u, v, gains)
            if not (gain > best or gain >= least):
                continue
            child, parent = (u, v) if kind == REVERSE else (v, u)
            is_sure = not is_bound[child, parent]
            is_doubt = not is_sure and gain >= least and not doubts[child] <= gains[child, parent]
            if not (is_sure or is_doubt or gain > most):
                continue
            if kind == REVERSE and (closed[u, v] or not has_room(arcs, u, most_parents)):
                continue
            if kind == REVERSE and not may_reverse(arcs, ancestors, u, v):
                continue
            most = max(most, gain)
            if is_doubt:
                doubts[child] = gains[child, parent]
            if is_sure and not is_listed(key_after(kind, u, v, key, arc_keys), tabu):
                best = max(best, gain)
                rank = min(rank, (kind * n + u) * n + v) if gain >= least else rank
    return most, best, rank


@kernel
def gain_of(kind, u, v, gains):
    """What a move adds to the score, or at most adds."""
    return gains[v, u] + gains[u, v] if kind == REVERSE else gains[v, u]


@kernel
def key_after(kind, u, v, key, arc_keys):
    """The key of the structure that a move leads to."""
    after = key ^ arc_keys[v, u]
    return after ^ arc_keys[u, v] if kind == REVERSE else after


def reopen_of_lists(most, gains, arcs, ancestors, u, v):
    """What `reopen` does, with the nodes above and below found at once."""
    below = are_below(ancestors, v)
    below[v] = True
    lower = below.nonzero()[0].tolist()
    for a in range(most.size):
        if a != u and not is_above(ancestors, u, a):
            continue
        is_below_a = are_below(ancestors, a).tolist()
        for b in lower:
            if arcs[b, a]:
                most[b] = max(most[b], gain_of(REVERSE, a, b, gains))
            elif not is_below_a[b]:
                most[a] = max(most[a], gains[a, b])


@kernel(instead=reopen_of_lists)
def reopen(most, gains, arcs, ancestors, u, v):
    """Raise `most` to the moves that may be legal now that u → v is gone.

    They concern a node above u, or u, and a node below v, or v: all paths that went that way.
    """
    for a in range(most.size):
        if a != u and not is_above(ancestors, u, a):
            continue
        for b in range(most.size):
            if b != v and not is_above(ancestors, b, v):
                continue
            if arcs[b, a]:
                most[b] = max(most[b], gain_of(REVERSE, a, b, gains))
            elif not is_above(ancestors, b, a):
                most[a] = max(most[a], gains[a, b])


def add_arc_at_once(arcs, ancestors, u, v):
    """What `add_arc` does, for all below v at once."""
    arcs[v, u] = True
    is_changed = are_below(ancestors, v)
    is_changed[v] = True
    inherited = ancestors[u].copy()
    inherited[u >> 6] |= np.uint64(1 << (int(u) & 63))
    ancestors[is_changed] |= inherited


@kernel(instead=add_arc_at_once)
def add_arc(arcs, ancestors, u, v):
    """Add u → v; what is above u is then above v and all below it."""
    arcs[v, u] = True
    for w in range(arcs.shape[0]):
        if w == v or is_above(ancestors, w, v):
            inherit(ancestors, w, u)


def remove_arc_at_once(arcs, ancestors, u, v):
    """What `remove_arc` does, with the nodes below found at once."""
    arcs[v, u] = False
    if (arcs[v] & are_below(ancestors, u)).any():
        return
    is_changed = are_below(ancestors, v)
    is_changed[v] = True
    changed = is_changed.nonzero()[0]
    n_above = np.bitwise_count(ancestors[changed]).sum(axis=1)
    for w in changed[n_above.argsort(kind="stable")].tolist():  # a node has more ancestors than any of them
        find_ancestors_at_once(arcs, ancestors, w)


@kernel(instead=remove_arc_at_once)
def remove_arc(arcs, ancestors, u, v):
    """Remove u → v; what is above v and all below it is found again, ancestors first."""
    arcs[v, u] = False
    if not may_reverse(arcs, ancestors, u, v):
        return
    n = arcs.shape[0]
    below = np.empty(n, dtype=np.int64)
    n_above = np.empty(n, dtype=np.int64)
    n_below = 0
    for w in range(n):
        if w == v or is_above(ancestors, w, v):
            below[n_below] = w
            n_above[n_below] = count_ancestors(ancestors, w)
            n_below += 1
    for size in range(1, n):  # a node has more ancestors than any of them
        for i in range(n_below):
            if n_above[i] == size:
                find_ancestors(arcs, ancestors, below[i])


@kernel
def count_ancestors(ancestors, v):
    """How many nodes are above one."""
    n_above = 0
    for word in range(ancestors.shape[1]):
        n_above += count_bits(ancestors[v, word])
    return n_above


def find_ancestors_at_once(arcs, ancestors, v):
    """What `find_ancestors` does, for all parents at once."""
    parents = arcs[v].nonzero()[0]
    found = np.bitwise_or.reduce(ancestors[parents], axis=0)
    for u in parents.tolist():
        found[u >> 6] |= np.uint64(1 << (u & 63))
    ancestors[v] = found


@kernel(instead=find_ancestors_at_once)
def find_ancestors(arcs, ancestors, v):
    """What is above a node, from what is above its parents."""
    for word in range(ancestors.shape[1]):
        ancestors[v, word] = 0
    for u in range(arcs.shape[0]):
        if arcs[v, u]:
            inherit(ancestors, v, u)


def change_to_at_once(wanted, arcs, ancestors):
    """What `change_to` does, with the arcs that differ found at once."""
    changed = wanted != arcs
    for v, u in np.argwhere(changed & arcs):
        remove_arc(arcs, ancestors, u, v)
    for v, u in np.argwhere(changed & wanted):
        add_arc(arcs, ancestors, u, v)


@kernel(instead=change_to_at_once)
def change_to(wanted, arcs, ancestors):
    """Change the arcs to those of another DAG; old ones go first, so that no cycle can arise on the way."""
    for v in range(arcs.shape[0]):
        for u in range(arcs.shape[0]):
            if arcs[v, u] and not wanted[v, u]:
                remove_arc(arcs, ancestors, u, v)
    for v in range(arcs.shape[0]):
        for u in range(arcs.shape[0]):
            if wanted[v, u] and not arcs[v, u]:
                add_arc(arcs, ancestors, u, v)


@kernel
def nth_legal_move(number, graph):
    """The move of this number among all legal ones: (how many come before, kind, u, v).

    Moves are ordered by v, u and kind. Without so many the kind is NONE and all are counted.
    """
    arcs, n_before = graph[0], 0
    for v in range(arcs.shape[0]):
        is_full = not has_room(arcs, v, graph[4])
        for u in range(arcs.shape[0]):
            first_kind, no_kind = kinds_of_moves(arcs[v, u], is_full)
            for kind in range(first_kind, no_kind):
                if is_legal(kind, u, v, graph):
                    if n_before == number:
                        return n_before, kind, u, v
                    n_before += 1
    return n_before, NONE, -1, -1

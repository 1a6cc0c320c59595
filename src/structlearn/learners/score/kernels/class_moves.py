"""The moves out of an equivalence class, in the compressed rows of `class_structure`."""

import numpy as np

from structlearn.compile import kernel
from structlearn.learners.score.kernels.class_structure import CHILD, LINE, PARENT, find

INSERT, DELETE, TURN = 1, 2, 3


@kernel
def cliques(starts, others, marks, node):
    """Every set of pairwise adjacent neighbours of a node, smaller ones first; rows end with −1."""
    neighbors = np.empty(starts[node + 1] - starts[node], dtype=np.int64)
    n_neighbors = 0
    for k in range(starts[node], starts[node + 1]):
        if marks[k] == LINE:
            neighbors[n_neighbors] = others[k]
            n_neighbors += 1
    found = np.full((n_neighbors + 1, n_neighbors), -1, dtype=np.int64)
    next_one = np.zeros(n_neighbors + 1, dtype=np.int64)
    size = np.zeros(n_neighbors + 1, dtype=np.int64)
    n_found, i, largest = 1, 0, 0
    while i < n_found:
        for place in range(next_one[i], n_neighbors):
            is_clique = True
            for j in range(size[i]):
                is_clique &= find(starts, others, found[i, j], neighbors[place]) >= 0
            if not is_clique:
                continue
            if n_found == size.size:
                found = np.concatenate((found, np.full_like(found, -1)))
                next_one = np.concatenate((next_one, np.zeros_like(next_one)))
                size = np.concatenate((size, np.zeros_like(size)))
            for j in range(size[i]):
                found[n_found, j] = found[i, j]
            found[n_found, size[i]] = neighbors[place]
            size[n_found] = size[i] + 1
            next_one[n_found] = place + 1
            largest = size[n_found]
            n_found += 1
        i += 1
    return found[:n_found, :largest].copy()


@kernel
def has(members, node):
    """Whether a node is among the members of a row that may end with −1."""
    for member in members:
        if member == node:
            return True
    return False


@kernel
def best_move(kind, target, least, ranks, sources, before, starts, others, marks, part_of, reach):
    """Where the valid move of a target with the highest rank is; ties go to source and those before it.

    Moves below the least rank, and those with −∞, do not count. −1 without any.
    """
    best, known = -1, -1
    past = np.empty(reach.shape[1], dtype=np.uint64)
    waiting = np.empty(starts.size, dtype=np.int64)
    for k in range(ranks.size):
        if ranks[k] < least or ranks[k] == -np.inf or not comes_first(ranks, sources, before, k, best):
            continue
        if kind != DELETE:
            reached = reach[part_of[target]]
            if before.shape[1] > 0 and before[k, 0] >= 0:
                if known < 0 or not is_same(before[k], before[known]):
                    mark_reached(starts, others, marks, part_of, reach, target, before[k], waiting, past)
                    known = k
                reached = past
            if kind == INSERT and has_bit(reached, sources[k]):
                continue
            if kind == TURN and closes_a_cycle(starts, others, marks, reached, sources[k], target):
                continue
        best = k
    return best


@kernel
def comes_first(ranks, sources, before, k, best):
    """Whether move `k` is better than the best so far, or as good and earlier by position."""
    if best < 0 or ranks[k] > ranks[best]:
        return True
    if ranks[k] < ranks[best]:
        return False
    if sources[k] != sources[best]:
        return sources[k] < sources[best]
    for j in range(before.shape[1]):
        if before[k, j] != before[best, j]:
            return before[k, j] < before[best, j]
    return False


@kernel
def is_same(members, others):
    """Whether two rows are equal."""
    for j in range(members.size):
        if members[j] != others[j]:
            return False
    return True


@kernel
def mark_reached(starts, others, marks, part_of, reach, target, before, waiting, reached):
    """Set the bits of the nodes that lines and arrows lead to from the target, past those before it.

    Arrows lead out of the part that lines join for good, and from then on everywhere below.
    """
    for word in range(reached.size):
        reached[word] = np.uint64(0)
    set_bit(reached, target)
    waiting[0] = target
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        for k in range(starts[node], starts[node + 1]):
            other = others[k]
            if marks[k] == CHILD:
                for word in range(reached.size):
                    reached[word] |= reach[part_of[other], word]
            elif marks[k] == LINE and not has_bit(reached, other) and not has(before, other):
                set_bit(reached, other)
                waiting[n_waiting] = other
                n_waiting += 1


@kernel
def closes_a_cycle(starts, others, marks, reached, source, target):
    """Whether, past a turned arrow, a path that the member may direct leads from the target to the source.

    It would end in another parent of the source: the lines at the source are directed away from
    it. A turned line was asked for such paths when it was listed.
    """
    k = find(starts, others, source, target)
    if marks[k] == LINE:
        return False
    for j in range(starts[source], starts[source + 1]):
        if marks[j] == PARENT and j != k and has_bit(reached, others[j]):
            return True
    return False


@kernel
def set_bit(words, node):
    """Set the bit of a node."""
    words[node >> 6] |= np.uint64(1) << np.uint64(node & 63)


@kernel
def has_bit(words, node):
    """Whether the bit of a node is set."""
    return (words[node >> 6] >> np.uint64(node & 63)) & np.uint64(1) == np.uint64(1)

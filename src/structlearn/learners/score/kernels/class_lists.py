"""The moves of one target out of an equivalence class, in the compressed rows of `class_structure`.

A list of moves is their gains, their sources and, in rows that end with −1, those before the target of each.
"""

import numpy as np

from structlearn.compile import kernel
from structlearn.learners.score.kernels.class_moves import has
from structlearn.learners.score.kernels.class_structure import CHILD, LINE, PARENT, find


def split_gains_at_once(starts, others, marks, node, toggled, may_join, least):
    """What `split_gains` does, for all gains at once."""
    row = slice(starts[node], starts[node + 1])
    near = toggled.take(others[row], axis=1)
    is_listed = (toggled > least) & may_join
    is_listed[:, others[row]] = False
    is_listed[:, node] = False
    which, sources = np.divmod(np.flatnonzero(is_listed), len(may_join))
    return near, np.where(marks[row] == PARENT, near[0], -near[0]), toggled[which, sources], sources, which


@kernel(instead=split_gains_at_once)
def split_gains(starts, others, marks, node, toggled, may_join, least):
    """Split what toggling parents gains a node, a row per clique before it, by whether they are adjacent.

    First come the gains of the adjacent nodes, and what the node loses without each of them, or with it gains
    less, beside its certain parents; then the gains that are worth having of the other nodes that may join
    it, these nodes, and the rows they are of.
    """
    low, n_near = starts[node], starts[node + 1] - starts[node]
    is_open = may_join.copy()
    is_open[node] = False
    near, lost = np.empty((toggled.shape[0], n_near)), np.empty(n_near)
    for place in range(n_near):
        other = others[low + place]
        is_open[other] = False
        for i in range(toggled.shape[0]):
            near[i, place] = toggled[i, other]
        lost[place] = near[0, place] if marks[low + place] == PARENT else -near[0, place]
    n_found = 0
    for i in range(toggled.shape[0]):
        for other in range(may_join.size):
            n_found += is_open[other] and toggled[i, other] > least
    gains = np.empty(n_found)
    sources, which = np.empty(n_found, dtype=np.int64), np.empty(n_found, dtype=np.int64)
    at = 0
    for i in range(toggled.shape[0]):
        for other in range(may_join.size):
            if is_open[other] and toggled[i, other] > least:
                gains[at], sources[at], which[at] = toggled[i, other], other, i
                at += 1
    return near, lost, gains, sources, which


@kernel
def insertions(starts, others, marks, target, before, gains, sources, which):
    """The insertions whose target has all its neighbours beside the source among those before it.

    Insertion i puts `sources[i]` → target, with row `which[i]` of `before` above the target.
    """
    n_near = np.zeros(starts.size - 1, dtype=np.int64)
    for k in range(starts[target], starts[target + 1]):
        if marks[k] == LINE:
            for j in range(starts[others[k]], starts[others[k] + 1]):
                n_near[others[j]] += 1
    is_open = np.zeros(sources.size, dtype=np.bool_)
    for i in range(sources.size):
        n_left = n_near[sources[i]]
        if n_left > 0:
            for member in before[which[i]]:
                if member >= 0 and find(starts, others, member, sources[i]) >= 0:
                    n_left -= 1
        is_open[i] = n_left == 0
    return gains[is_open], sources[is_open], before[which[is_open]]


@kernel
def deletions(starts, others, marks, target, before, near, must_join, least):
    """The deletions of source → target or source — target that gain more than the least.

    Those before the target are a clique with the source, and row i of `near` is of row i of `before`.
    """
    low, n_found = starts[target], 0
    gains, sources = np.empty(near.size), np.empty(near.size, dtype=np.int64)
    above = np.full((near.size, before.shape[1]), -1, dtype=np.int64)
    for i in range(near.shape[0]):
        for place in range(near.shape[1]):
            source = others[low + place]
            if not near[i, place] > least or must_join[source]:
                continue
            if has(before[i], source) or (
                marks[low + place] == PARENT and count_apart(starts, others, before[i], source) == 0
            ):
                gains[n_found], sources[n_found] = near[i, place], source
                write_without(before[i], source, above[n_found])
                n_found += 1
    return gains[:n_found], sources[:n_found], above[:n_found]


@kernel
def turns(starts, others, marks, target, before, near, losses, may_join, least):
    """The turns of target → source or target — source that leave the class and gain more than the least.

    `losses` has what each source loses with the target as a parent beside its certain ones. Where some of
    those before a turned line are beside its source, too, that loses something else: such a move has what
    the target gains alone, and a flag. Whether an arrow's turn would close a cycle is not asked.
    """
    low, n_found = starts[target], 0
    is_half = np.zeros(near.size, dtype=np.bool_)
    gains, sources = np.empty(near.size), np.empty(near.size, dtype=np.int64)
    above = np.empty((near.size, before.shape[1]), dtype=np.int64)
    for i in range(near.shape[0]):
        for place in range(near.shape[1]):
            source, mark = others[low + place], marks[low + place]
            if mark == PARENT or not may_join[source] or near[i, place] == -np.inf or has(before[i], source):
                continue
            half = mark == LINE and count_apart(starts, others, before[i], source) < count(before[i])
            gain = near[i, place] if half else near[i, place] + losses[place]
            if not (half or gain > least):
                continue
            if mark == CHILD:
                may_turn = count_near_outside(starts, others, marks, target, before[i], source) == 0
            else:
                may_turn = may_turn_line(starts, others, marks, target, before[i], source)
            if may_turn:
                gains[n_found], sources[n_found], is_half[n_found] = gain, source, half
                above[n_found] = before[i]
                n_found += 1
    return gains[:n_found], sources[:n_found], above[:n_found], is_half[:n_found]


@kernel
def write_without(members, left_out, row):
    """Write the members but one of a row into another, which is −1 throughout."""
    size = 0
    for member in members:
        if member >= 0 and member != left_out:
            row[size] = member
            size += 1


@kernel
def count(members):
    """How many members a row has before it ends with −1."""
    found = 0
    for member in members:
        found += member >= 0
    return found


@kernel
def count_apart(starts, others, before, source):
    """How many of those before the target are not beside the source."""
    found = 0
    for member in before:
        found += member >= 0 and find(starts, others, member, source) < 0
    return found


@kernel
def count_near_outside(starts, others, marks, target, before, source):
    """How many neighbours of the target are beside the source and not before the target."""
    found = 0
    for k in range(starts[target], starts[target + 1]):
        if marks[k] == LINE and find(starts, others, source, others[k]) >= 0:
            found += not has(before, others[k])
    return found


@kernel
def may_turn_line(starts, others, marks, target, before, source):
    """Whether some member has these parents above the target and its turned line leaves the class.

    It needs one before the target that is not beside the source, or the turn would stay in the
    class; and no path of lines among the target's neighbours, past those before it and beside the
    source, from there to others beside the source (Hauser and Bühlmann, 2012).
    """
    low = starts[target]
    size = starts[target + 1] - low
    is_reached = np.zeros(size, dtype=np.bool_)
    waiting = np.empty(size, dtype=np.int64)
    n_waiting = 0
    for k in range(size):
        if has(before, others[low + k]) and find(starts, others, source, others[low + k]) < 0:
            is_reached[k] = True
            waiting[n_waiting] = k
            n_waiting += 1
    if n_waiting == 0:
        return False
    while n_waiting > 0:
        n_waiting -= 1
        node = others[low + waiting[n_waiting]]
        for k in range(size):
            other = others[low + k]
            if is_reached[k] or marks[low + k] != LINE:
                continue
            j = find(starts, others, node, other)
            if j < 0 or marks[j] != LINE:
                continue
            if find(starts, others, source, other) >= 0:
                if has(before, other):
                    continue
                return False
            is_reached[k] = True
            waiting[n_waiting] = k
            n_waiting += 1
    return True

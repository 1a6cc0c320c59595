"""Directing lines towards colliders, one after the other, where no arrow speaks against it.

Each node has a row of adjacent nodes, sorted; `marks` says what stands between them, seen from the owner of
the row. `room` is a number of the last search, the searches that saw each node last, and two queues of nodes.
"""

from structlearn.compile import kernel

LINE, OUT, IN = 0, 1, 2


@kernel
def point_at_colliders(triples, begin, end, starts, adjacent, marks, room, is_refused):
    """Make a → b ← c of triples from `begin` up to `end`; say which would turn an arrow or close a cycle."""
    for t in range(begin, end):
        a, b, c = triples[t]
        if may_point(a, b, starts, adjacent, marks, room) and may_point(c, b, starts, adjacent, marks, room):
            _point(a, b, starts, adjacent, marks)
            _point(c, b, starts, adjacent, marks)
        else:
            is_refused[t] = True


@kernel
def may_point(source, target, starts, adjacent, marks, room):
    """Whether the edge between two nodes is source → target, or could be without closing a cycle."""
    at = place_of(starts, adjacent, source, target)
    if at < 0 or marks[at] != LINE:
        return at >= 0 and marks[at] == OUT
    return not leads(target, source, starts, adjacent, marks, room)


@kernel
def leads(source, target, starts, adjacent, marks, room):
    """Whether arrows lead from one node to another, looked for from both ends, where there is less to see."""
    searches, seen, queues = room
    searches[0] += 2
    ahead, behind = searches[0], searches[0] + 1
    queues[0, 0], queues[1, 0] = source, target
    seen[source], seen[target] = ahead, behind
    head_ahead, tail_ahead, head_behind, tail_behind = 0, 1, 0, 1
    while head_ahead < tail_ahead and head_behind < tail_behind:
        is_ahead = tail_ahead - head_ahead <= tail_behind - head_behind
        side, wanted, own, other = (0, OUT, ahead, behind) if is_ahead else (1, IN, behind, ahead)
        begin, end = (head_ahead, tail_ahead) if is_ahead else (head_behind, tail_behind)
        tail = end
        for k in range(begin, end):
            node = queues[side, k]
            for at in range(starts[node], starts[node + 1]):
                if marks[at] != wanted:
                    continue
                if seen[adjacent[at]] == other:
                    return True
                if seen[adjacent[at]] != own:
                    seen[adjacent[at]] = own
                    queues[side, tail] = adjacent[at]
                    tail += 1
        if is_ahead:
            head_ahead, tail_ahead = end, tail
        else:
            head_behind, tail_behind = end, tail
    return False


@kernel
def place_of(starts, adjacent, owner, node):
    """Where a node is in the row of another; -1 if it is not."""
    low, high = starts[owner], starts[owner + 1]
    while low < high:
        middle = (low + high) // 2
        if adjacent[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low if low < starts[owner + 1] and adjacent[low] == node else -1


@kernel
def _point(source, target, starts, adjacent, marks):
    marks[place_of(starts, adjacent, source, target)] = OUT
    marks[place_of(starts, adjacent, target, source)] = IN

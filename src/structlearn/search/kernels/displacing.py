"""Nodes that are displaced in an order; `frozen[v, u]` says that u must come before v.

Where nothing is required it may be empty, so that nobody looks.
"""

import numpy as np

from structlearn.compile import kernel

NODES, BLOCK, PATH = range(3)  # what is displaced


def place_bounds_at_once(frozen, position, x):
    """What `place_bounds` does, for all required nodes at once."""
    if not frozen.size:
        return 0, position.size - 1
    now, places = position[x], position[frozen[x]]
    low = (places + (places < now)).max(initial=0)
    places = position[frozen[:, x]]
    return int(low), int((places - (places > now)).min(initial=position.size - 1))


@kernel(instead=place_bounds_at_once)
def place_bounds(frozen, position, x):
    """The first and last place of x: behind its required parents, and before its required children."""
    now, low, high = position[x], 0, position.size - 1
    for y in range(frozen.shape[0]):
        place = position[y]
        if frozen[x, y] and place + (place < now) > low:
            low = place + (place < now)
        if frozen[y, x] and place - (place > now) < high:
            high = place - (place > now)
    return low, high


def carry_at_once(order, position, x, place):
    """What `carry` does, with all nodes between at once."""
    now = position[x]
    if place > now:
        order[now:place] = order[now + 1 : place + 1]
    else:
        order[place + 1 : now + 1] = order[place:now]
    order[place] = x
    low, high = min(now, place), max(now, place) + 1
    position[order[low:high]] = np.arange(low, high)


@kernel(instead=carry_at_once)
def carry(order, position, x, place):
    """Put x at a place in the order."""
    now = position[x]
    step = 1 if place > now else -1
    for i in range(now, place, step):
        order[i] = order[i + step]
        position[order[i]] = i
    order[place] = x
    position[x] = place


@kernel
def draw_path(members, chosen, draw, perturb, path):
    """Write a path to a random node, the node first and its parent next; returns how many are on it."""
    path[0] = int(draw[1] * chosen.size)
    for n_arcs in range(2 * perturb):
        row, size = chosen[path[n_arcs]], 0
        while size < members.shape[1] and members[row, size] >= 0:
            size += 1
        if size == 0:
            return n_arcs + 1
        path[n_arcs + 1] = members[row, int(draw[2 + n_arcs] * size)]
    return 2 * perturb + 1


@kernel
def displace(kind, frozen, order, position, draw, perturb, path, n_path, pending):
    """Move nodes of an order, as far as what is required of them lets them, and mark them as pending.

    NODES are up to `perturb` of them, each by two of the numbers drawn. A BLOCK are some that follow each
    other and go to a random place. A PATH is turned round: its nodes come where its last was, from the first.
    """
    n = order.size
    begin, to = 0, 0
    if kind == NODES:
        fewest = 1 if perturb == 1 else 2
        count = fewest + int(draw[1] * (perturb - fewest + 1))
    elif kind == BLOCK:
        count = 2 + int(draw[1] * (2 * perturb - 1))
        count = min(count, n)
        begin, to = int(draw[2] * (n - count + 1)), int(draw[3] * (n - count + 1))
    else:
        count, to = n_path, position[path[n_path - 1]]
    for k in range(count):
        if kind == NODES:
            x, place = int(draw[2 + 2 * k] * n), int(draw[3 + 2 * k] * n)
        elif kind == PATH:
            x, place = path[k], to + k
        elif to < begin:
            x, place = order[begin + k], to + k
        else:
            x, place = order[begin], to + count - 1
        low, high = place_bounds(frozen, position, x)
        carry(order, position, x, min(max(place, low), high))
        pending[x] = True

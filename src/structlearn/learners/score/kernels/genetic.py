"""How a directed graph becomes acyclic again.

`arcs[v, u]` is u → v, one row per child.
"""

import numpy as np

from structlearn.compile import kernel
from structlearn.search.kernels.moves import count_parents


@kernel
def break_cycles(arcs, frozen, draws):
    """Remove a random arc of a cycle, none that is frozen, until there is no cycle; how many went.

    `draws` has a uniform number for each arc that may have to go.
    """
    path = np.empty(arcs.shape[0], dtype=np.int64)
    n_removed = 0
    start, end = find_cycle(arcs, path)
    while end > 0:
        v, u = random_arc(path, start, end, frozen, draws[n_removed])
        arcs[v, u] = False
        n_removed += 1
        start, end = find_cycle(arcs, path)
    return n_removed


@kernel
def find_cycle(arcs, path):
    """Write nodes to `path`, each a child of the next, so that [start, end) closes; (0, 0) if none does."""
    n = arcs.shape[0]
    n_parents = count_parents(arcs)
    take_away_acyclic(arcs, n_parents)
    node = 0
    while node < n and n_parents[node] == 0:
        node += 1
    if node == n:
        return 0, 0
    place = np.full(n, -1)
    length = 0
    while place[node] < 0:
        place[node] = length
        path[length] = node
        length += 1
        parent = 0
        while not (arcs[node, parent] and n_parents[parent] > 0):
            parent += 1
        node = parent
    return place[node], length


@kernel
def take_away_acyclic(arcs, n_parents):
    """Count down the parents of nodes that no cycle leads to; all others keep at least one."""
    n = arcs.shape[0]
    waiting = np.empty(n, dtype=np.int64)
    n_waiting = 0
    for v in range(n):
        if n_parents[v] == 0:
            waiting[n_waiting] = v
            n_waiting += 1
    while n_waiting > 0:
        n_waiting -= 1
        u = waiting[n_waiting]
        for v in range(n):
            if arcs[v, u]:
                n_parents[v] -= 1
                if n_parents[v] == 0:
                    waiting[n_waiting] = v
                    n_waiting += 1


@kernel
def random_arc(path, start, end, frozen, draw):
    """The arc (child, parent) of a cycle that a uniform number picks among those not frozen."""
    n_free = 0
    for i in range(start, end):
        n_free += not frozen[path[i], path[i + 1 if i + 1 < end else start]]
    wanted = int(draw * n_free)
    for i in range(start, end):
        v, u = path[i], path[i + 1 if i + 1 < end else start]
        if not frozen[v, u]:
            if wanted == 0:
                return v, u
            wanted -= 1
    return -1, -1

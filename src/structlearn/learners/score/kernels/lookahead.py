"""Completing sets of nodes of a decomposable graph, one link at a time.

The graph is there twice: `joined` is the symmetric matrix of its links, and the first `degree[v]`
places of `around[v]` are the neighbours of v. A step is a row of `steps`: the ends of a link, their
common neighbours, and −1 for the rest.
"""

import numpy as np

from structlearn.compile import kernel


@kernel
def complete_sets(joined, closed, sets, max_clique, steps, is_possible):
    """Write for each set how to add the links that it lacks; `steps` is (sets, links, max_clique).

    A set is possible if it lacks just so many links, every node of it one or more of them and none
    that is closed, and if the graph with them is decomposable without larger cliques.
    """
    n, n_links = joined.shape[0], steps.shape[1]
    around = np.empty((n, n), dtype=np.int64)
    degree = np.zeros(n, dtype=np.int64)
    list_neighbors(joined, around, degree)
    is_met = np.zeros(n, dtype=np.bool_)
    waiting = np.zeros(n, dtype=np.int64)
    for i in range(sets.shape[0]):
        is_possible[i] = False
        if lacks(joined, closed, sets[i], n_links):
            n_done = add_links(joined, around, degree, sets[i], max_clique, steps[i], is_met, waiting)
            is_possible[i] = n_done == n_links
            remove_links(joined, degree, steps[i], n_done)


@kernel
def list_neighbors(joined, around, degree):
    """Write the neighbours of each node, and how many there are."""
    for a in range(joined.shape[0]):
        for b in range(joined.shape[0]):
            if joined[a, b]:
                around[a, degree[a]] = b
                degree[a] += 1


@kernel
def lacks(joined, closed, nodes, n_links):
    """Whether so many links are missing, none of them closed, and some at every node."""
    n_missing = 0
    for place in range(nodes.size):
        n_here = 0
        for other in range(nodes.size):
            if place != other and not joined[nodes[place], nodes[other]]:
                n_here += 1
                if closed[nodes[place], nodes[other]]:
                    return False
        if n_here == 0:
            return False
        n_missing += n_here
    return n_missing == 2 * n_links


@kernel
def add_links(joined, around, degree, nodes, max_clique, steps, is_met, waiting):
    """Add the missing links that leave the graph decomposable, until none does; how many there are.

    From a decomposable graph to a larger one there is a way of single links through decomposable
    graphs (Lauritzen, 1996, lemma 2.21), from wherever one is: any link that may come next will do.
    """
    n_done = 0
    has_changed = True
    while has_changed:
        has_changed = False
        for place in range(nodes.size):
            for other in range(place + 1, nodes.size):
                a, b = nodes[place], nodes[other]
                if joined[a, b]:
                    continue
                if may_join(joined, around, degree, a, b, max_clique, steps[n_done], is_met, waiting):
                    joined[a, b] = True
                    joined[b, a] = True
                    around[a, degree[a]] = b
                    around[b, degree[b]] = a
                    degree[a] += 1
                    degree[b] += 1
                    n_done += 1
                    has_changed = True
    return n_done


@kernel
def remove_links(joined, degree, steps, n_done):
    """Take back links that were the last to be added."""
    for step in range(n_done):
        a, b = steps[step, 0], steps[step, 1]
        joined[a, b] = False
        joined[b, a] = False
        degree[a] -= 1
        degree[b] -= 1


@kernel
def may_join(joined, around, degree, a, b, max_clique, step, is_met, waiting):
    """Whether a link leaves the graph decomposable: its ends meet only through common neighbours."""
    for v in range(degree.size):
        is_met[v] = False
    step[0] = a
    step[1] = b
    n_written = 2
    for i in range(degree[a]):
        v = around[a, i]
        if joined[b, v]:
            if n_written >= max_clique:
                return False
            is_met[v] = True
            step[n_written] = v
            n_written += 1
    for i in range(n_written, step.size):
        step[i] = -1
    is_met[a] = True
    waiting[0] = a
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        for i in range(degree[node]):
            v = around[node, i]
            if v == b:
                return False
            if not is_met[v]:
                is_met[v] = True
                waiting[n_waiting] = v
                n_waiting += 1
    return True

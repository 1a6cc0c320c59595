"""Components and distances of an undirected graph, by compressed rows."""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import count_bits, kernel

Rows = tuple[NDArray[np.int64], NDArray[np.int64]]
Integers = NDArray[np.int64]

WORD = 64


@kernel
def component_of(rows: Rows) -> Integers:
    """Number the components by their first node, and tell for every node which it is in."""
    starts, others = rows
    n_nodes = starts.size - 1
    component = np.full(n_nodes, -1, dtype=np.int64)
    stack = np.empty(n_nodes, dtype=np.int64)
    n_components = 0
    for first in range(n_nodes):
        if component[first] >= 0:
            continue
        component[first] = n_components
        stack[0] = first
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            for place in range(starts[node], starts[node + 1]):
                other = others[place]
                if component[other] < 0:
                    component[other] = n_components
                    stack[top] = other
                    top += 1
        n_components += 1
    return component


@kernel
def distance_counts(rows: Rows, sources: Integers) -> Integers:
    """Count, for each distance, the nodes at that distance from each of `sources`, which differ.

    A word per node has a bit for each of 64 sources, so one breadth-first search serves them all.
    """
    n_nodes = rows[0].size - 1
    counts = np.zeros(max(n_nodes, 1), dtype=np.int64)
    seen = np.zeros(n_nodes, dtype=np.uint64)
    front = np.zeros(n_nodes, dtype=np.uint64)
    fresh = np.zeros(n_nodes, dtype=np.uint64)
    active = np.empty(n_nodes, dtype=np.int64)
    reached = np.empty(n_nodes, dtype=np.int64)
    for first in range(0, sources.size, WORD):
        block = sources[first : first + WORD]
        seen[:] = 0
        for bit in range(block.size):
            front[block[bit]] = np.uint64(1) << np.uint64(bit)
            seen[block[bit]] = front[block[bit]]
            active[bit] = block[bit]
        n_active, distance = block.size, 0
        while n_active > 0:
            distance += 1
            n_reached = _step(rows, active[:n_active], front, seen, fresh, reached)
            for i in range(n_reached):
                node = reached[i]
                counts[distance] += np.int64(count_bits(fresh[node]))
                seen[node] |= fresh[node]
                front[node] = fresh[node]
                fresh[node] = 0
                active[i] = node
            n_active = n_reached
    return counts


@kernel
def _step(rows, active, front, seen, fresh, reached):
    """Pass every active word on to the neighbours; list the nodes that it is new to."""
    starts, others = rows
    n_reached = 0
    for node in active:
        word = front[node]
        for place in range(starts[node], starts[node + 1]):
            other = others[place]
            new = word & ~seen[other]
            if new != 0:
                if fresh[other] == 0:
                    reached[n_reached] = other
                    n_reached += 1
                fresh[other] |= new
    return n_reached

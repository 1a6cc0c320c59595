"""Triangles of an undirected graph whose edges are directed from low to high degree."""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel

Rows = tuple[NDArray[np.int64], NDArray[np.int64]]


@kernel
def n_triangles(rows: Rows) -> NDArray[np.int64]:
    """Count the triangles at every node; each edge is in the row of one of its ends.

    The rows follow some order of the nodes. If that is by degree, this takes O(edges^1.5).
    """
    starts, others = rows
    n_nodes = starts.size - 1
    found = np.zeros(n_nodes, dtype=np.int64)
    marked = np.full(n_nodes, -1, dtype=np.int64)
    for a in range(n_nodes):
        for place in range(starts[a], starts[a + 1]):
            marked[others[place]] = a
        for place in range(starts[a], starts[a + 1]):
            b = others[place]
            for further in range(starts[b], starts[b + 1]):
                c = others[further]
                if marked[c] == a:
                    found[a] += 1
                    found[b] += 1
                    found[c] += 1
    return found

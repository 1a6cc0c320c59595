"""Sending rows down a tree."""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel

LEAF = 0
EACH_STATE = 1
ONE_STATE = 2
AT_MOST = 3


@kernel
def route(
    points: NDArray[np.float64],
    tests: NDArray[np.int64],
    tested: NDArray[np.int64],
    at: NDArray[np.float64],
    first: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Fill `out` with the vertex of the leaf that each row comes to.

    `points` is (parents, rows). The others are by vertex: what kind of test it is, of which parent, the
    state or threshold, and the first of the branches, which follow each other.
    """
    for row in range(out.size):
        vertex = 0
        while tests[vertex] != LEAF:
            value = points[tested[vertex], row]
            if tests[vertex] == EACH_STATE:
                branch = int(value)
            elif tests[vertex] == ONE_STATE:
                branch = 0 if value == at[vertex] else 1
            else:
                branch = 0 if value <= at[vertex] else 1
            vertex = first[vertex] + branch
        out[row] = vertex

"""How far dependence spreads in a graph, by compressed rows.

`marks` holds a stamp per node and purpose, so that one query after another needs no clearing.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel

Rows = tuple[NDArray[np.int64], NDArray[np.int64]]
Integers = NDArray[np.int64]

UP, DOWN, GIVEN = 0, 1, 2
N_PURPOSES = 3


@kernel
def d_separated(parent_rows: Rows, child_rows: Rows, queries: Integers) -> NDArray[np.bool_]:
    """Answer a batch: is x apart from y in every row (x, y, given …)? A negative given is no node."""
    n_nodes = parent_rows[0].size - 1
    marks = np.zeros((N_PURPOSES, n_nodes), dtype=np.int64)
    stack = np.empty(2 * n_nodes, dtype=np.int64)
    apart = np.empty(queries.shape[0], dtype=np.bool_)
    for q in range(queries.shape[0]):
        _stamp(marks[GIVEN], queries[q, 2:], q + 1)
        apart[q] = not _spread(parent_rows, child_rows, queries[q, :1], queries[q, 1], marks, stack, q + 1)
    return apart


@kernel
def d_connected(parent_rows: Rows, child_rows: Rows, starts: Integers, given: Integers) -> NDArray[np.bool_]:
    """Tell for every node whether an active path leads from one of `starts` to it."""
    n_nodes = parent_rows[0].size - 1
    marks = np.zeros((N_PURPOSES, n_nodes), dtype=np.int64)
    stack = np.empty(2 * n_nodes, dtype=np.int64)
    _stamp(marks[GIVEN], given, 1)
    _spread(parent_rows, child_rows, starts, -1, marks, stack, 1)
    reached: NDArray[np.bool_] = ((marks[UP] == 1) | (marks[DOWN] == 1)) & (marks[GIVEN] == 0)
    return reached


@kernel
def separated(neighbor_rows: Rows, queries: Integers) -> NDArray[np.bool_]:
    """Answer the batch of `d_separated` for an undirected graph."""
    n_nodes = neighbor_rows[0].size - 1
    marks = np.zeros(n_nodes, dtype=np.int64)
    stack = np.empty(n_nodes, dtype=np.int64)
    apart = np.empty(queries.shape[0], dtype=np.bool_)
    for q in range(queries.shape[0]):
        apart[q] = not _walk(
            neighbor_rows, queries[q, :1], queries[q, 2:], queries[q, 1], marks, stack, q + 1
        )
    return apart


@kernel
def connected(neighbor_rows: Rows, starts: Integers, given: Integers) -> NDArray[np.bool_]:
    """Tell for every node whether an undirected path around `given` leads from `starts` to it."""
    n_nodes = neighbor_rows[0].size - 1
    marks = np.zeros(n_nodes, dtype=np.int64)
    _walk(neighbor_rows, starts, given, -1, marks, np.empty(n_nodes, dtype=np.int64), 1)
    reached: NDArray[np.bool_] = marks == 1
    reached[given] = False
    return reached


@kernel
def _stamp(marks: Integers, nodes: Integers, stamp: int) -> None:
    for node in nodes:
        if node >= 0:
            marks[node] = stamp


@kernel
def _spread(
    parent_rows: Rows,
    child_rows: Rows,
    starts: Integers,
    stop: int,
    marks: Integers,
    stack: Integers,
    stamp: int,
) -> bool:
    """Roll the Bayes ball (Shachter, 1998) from `starts`; end, and say so, where it meets `stop`."""
    parent_starts, parents = parent_rows
    child_starts, children = child_rows
    top = 0
    for node in starts:
        top = _visit(node, UP, marks, stack, top, stamp)
    while top > 0:
        top -= 1
        node, direction = stack[top] // N_PURPOSES, stack[top] % N_PURPOSES
        is_given = marks[GIVEN, node] == stamp
        if node == stop and not is_given:
            return True
        if not is_given:
            for place in range(child_starts[node], child_starts[node + 1]):
                top = _visit(children[place], DOWN, marks, stack, top, stamp)
        # A given node sends what comes from a parent back to all parents, and stops the rest.
        if (direction == DOWN) == is_given:
            for place in range(parent_starts[node], parent_starts[node + 1]):
                top = _visit(parents[place], UP, marks, stack, top, stamp)
    return False


@kernel
def _visit(node: int, purpose: int, marks: Integers, stack: Integers, top: int, stamp: int) -> int:
    """Push a node that has not been seen for this purpose; return the new height of the stack."""
    if marks[purpose, node] == stamp:
        return top
    marks[purpose, node] = stamp
    stack[top] = node * N_PURPOSES + purpose
    return top + 1


@kernel
def _walk(
    neighbor_rows: Rows,
    starts: Integers,
    given: Integers,
    stop: int,
    marks: Integers,
    stack: Integers,
    stamp: int,
) -> bool:
    row_starts, neighbors = neighbor_rows
    _stamp(marks, given, stamp)
    top = 0
    for node in starts:
        marks[node] = stamp
        stack[top] = node
        top += 1
    while top > 0:
        top -= 1
        node = stack[top]
        if node == stop:
            return True
        for place in range(row_starts[node], row_starts[node + 1]):
            neighbor = neighbors[place]
            if marks[neighbor] != stamp:
                marks[neighbor] = stamp
                stack[top] = neighbor
                top += 1
    return False

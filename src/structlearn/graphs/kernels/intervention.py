"""Which effects of interventions a graph gets wrong, by compressed rows of the true DAG.

`marks` holds a stamp per purpose and node, so that one question after another needs no clearing.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel

Rows = tuple[NDArray[np.int64], NDArray[np.int64]]
Integers = NDArray[np.int64]

# How a walk arrives: against an arrow; along one, after a turn; along arrows only.
UP, DOWN, CAUSAL = 0, 1, 2
N_WAYS = 3
GIVEN, ABOVE_GIVEN, BELOW, SPOILED = 3, 4, 5, 6
N_PURPOSES = 7


@kernel
def n_wrong_effects(parent_rows: Rows, child_rows: Rows, nodes: Integers, given_rows: Rows) -> Integers:
    """Count, for each of `nodes`, the other nodes on which adjusting for its given gets the effect wrong.

    `given_rows` are compressed rows, one for each of `nodes`: its parents in the graph judged.
    """
    n_nodes = parent_rows[0].size - 1
    given_starts, given = given_rows
    marks = np.zeros((N_PURPOSES, n_nodes), dtype=np.int64)
    stack = np.empty(N_WAYS * n_nodes + 1, dtype=np.int64)
    n_wrong = np.zeros(nodes.size, dtype=np.int64)
    for q in range(nodes.size):
        node, stamp = nodes[q], q + 1
        _mark_relatives(
            parent_rows, child_rows, node, given[given_starts[q] : given_starts[q + 1]], marks, stack, stamp
        )
        _walk(parent_rows, child_rows, node, marks, stack, stamp)
        for other in range(n_nodes):
            if other == node:
                continue
            if marks[GIVEN, other] == stamp:
                # The graph judged makes `other` a parent, so it claims that there is no effect.
                n_wrong[q] += marks[BELOW, other] == stamp
            elif marks[SPOILED, other] == stamp or marks[UP, other] == stamp or marks[DOWN, other] == stamp:
                n_wrong[q] += 1
    return n_wrong


@kernel
def _mark_relatives(parent_rows, child_rows, node, given, marks, stack, stamp):
    """Mark what is given, at or above it, below `node`, and spoiled.

    A node is spoiled if a directed path from `node` to it meets something at or above a given one.
    """
    top = 0
    for other in given:
        marks[GIVEN, other] = stamp
        marks[ABOVE_GIVEN, other] = stamp
        stack[top] = other
        top += 1
    _spread(parent_rows, marks[ABOVE_GIVEN], stack, top, stamp)
    stack[0] = node
    _spread(child_rows, marks[BELOW], stack, 1, stamp)
    top = 0
    for other in range(marks.shape[1]):
        if marks[BELOW, other] == stamp and marks[ABOVE_GIVEN, other] == stamp:
            marks[SPOILED, other] = stamp
            stack[top] = other
            top += 1
    _spread(child_rows, marks[SPOILED], stack, top, stamp)


@kernel
def _spread(rows, marks, stack, top, stamp):
    """Mark what the rows lead to from the nodes on the stack."""
    starts, others = rows
    while top > 0:
        top -= 1
        node = stack[top]
        for place in range(starts[node], starts[node + 1]):
            other = others[place]
            if marks[other] != stamp:
                marks[other] = stamp
                stack[top] = other
                top += 1


@kernel
def _walk(parent_rows, child_rows, start, marks, stack, stamp):
    """Follow every active walk from `start` that does not come back to it; mark how it arrives."""
    parent_starts, parents = parent_rows
    child_starts, children = child_rows
    marks[UP, start] = stamp
    marks[DOWN, start] = stamp
    marks[CAUSAL, start] = stamp
    top = 0
    for place in range(parent_starts[start], parent_starts[start + 1]):
        top = _visit(parents[place], UP, marks, stack, top, stamp)
    for place in range(child_starts[start], child_starts[start + 1]):
        top = _visit(children[place], CAUSAL, marks, stack, top, stamp)
    while top > 0:
        top -= 1
        node, way = stack[top] // N_WAYS, stack[top] % N_WAYS
        is_given = marks[GIVEN, node] == stamp
        if not is_given:
            onward = CAUSAL if way == CAUSAL else DOWN
            for place in range(child_starts[node], child_starts[node + 1]):
                top = _visit(children[place], onward, marks, stack, top, stamp)
        # A given node sends what comes from a parent back to all parents, and stops the rest.
        if (way != UP) == is_given:
            for place in range(parent_starts[node], parent_starts[node + 1]):
                top = _visit(parents[place], UP, marks, stack, top, stamp)


@kernel
def _visit(node, way, marks, stack, top, stamp):
    if marks[way, node] == stamp:
        return top
    marks[way, node] = stamp
    stack[top] = node * N_WAYS + way
    return top + 1

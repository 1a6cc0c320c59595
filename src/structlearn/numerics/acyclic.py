"""Matrices of weights without cycles: entry [i, j] is that of the arc j → i."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import csgraph

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Order = NDArray[np.int64]


def acyclic_order(is_arc: Flags) -> Order | None:
    """An order in which parents, the columns of `is_arc`, come before children; None where there is a cycle.

    Of the nodes that are ready, those that stand first in the matrix come first.
    """
    n_missing = is_arc.sum(axis=1)
    is_left = np.ones(len(is_arc), dtype=np.bool_)
    found = []
    while is_left.any():
        ready = np.flatnonzero(is_left & (n_missing == 0))
        if not len(ready):
            return None
        node = ready[0]
        found.append(node)
        is_left[node] = False
        n_missing = n_missing - is_arc[:, node]
    return np.array(found, dtype=np.int64)


def descends(is_arc: Flags) -> Flags:
    """Which nodes a path of arcs leads to: the same matrix for paths."""
    found = is_arc
    while True:
        longer = found | ((found.astype(np.float32) @ found) > 0.0)  # whole numbers have no fast product
        if (longer == found).all():
            return np.ascontiguousarray(found)
        found = longer


def least_cut_order(weights: Floats, required: Flags) -> Order:
    """The order of what is left where the smallest weights are dropped, all to one size, until no cycle is.

    `required` arcs, which have none, stay.
    """
    sizes = np.where(required, 0.0, np.abs(weights))
    np.fill_diagonal(sizes, 0.0)
    levels = np.unique(sizes)  # the first is 0, that of the diagonal
    low, high = 0, len(levels) - 1
    while low < high:
        middle = (low + high) // 2
        if acyclic_order((sizes > levels[middle]) | required) is None:
            low = middle + 1
        else:
            high = middle
    order = acyclic_order((sizes > levels[high]) | required)
    assert order is not None, "what is required has no cycle"  # noqa: S101, an invariant
    return order


def without_cycles(weights: Floats, required: Flags) -> Floats:
    """The weights less, again and again, the smallest one on a cycle; `required` arcs stay."""
    found = weights.copy()
    while True:
        is_arc = (found != 0.0) | required
        _, part = csgraph.connected_components(is_arc, connection="strong")
        is_on_cycle = is_arc & (part[:, None] == part[None, :]) & ~required
        if not is_on_cycle.any():
            return found
        sizes = np.where(is_on_cycle, np.abs(found), np.inf)
        found[sizes == sizes.min()] = 0.0

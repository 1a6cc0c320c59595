"""Matrices of weights without cycles: entry [i, j] is that of the arc j → i."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import csgraph, sparse
from structlearn.run import MustStop, never

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Order = NDArray[np.int64]


def acyclic_order(is_arc: Flags) -> Order | None:
    """An order in which parents, the columns of `is_arc`, come before children; None where there is a cycle.

    Of the nodes that are ready, those that stand first in the matrix come first.
    """
    if not is_arc.any():
        return np.arange(len(is_arc))
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
    some = np.flatnonzero(is_arc.any(axis=0) | is_arc.any(axis=1))
    among = is_arc[np.ix_(some, some)]
    while True:
        longer = among | ((among.astype(np.float32) @ among) > 0.0)  # whole numbers have no fast product
        if (longer == among).all():
            break
        among = longer
    found = np.zeros(is_arc.shape, dtype=np.bool_)
    found[np.ix_(some, some)] = among
    return found


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


def without_cycles(weights: Floats, required: Flags, must_stop: MustStop = never) -> Floats:
    """The weights less, again and again, the smallest one on a cycle; `required` arcs stay.

    Once it must stop, as many at once as are left.
    """
    found, p = weights.copy(), len(weights)
    children, parents = np.nonzero((found != 0.0) | required)
    sizes = np.where(required[children, parents], np.inf, np.abs(found[children, parents]))
    while True:
        arcs = sparse.csr_array((np.ones(len(children)), (children, parents)), shape=(p, p))
        _, part = csgraph.connected_components(arcs, connection="strong")
        is_left = (part[children] == part[parents]) & np.isfinite(sizes)
        if not is_left.any():
            return found
        is_gone = is_left & (must_stop() | (sizes == sizes[is_left].min()))
        found[children[is_gone], parents[is_gone]] = 0.0
        children, parents, sizes = children[~is_gone], parents[~is_gone], sizes[~is_gone]

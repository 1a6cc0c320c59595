"""The best DAG of a few nodes, of all orders, where every family is scored."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import ENOUGH
from structlearn.search.limits import Limits

Sets = NDArray[np.int64]


def best_arcs(scores: NDArray[np.float64], limits: Limits) -> NDArray[np.bool_]:
    """The arcs of the best DAG within limits: a row per child.

    `scores` has those of each child with each set of parents, a bit per node. The best score of a set of
    nodes that come first is that of one less, and of the last one with its best parents among them.
    """
    n = len(scores)
    best, chosen = _best_within(_allowed(scores, limits))
    bits = 1 << np.arange(n)
    totals, last = np.zeros(1 << n), np.zeros(1 << n, dtype=np.int64)
    for sets, before, is_out in _sets_by_size(n):
        ends = totals[before] + best[np.arange(n), before]
        ends[is_out] = -np.inf
        last[sets] = ends.argmax(axis=1)
        totals[sets] = ends.max(axis=1)
    arcs = np.zeros((n, n), dtype=np.bool_)
    left = (1 << n) - 1
    while left:
        node = int(last[left])
        left ^= 1 << node
        arcs[node] = chosen[node, left] & bits != 0
    return arcs


def _allowed(scores: NDArray[np.float64], limits: Limits) -> NDArray[np.float64]:
    """The scores, −∞ where limits rule the parents out or the child is among them."""
    n = len(scores)
    sets, bits = np.arange(1 << n), 1 << np.arange(n)
    closed = (limits.closed | np.eye(n, dtype=np.bool_)) @ bits
    required = limits.frozen @ bits
    is_out = (sets & closed[:, None] != 0) | (sets & required[:, None] != required[:, None])
    is_out |= np.bitwise_count(sets) > limits.max_parents
    return np.where(is_out, -np.inf, scores)


def _best_within(allowed: NDArray[np.float64]) -> tuple[NDArray[np.float64], Sets]:
    """The best score of each child with parents from each set, and these; of those that tie, the fewer."""
    n = len(allowed)
    best, chosen = allowed.copy(), np.tile(np.arange(1 << n), (n, 1))
    for node in range(n):
        # The sets without the node, and beside them the same ones with it.
        shape = n, 1 << (n - 1 - node), 2, 1 << node
        scores, sets = best.reshape(shape), chosen.reshape(shape)
        is_as_good = scores[:, :, 0] >= scores[:, :, 1] - ENOUGH
        np.copyto(scores[:, :, 1], scores[:, :, 0], where=is_as_good)
        np.copyto(sets[:, :, 1], sets[:, :, 0], where=is_as_good)
    return best, chosen


@lru_cache(maxsize=8)
def _sets_by_size(n_nodes: int) -> list[tuple[Sets, Sets, NDArray[np.bool_]]]:
    """Sets of 1, 2, … nodes, each without each node, and whether this was not in it."""
    sets, bits = np.arange(1 << n_nodes), 1 << np.arange(n_nodes)
    of_sizes = [sets[np.bitwise_count(sets) == size][:, None] for size in range(1, n_nodes + 1)]
    return [(some[:, 0], some & ~bits, some & bits == 0) for some in of_sizes]

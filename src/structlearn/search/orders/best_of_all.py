"""The best DAG of a few nodes, of all orders, where every family is scored."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import ENOUGH
from structlearn.search.kernels.last_nodes import write_last
from structlearn.search.limits import Limits
from structlearn.search.orders.family_pool import LOWEST
from structlearn.search.space import Space

Sets = NDArray[np.int64]
Scores = NDArray[np.float64]


def best_of_all(space: Space, scores: Scores) -> list[list[int]]:
    """The parents in the best DAG of a space."""
    space.run.show("all orders")
    return [row.nonzero()[0].tolist() for row in best_arcs(scores, space.limits)]


def best_arcs(scores: Scores, limits: Limits) -> NDArray[np.bool_]:
    """The arcs of the best DAG within limits: a row per child.

    `scores` has those of each child with each set of parents, a bit per node. Of nodes that tie as the last
    of some, the first is it: which of them rounding favours depends on where the table is.
    """
    n = len(scores)
    allowed = _allowed(scores, limits)
    last = np.empty(1 << n, dtype=np.int64)
    write_last(allowed.copy(), np.empty((1 << n) + 1), last)
    before, left = [0] * n, (1 << n) - 1
    while left:
        node = int(last[left])
        left ^= 1 << node
        before[node] = left
    return _chosen(allowed, np.array(before))


def _allowed(scores: Scores, limits: Limits) -> Scores:
    """The scores, −∞ where limits rule the parents out or the child is among them, and nowhere else.

    What is required is allowed, however many parents it makes, and though nothing could be scored with it.
    """
    n = len(scores)
    is_out = _has_child(n)
    if limits.name_arcs or limits.max_parents < n - 1:
        sets, bits = np.arange(1 << n), 1 << np.arange(n)
        closed, required = (limits.closed @ bits)[:, None], (limits.frozen @ bits)[:, None]
        is_out = is_out | (sets & closed != 0) | (sets & required != required)
        most = np.maximum(limits.frozen.sum(axis=1), limits.most_parents)[:, None]
        is_out |= np.bitwise_count(sets) > most
    return np.where(is_out, -np.inf, np.maximum(scores, LOWEST))


def _chosen(allowed: Scores, before: Sets) -> NDArray[np.bool_]:
    """The arcs to each child from its best parents among the nodes before it; where sets tie, the fewest."""
    n = len(allowed)
    sets = np.arange(1 << n)
    within = np.where(sets & ~before[:, None], -np.inf, allowed)
    is_best = within >= within.max(axis=1, keepdims=True) - ENOUGH
    parents = np.where(is_best, np.bitwise_count(sets), n).argmin(axis=1)
    arcs: NDArray[np.bool_] = parents[:, None] >> np.arange(n) & 1 == 1
    return arcs


@lru_cache(maxsize=8)
def _has_child(n_nodes: int) -> NDArray[np.bool_]:
    has_child: NDArray[np.bool_] = np.arange(1 << n_nodes) & (1 << np.arange(n_nodes))[:, None] != 0
    return has_child

"""The best DAG of a few nodes, of all orders, where every family is scored."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import ENOUGH
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

    `scores` has those of each child with each set of parents, a bit per node. The best score of a set of
    nodes that come first is that of one less, and of the last one with its best parents among them.
    """
    n = len(scores)
    allowed = _allowed(scores, limits)
    best = _best_within(allowed).ravel()
    totals, last = np.full((1 << n) + 1, -np.inf), np.zeros(1 << n, dtype=np.int64)
    totals[0] = 0.0
    for sets, rest, families in _sets_by_size(n):
        ends = totals.take(rest)
        ends += best.take(families)
        totals[sets] = most = ends.max(axis=1)
        # Of those that tie the first: which of them rounding favours depends on where the table is.
        last[sets] = (ends >= most[:, None] - ENOUGH).argmax(axis=1)
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


def _best_within(allowed: Scores) -> Scores:
    """The best score of each child with parents from each set."""
    n, best = len(allowed), allowed.copy()
    for node in range(n):
        # The sets without the node, and beside them the same ones with it.
        halves = best.reshape(n, 1 << (n - 1 - node), 2, 1 << node)
        np.maximum(halves[:, :, 1], halves[:, :, 0], out=halves[:, :, 1])
    return best


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


@lru_cache(maxsize=8)
def _sets_by_size(n_nodes: int) -> list[tuple[Sets, Sets, Sets]]:
    """Sets of 1, 2, … nodes, each without each node, and the place of that node's family from the rest.

    A node that is not in the set leaves a set that there is not: one past the last.
    """
    sets, nodes = np.arange(1 << n_nodes), np.arange(n_nodes)
    of_sizes = [sets[np.bitwise_count(sets) == size][:, None] for size in range(1, n_nodes + 1)]
    without = [(some, some & ~(1 << nodes)) for some in of_sizes]
    return [
        (some[:, 0], np.where(some == less, 1 << n_nodes, less), (nodes << n_nodes) + less)
        for some, less in without
    ]

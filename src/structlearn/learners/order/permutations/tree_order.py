"""The order in which a tree of the strongest dependences grows from its root."""

import numpy as np

from structlearn.learners.score.trees.spanning import heaviest_forest, rooted
from structlearn.search.orders.random_orders import Order, parents_first
from structlearn.search.space import Space


def tree_order(space: Space) -> Order:
    """The nodes along the heaviest forest of pairs (Chow and Liu), strongest nodes first.

    A pair weighs what one node brings as the only parent of the other, in the better direction. Nodes that
    the score denies some parent, such as discrete ones among continuous ones, come before all others.
    """
    gains = space.scores.toggles_without_parents(space.run.must_stop)
    weights = np.maximum(np.maximum(gains, gains.T), 0.0)
    is_denied_some = (gains == -np.inf).any(axis=1)
    strongest = np.lexsort((-np.round(weights.sum(axis=1), 9), ~is_denied_some))
    arcs = np.zeros(weights.shape, dtype=np.bool_)
    for parent, child in rooted(len(weights), heaviest_forest(weights), strongest.tolist()):
        arcs[child, parent] = True
    along_tree = parents_first(strongest, arcs)
    denied_first = np.argsort(~is_denied_some[along_tree], kind="stable")
    return parents_first(along_tree[denied_first], space.limits.frozen)

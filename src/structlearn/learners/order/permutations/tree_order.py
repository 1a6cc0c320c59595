"""The order in which a tree of the strongest dependences grows from its root."""

import numpy as np

from structlearn.learners.order.permutations.node_orders import Order, parents_first
from structlearn.learners.score.climb import Limits
from structlearn.learners.score.spanning import heaviest_forest, rooted
from structlearn.scores import FamilyScores


def tree_order(scores: FamilyScores, limits: Limits) -> Order:
    """The nodes along the heaviest forest of pairs (Chow and Liu), strongest nodes first.

    A pair weighs what one node brings as the only parent of the other, in the better direction. Nodes that
    the score denies some parent, such as discrete ones among continuous ones, come before all others.
    """
    gains = scores.toggles_without_parents()
    weights = np.maximum(np.maximum(gains, gains.T), 0.0)
    is_denied_some = (gains == -np.inf).any(axis=1)
    strongest = np.lexsort((-np.round(weights.sum(axis=1), 9), ~is_denied_some))
    arcs = np.zeros(weights.shape, dtype=np.bool_)
    for parent, child in rooted(len(weights), heaviest_forest(weights), strongest.tolist()):
        arcs[child, parent] = True
    along_tree = parents_first(strongest, arcs)
    denied_first = np.argsort(~is_denied_some[along_tree], kind="stable")
    return parents_first(along_tree[denied_first], limits.frozen)

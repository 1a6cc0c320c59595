"""Scores of the trees of many families, grown from their contingency tables."""

import numpy as np

from structlearn.compile import kernel
from structlearn.scores.kernels.trees import NONE, grow


@kernel
def tree_scores(counts, starts, child_levels, levels, families, rule, untested, out):
    """Grow the tree of each family, and take `untested` off its score for each parent that no vertex tests.

    Tables have the axes (other parents, child, last parent), each with all joint states of the other
    parents in mixed-radix order. Parents are tried in the order of their columns.
    """
    for i in range(families.shape[0]):
        parents = families[i, 1:]
        order = np.argsort(parents)
        points, tallies = items_of_table(counts, starts[i], child_levels[i], levels, parents)
        items = np.arange(tallies.shape[0]).reshape((1, tallies.shape[0]))
        tested, _, _, _, _, _, score = grow(points[order], tallies, levels[parents[order]], items, rule)
        is_tested = np.zeros(parents.size, np.bool_)
        for parent in tested:
            if parent != NONE:
                is_tested[parent] = True
        out[i] = score - untested * (parents.size - is_tested.sum())


@kernel
def items_of_table(counts, start, n_states, levels, parents):
    """The joint states of the parents that occur, (parents, items), and the counts of the child in each."""
    n_last = levels[parents[-1]] if parents.size else 1
    n_joint = 1
    for parent in parents:
        n_joint *= levels[parent]
    points, tallies = np.empty((parents.size, n_joint)), np.zeros((n_joint, n_states))
    n_items = 0
    for joint in range(n_joint):
        stratum, last = joint // n_last, joint % n_last
        size = 0.0
        for state in range(n_states):
            count = counts[start + (stratum * n_states + state) * n_last + last]
            tallies[n_items, state] = count
            size += count
        if size > 0.0:
            rest = joint
            for place in range(parents.size - 1, -1, -1):
                points[place, n_items] = rest % levels[parents[place]]
                rest //= levels[parents[place]]
            n_items += 1
    return points[:, :n_items].copy(), tallies[:n_items].copy()

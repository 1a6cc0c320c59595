"""How many orders a DAG has."""

import numpy as np

from structlearn.compile import kernel


@kernel
def count_orders(parents, n_ways):
    """Count the orders of a DAG in which all parents come first.

    `parents` has a word per node with a bit per parent; `n_ways`, of 2ⁿ entries, gets for every set of
    nodes in how many orders it can come first.
    """
    n_sets = n_ways.size
    for nodes in range(n_sets):
        n_ways[nodes] = 0.0
    n_ways[0] = 1.0
    for nodes in range(n_sets - 1):
        if n_ways[nodes] == 0.0:
            continue
        for node in range(parents.size):
            bit = 1 << node
            if nodes & bit == 0 and parents[node] & ~nodes == 0:
                n_ways[nodes | bit] += n_ways[nodes]
    return n_ways[n_sets - 1]


@kernel
def count_orders_of_all(parents, counts):
    """Count the orders of many DAGs, one per row of `parents`."""
    n_ways = np.empty(1 << parents.shape[1])
    for i in range(counts.size):
        counts[i] = count_orders(parents[i], n_ways)

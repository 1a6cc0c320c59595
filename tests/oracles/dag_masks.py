"""Every DAG of a few nodes as numbers with a bit per parent, and the best of them."""

import functools
import itertools

import numpy as np


@functools.cache
def every_dag(n_nodes):
    """A row per DAG, a column per node: the parents of the node."""
    without_itself = [[mask for mask in range(1 << n_nodes) if not mask >> v & 1] for v in range(n_nodes)]
    choices = np.stack(np.meshgrid(*without_itself, indexing="ij"), axis=-1).reshape(-1, n_nodes)
    left = np.full(len(choices), (1 << n_nodes) - 1)
    for _ in range(n_nodes):  # in every round the nodes without parents leave, at least one in a DAG
        has_parents = (choices & left[:, None]) > 0
        left = left & (has_parents << np.arange(n_nodes)).sum(axis=1)
    return choices[left == 0]


def family_table(local, n_nodes, may_be=lambda child, parents: True):  # noqa: ARG005
    """The score of every family at [child, mask of parents]; minus infinity for those that may not be."""
    table = np.full((n_nodes, 1 << n_nodes), -np.inf)
    for child in range(n_nodes):
        others = [v for v in range(n_nodes) if v != child]
        for size in range(n_nodes):
            for parents in itertools.combinations(others, size):
                if may_be(child, parents):
                    table[child, sum(1 << u for u in parents)] = local(child, parents)
    return table


def best_score(table):
    """The best sum of family scores over all DAGs."""
    n_nodes = len(table)
    return max(table[np.arange(n_nodes), every_dag(n_nodes)].sum(axis=1))

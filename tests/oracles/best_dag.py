"""The best of all DAGs, by trying every one."""

import functools
import itertools

import numpy as np

from tests.oracles import scores as oracle


@functools.cache
def every_dag(n_nodes):
    """Every DAG as a tuple of parent sets."""
    return tuple(oracle.all_parent_choices(n_nodes))


def every_family(n_nodes):
    """Every (child, parents)."""
    for child in range(n_nodes):
        others = [node for node in range(n_nodes) if node != child]
        for size in range(n_nodes):
            yield from ((child, parents) for parents in itertools.combinations(others, size))


def bic_of_families(data):
    """The BIC of every family of a discrete table, columns in alphabetical order."""
    columns = [data.column(name) for name in sorted(data.names)]
    codes = np.column_stack([column.codes for column in columns]).tolist()
    levels = [len(column.labels) for column in columns]
    return {family: oracle.bic(codes, levels, *family) for family in every_family(len(columns))}


def best_score(families, n_nodes):
    """The best sum of family scores over all DAGs."""
    return max(sum(families[family] for family in enumerate(parents)) for parents in every_dag(n_nodes))

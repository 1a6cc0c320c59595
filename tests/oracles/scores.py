"""Scores by their definitions, in plain Python."""

import itertools
import math

import numpy as np

from tests.oracles.contingency import counts


def family_counts(codes, child, parents):
    """{state of the parents: {state of the child: count}}, only what occurs."""
    table = {}
    for state, count in counts(codes, [*parents, child]).items():
        table.setdefault(state[:-1], {})[state[-1]] = count
    return table


def log_likelihood(codes, child, parents):
    total = 0.0
    for row in family_counts(codes, child, parents).values():
        total += sum(n * math.log(n / sum(row.values())) for n in row.values())
    return total


def bic(codes, levels, child, parents):
    n_free = math.prod(levels[p] for p in parents) * (levels[child] - 1)
    return log_likelihood(codes, child, parents) - 0.5 * n_free * math.log(len(codes))


def bdeu_by_urn(codes, levels, child, parents, ess):
    """The evidence as a product of predictions: each row is predicted from those before it."""
    cell = ess / (levels[child] * math.prod(levels[p] for p in parents))
    seen = {}
    total = 0.0
    for row in codes:
        state = tuple(row[p] for p in parents)
        of_state = seen.setdefault(state, [cell] * levels[child])
        total += math.log(of_state[row[child]] / sum(of_state))
        of_state[row[child]] += 1.0
    return total


def gaussian_bic(rows, child, parents):
    """Regression by least squares on the rows."""
    n = len(rows)
    design = np.column_stack([np.ones(n), rows[:, list(parents)]])
    residual = rows[:, child] - design @ np.linalg.lstsq(design, rows[:, child], rcond=None)[0]
    variance = residual @ residual / n
    likelihood = -0.5 * n * (math.log(2 * math.pi * variance) + 1)
    return likelihood - 0.5 * (len(parents) + 2) * math.log(n)


def all_parent_choices(n_nodes):
    """Every DAG over n nodes as a tuple of parent sets."""
    subsets = [
        [s for k in range(n_nodes) for s in itertools.combinations([u for u in range(n_nodes) if u != v], k)]
        for v in range(n_nodes)
    ]
    for parents in itertools.product(*subsets):
        if _is_acyclic(parents):
            yield parents


def _is_acyclic(parents):
    left = set(range(len(parents)))
    while left:
        sources = {v for v in left if not left & set(parents[v])}
        if not sources:
            return False
        left -= sources
    return True

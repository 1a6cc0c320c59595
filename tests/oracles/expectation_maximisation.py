"""Expectation-maximisation by its definition: every completion of every row, weighed by its probability."""

import itertools
import math
from collections import Counter

import numpy as np

from structlearn.models import TableCPD
from tests.oracles import models


def completions(model, row):
    """Every way to fill in the gaps of a row, with its probability; None is a gap."""
    choices = [model.labels[node] if row[node] is None else (row[node],) for node in model.nodes]
    filled = [dict(zip(model.nodes, states, strict=True)) for states in itertools.product(*choices)]
    return [(whole, models.row_probability(model, whole)) for whole in filled]


def log_likelihood(model, rows, weights=None):
    """That of what was observed."""
    weights = [1.0] * len(rows) if weights is None else weights
    return math.fsum(
        w * math.log(math.fsum(p for _, p in completions(model, row)))
        for row, w in zip(rows, weights, strict=True)
    )


def maximised(model, rows, *, weights=None, smoothing=0.0):
    """One step: the expected rows, and the tables of most likelihood given them."""
    weights = [1.0] * len(rows) if weights is None else weights
    expected = []
    for row, weight in zip(rows, weights, strict=True):
        filled = completions(model, row)
        total = math.fsum(p for _, p in filled)
        expected += [(whole, weight * p / total) for whole, p in filled]
    return estimated(model, expected, {n: smoothing / c.probabilities.size for n, c in model.cpds.items()})


def start(model, rows, weights=None):
    """Tables of the rows that lack nothing of a family, and a pseudo-row for each state of the parents."""
    weights = [1.0] * len(rows) if weights is None else weights
    return estimated(
        model, list(zip(rows, weights, strict=True)), {n: 1 / len(model.labels[n]) for n in model.nodes}
    )


def estimated(model, weighted_rows, alphas):
    cpds = {}
    for node, cpd in model.cpds.items():
        family = (*cpd.parents, node)
        seen = Counter()
        for row, weight in weighted_rows:
            if None not in [row[name] for name in family]:
                seen[tuple(row[name] for name in family)] += weight
        counts = np.full(cpd.probabilities.shape, alphas[node])
        for cell, states in zip(np.ndindex(counts.shape), _states(model, family), strict=True):
            counts[cell] += seen[states]
        totals = counts.sum(axis=-1, keepdims=True)
        table = np.where(totals > 0, counts / np.where(totals > 0, totals, 1), 1 / len(cpd.labels))
        cpds[node] = TableCPD(table, labels=cpd.labels, parents=cpd.parents)
    return models.network(cpds)


def _states(model, family):
    return itertools.product(*(model.labels[name] for name in family))

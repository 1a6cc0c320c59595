"""Networks by their definition: products over rows and enumeration of every joint state."""

import itertools
import math
from collections import Counter

import numpy as np
from hypothesis import strategies as st

from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, LinearGaussianCPD, TableCPD

ASIA = {
    "asia": ((), [0.01, 0.99]),
    "tub": (("asia",), [[0.05, 0.95], [0.01, 0.99]]),
    "smoke": ((), [0.5, 0.5]),
    "lung": (("smoke",), [[0.1, 0.9], [0.01, 0.99]]),
    "bronc": (("smoke",), [[0.6, 0.4], [0.3, 0.7]]),
    "either": (("lung", "tub"), [[[1, 0], [1, 0]], [[1, 0], [0, 1]]]),
    "xray": (("either",), [[0.98, 0.02], [0.05, 0.95]]),
    "dysp": (("either", "bronc"), [[[0.9, 0.1], [0.7, 0.3]], [[0.8, 0.2], [0.1, 0.9]]]),
}
"""Lauritzen and Spiegelhalter (1988), as printed: parents and tables, "yes" before "no"."""


def asia():
    return network({name: TableCPD(t, labels=["yes", "no"], parents=p) for name, (p, t) in ASIA.items()})


def unfaithful_gaussians():
    """Three adjacent normal variables of which the first and last are uncorrelated."""
    return network(
        {
            "x1": LinearGaussianCPD(1.0, {}, variance=4.0),
            "x2": LinearGaussianCPD(0.5, {"x1": 2.0}, variance=1.0),
            "x3": LinearGaussianCPD(-1.0, {"x1": 1.0, "x2": -0.5}, variance=0.25),
        }
    )


def network(cpds):
    arrows = [(parent, node) for node, cpd in cpds.items() for parent in cpd.parents]
    return BayesianNetwork(Graph(cpds, directed=arrows), cpds)


def row_probability(model, row):
    """The product of a table entry per node; `row` maps nodes to labels."""
    product = 1.0
    for node, cpd in model.cpds.items():
        cell = cpd.probabilities
        for parent in cpd.parents:
            cell = cell[model.cpds[parent].labels.index(row[parent])]
        product *= float(cell[cpd.labels.index(row[node])])
    return product


def joint(model):
    """The probability of every joint state, by the labels of the nodes in order."""
    states = itertools.product(*(model.labels[node] for node in model.nodes))
    return {state: row_probability(model, dict(zip(model.nodes, state, strict=True))) for state in states}


def log_likelihood(model, rows, weights=None):
    weights = [1.0] * len(rows) if weights is None else weights
    return math.fsum(w * math.log(row_probability(model, row)) for row, w in zip(rows, weights, strict=True))


def estimated_row(rows, child, given, labels, *, weights=None, alpha=0.0):
    """The smoothed shares of each label of `child` among the rows that agree with `given`."""
    weights = [1.0] * len(rows) if weights is None else weights
    seen = Counter()
    for row, weight in zip(rows, weights, strict=True):
        if all(row[parent] == state for parent, state in given.items()):
            seen[row[child]] += weight
    total = sum(seen.values()) + alpha * len(labels)
    if total == 0:
        return [1 / len(labels)] * len(labels)
    return [(seen[label] + alpha) / total for label in labels]


def random_tables(seed, *, n_nodes=4, most_levels=3):
    """A network of random tables in which each node may have any earlier one as parent."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(2, most_levels + 1, n_nodes)
    cpds = {}
    for j in range(n_nodes):
        parents = [i for i in range(j) if rng.random() < 0.6]
        table = rng.dirichlet(np.ones(levels[j]), size=tuple(levels[parents]))
        labels = [f"s{k}" for k in range(levels[j])]
        cpds[f"x{j}"] = TableCPD(table, labels=labels, parents=[f"x{i}" for i in parents])
    return network(cpds)


@st.composite
def networks(draw, names, most_nodes=4):
    """Networks of tables whose nodes and states have the given names."""
    nodes = draw(st.lists(names, min_size=1, max_size=most_nodes, unique=True))
    cpds = {}
    for j, node in enumerate(nodes):
        parents = draw(st.lists(st.sampled_from(nodes[:j]), max_size=2, unique=True)) if j else []
        labels = draw(st.lists(names, min_size=1, max_size=3, unique=True))
        shape = [len(cpds[parent].labels) for parent in parents]
        weights = [
            draw(st.lists(st.floats(0.01, 1), min_size=len(labels), max_size=len(labels)))
            for _ in range(math.prod(shape))
        ]
        table = np.array(weights) / np.sum(weights, axis=1, keepdims=True)
        cpds[node] = TableCPD(table.reshape([*shape, len(labels)]), labels=labels, parents=parents)
    return network(cpds)

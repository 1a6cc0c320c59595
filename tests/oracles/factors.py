"""Products of factors by their definition: every joint state in turn."""

import itertools
import math

import numpy as np

from structlearn.graphs import Graph
from structlearn.models.factors import Factor
from structlearn.models.markov_network import MarkovNetwork


def states(model):
    """Every joint state, as labels, the last node fastest."""
    return list(itertools.product(*(model.labels[node] for node in model.nodes)))


def log_weight(model, state):
    """The logarithm of the product of all entries, and the weights of the features that are there."""
    row = dict(zip(model.nodes, state, strict=True))
    total = 0.0
    for factor in model._factors:
        cell = factor.table[tuple(model.labels[name].index(row[name]) for name in factor.names)]
        total += math.log(cell) if cell > 0 else -math.inf
    for feature in model.features:
        if all(row[name] == label for name, label in feature.states.items()):
            total += feature.weight
    return total


def log_partition(model):
    return math.log(math.fsum(math.exp(log_weight(model, state)) for state in states(model)))


def joint(model):
    """The probability of every joint state, an axis for each node."""
    weights = np.array([math.exp(log_weight(model, state)) for state in states(model)])
    return (weights / weights.sum()).reshape([len(model.labels[node]) for node in model.nodes])


def table_of(model):
    """Every joint state as a row of data."""
    return dict(zip(model.nodes, map(list, zip(*states(model), strict=True)), strict=True))


def marginal(joint_table, axes):
    """The sums over all axes but these, in their order."""
    others = tuple(i for i in range(joint_table.ndim) if i not in axes)
    kept = sorted(axes)
    return joint_table.sum(axis=others).transpose([kept.index(axis) for axis in axes])


def conditional(joint_table, axis):
    """Each entry over the sum along one axis; 0 where that sum is."""
    sums = np.broadcast_to(joint_table.sum(axis=axis, keepdims=True), joint_table.shape)
    return np.divide(joint_table, sums, out=np.zeros(joint_table.shape), where=sums > 0)


def iterative_scaling(shape, targets, n_sweeps=500):
    """Proportional fitting of the whole joint table; `targets` maps axes to the table they must have."""
    found = np.full(shape, 1.0 / math.prod(shape))
    for _ in range(n_sweeps):
        for axes, target in targets.items():
            own = marginal(found, axes)
            ratio = np.divide(target, own, out=np.zeros(own.shape), where=own > 0)
            found = found * ratio.reshape([shape[i] if i in axes else 1 for i in range(len(shape))])
    return found


def n_in_tables(scopes, levels):
    """One parameter for each set of columns within a scope and each of its states but the first ones."""
    subsets = {
        subset for scope in scopes for k in range(1, len(scope) + 1)
        for subset in itertools.combinations(sorted(scope), k)
    }  # fmt: skip
    return sum(math.prod(levels[column] - 1 for column in subset) for subset in subsets)


def n_in_weights(features, levels):
    """The rank of a constant and the features over all states, less 1; a feature is (columns, codes)."""
    rows = itertools.product(*map(range, levels))
    matrix = [
        [
            1.0,
            *(
                float(all(row[c] == s for c, s in zip(columns, codes, strict=True)))
                for columns, codes in features
            ),
        ]
        for row in rows
    ]
    return int(np.linalg.matrix_rank(np.array(matrix))) - 1


def random_model(seed, *, n_nodes=4, most_levels=3, zeros=0.0, density=0.6):
    """A graph at random, and a factor for each node, each edge and each triangle that is drawn."""
    rng = np.random.default_rng(seed)
    nodes = [f"x{i}" for i in range(n_nodes)]
    levels = dict(zip(nodes, rng.integers(2, most_levels + 1, n_nodes).tolist(), strict=True))
    edges = [pair for pair in itertools.combinations(nodes, 2) if rng.random() < density]
    triangles = [
        three for three in itertools.combinations(nodes, 3)
        if all(pair in edges for pair in itertools.combinations(three, 2)) and rng.random() < 0.5
    ]  # fmt: skip
    factors = []
    for names in [*((node,) for node in nodes), *edges, *triangles]:
        shuffled = [names[i] for i in rng.permutation(len(names))]
        table = np.exp(rng.normal(size=[levels[name] for name in shuffled]))
        table[rng.random(table.shape) < zeros] = 0.0
        table.flat[0] = 1.0  # so that the state of all first labels is possible
        factors.append(Factor(shuffled, table))
    labels = {node: [f"s{k}" for k in range(n)] for node, n in levels.items()}
    return MarkovNetwork(Graph(nodes, undirected=edges), factors, labels=labels)

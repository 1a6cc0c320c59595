"""Inference by its definition: the whole joint table, cut and summed."""

import itertools
import math

import numpy as np

from structlearn.models import ConditionalGaussianCPD, TableCPD
from tests.oracles.models import network


def joint_of_factors(names, levels, factors):
    """The product of all factors over every joint state, an axis per name."""
    whole = np.ones([levels[name] for name in names])
    for scope, table in factors:
        order = sorted(range(len(scope)), key=lambda k: names.index(scope[k]))
        inside = {scope[k] for k in order}
        shape = [levels[name] if name in inside else 1 for name in names]
        whole = whole * np.transpose(np.asarray(table, dtype=float), order).reshape(shape)
    return whole


def factors_of(model):
    return [((*cpd.parents, node), cpd.as_table()) for node, cpd in model.cpds.items()]


def joint(model):
    """The probability of every joint state of a network, an axis per node."""
    levels = {node: len(states) for node, states in model.labels.items()}
    return joint_of_factors(list(model.nodes), levels, factors_of(model))


def weighted(whole, nodes, labels, evidence):
    """The joint table with 0 where a state contradicts the evidence, or weighed by a likelihood."""
    for name, said in evidence.items():
        if isinstance(said, dict):
            weights = [said.get(label, 0.0) for label in labels[name]]
        elif isinstance(said, list):
            weights = said
        else:
            weights = [float(label == said) for label in labels[name]]
        shape = [len(weights) if node == name else 1 for node in nodes]
        whole = whole * np.reshape(weights, shape)
    return whole


def summed_onto(whole, nodes, names):
    """Sum all axes but those of the names, and put these in their order."""
    others = tuple(i for i, node in enumerate(nodes) if node not in names)
    left = [node for node in nodes if node in names]
    return whole.sum(axis=others).transpose([left.index(name) for name in names])


def posterior(model, names, evidence):
    """P(names | evidence) and P(evidence)."""
    table = summed_onto(weighted(joint(model), model.nodes, model.labels, evidence), model.nodes, names)
    total = table.sum()
    return (table / total if total > 0 else None), float(total)


def mutilated(model, actions):
    """The joint table without the distributions of the nodes that are set, 0 where they have other states."""
    levels = {node: len(states) for node, states in model.labels.items()}
    left = [factor for factor, node in zip(factors_of(model), model.cpds, strict=True) if node not in actions]
    whole = joint_of_factors(list(model.nodes), levels, left)
    return weighted(whole, model.nodes, model.labels, actions)


def best_states(model, names, evidence):
    """The largest P(names, evidence) over all states of the names."""
    table = summed_onto(weighted(joint(model), model.nodes, model.labels, evidence), model.nodes, names)
    return float(table.max())


def probability_of(model, states, evidence):
    """P(states, evidence) for one state of each of some nodes."""
    _, total = posterior(model, [], {**evidence, **states})
    return total


def random_network(seed, *, most_nodes=9, most_levels=4, zeros=0.2, most_parents=3):
    """A network of random tables of which a share of the cells is zero; nodes come in a random order."""
    rng = np.random.default_rng(seed)
    n_nodes = int(rng.integers(1, most_nodes + 1))
    levels = rng.integers(1, most_levels + 1, n_nodes)
    cpds = {}
    for j in range(n_nodes):
        n_parents = int(rng.integers(0, min(j, most_parents) + 1))
        parents = sorted(rng.choice(j, n_parents, replace=False).tolist()) if n_parents else []
        table = rng.dirichlet(np.ones(levels[j]), size=tuple(levels[parents]))
        table = np.where(rng.random(table.shape) < zeros, 0.0, table)
        table[table.sum(axis=-1) == 0] = 1.0 / levels[j]
        table /= table.sum(axis=-1, keepdims=True)
        labels = [f"s{k}" for k in range(levels[j])]
        cpds[f"x{j}"] = TableCPD(table, labels=labels, parents=[f"x{i}" for i in parents])
    nodes = rng.permutation(list(cpds)).tolist()
    return network({node: cpds[node] for node in nodes})


def random_evidence(model, seed, *, most=4, soft=False, within=None):
    """The states of some nodes in a row drawn from the model, so that they are possible together."""
    rng = np.random.default_rng(seed)
    row = (within or model).sample(1, random_state=seed).to_dict()
    nodes = rng.permutation(list(model.nodes))[: rng.integers(0, most + 1)].tolist()
    evidence = {node: row[node][0] for node in nodes}
    for node in nodes if soft else []:
        if rng.random() < 0.5:
            labels = model.labels[node]
            evidence[node] = dict(zip(labels, rng.uniform(0.1, 2.0, len(labels)).tolist(), strict=True))
    return evidence


def ising_factors(shape, coupling, field, rng=None):
    """Factors of an Ising grid: a table per site and per pair of neighbours; signs at random with `rng`."""
    spin = np.array([-1.0, 1.0])
    sites = list(itertools.product(*map(range, shape)))
    factors = [((name_of(site),), np.exp(field * spin)) for site in sites]
    for i, j in sites:
        for other in ((i + 1, j), (i, j + 1)):
            if other in set(sites):
                sign = 1.0 if rng is None else rng.choice([-1.0, 1.0])
                factors.append(
                    ((name_of((i, j)), name_of(other)), np.exp(sign * coupling * np.outer(spin, spin)))
                )
    return factors


def name_of(site):
    return "s" + "_".join(map(str, site))


class FactorsOnly:
    """A model that shows nothing but states and factors."""

    def __init__(self, factors):
        self._factors = factors
        names = dict.fromkeys(name for scope, _ in factors for name in scope)
        sizes = {name: n for scope, table in factors for name, n in zip(scope, table.shape, strict=True)}
        self.labels = {name: tuple(range(sizes[name])) for name in names}

    def factors(self):
        return self._factors


def log_partition_of_grid(n_rows, n_columns, coupling, field):
    """The logarithm of the partition function of an Ising grid, by transfer matrices row by row."""
    rows = list(itertools.product([-1, 1], repeat=n_columns))
    inside = np.array(
        [coupling * sum(a * b for a, b in itertools.pairwise(row)) + field * sum(row) for row in rows]
    )
    between = coupling * np.array(rows) @ np.array(rows).T
    message, log_scale = np.exp(inside - inside.max()), float(inside.max())
    step = np.exp(between + inside[:, None] - (between + inside[:, None]).max())
    for _ in range(n_rows - 1):
        message = step @ message
        log_scale += float((between + inside[:, None]).max()) + math.log(message.max())
        message /= message.max()
    return log_scale + math.log(message.sum())


def random_hybrid_network(seed, *, most_discrete=3, most_continuous=4):
    """Tables, and regressions on continuous parents in each joint state of discrete ones."""
    rng = np.random.default_rng(seed)
    cpds, levels = {}, {}
    for j in range(int(rng.integers(0, most_discrete + 1))):
        parents = [name for name in levels if rng.random() < 0.5]
        levels[f"d{j}"] = int(rng.integers(2, 4))
        table = rng.dirichlet(np.ones(levels[f"d{j}"]), size=[levels[parent] for parent in parents])
        cpds[f"d{j}"] = TableCPD(table, labels=range(levels[f"d{j}"]), parents=parents)
    for j in range(int(rng.integers(1, most_continuous + 1))):
        regimes = [name for name in levels if rng.random() < 0.5]
        shape = [levels[name] for name in regimes]
        slopes = {f"c{i}": rng.normal(size=shape) for i in range(j) if rng.random() < 0.6}
        cpds[f"c{j}"] = ConditionalGaussianCPD(
            rng.normal(size=shape), slopes, variances=rng.uniform(0.3, 2.0, size=shape), regimes=regimes
        )
    return network(cpds)


def components(model, evidence, actions=None):
    """By state of the discrete nodes: log P(state, evidence), mean and covariance of all continuous nodes.

    These are given the evidence, from (I − B)⁻¹ and plain inverses.
    """
    actions = actions or {}
    discrete = [node for node, kind in model.kinds.items() if kind == "discrete"]
    continuous = [node for node, kind in model.kinds.items() if kind == "continuous"]
    given = [node for node in continuous if node in evidence]
    found = []
    for codes in itertools.product(*(range(len(model.labels[node])) for node in discrete)):
        state = dict(zip(discrete, codes, strict=True))
        weight = 1.0
        for node in discrete:
            cpd, label = model.cpds[node], model.labels[node][state[node]]
            if node in evidence or node in actions:
                weight *= float(label == {**evidence, **actions}[node])
            if node not in actions:
                weight *= cpd.probabilities[(*(state[parent] for parent in cpd.parents), state[node])]
        if weight == 0:
            continue
        slopes, intercepts, variances = np.zeros((len(continuous),) * 2), [], []
        for i, node in enumerate(continuous):
            cpd = model.cpds[node]
            regime = () if node in actions else tuple(state[parent] for parent in cpd.regimes)
            intercepts.append(actions.get(node) if node in actions else cpd.intercepts[regime])
            variances.append(0.0 if node in actions else cpd.variances[regime])
            for parent, values in {} if node in actions else cpd.coefficients.items():
                slopes[i, continuous.index(parent)] = values[regime]
        spread = np.linalg.inv(np.eye(len(continuous)) - slopes)
        mean, covariance = spread @ np.array(intercepts), spread @ np.diag(variances) @ spread.T
        b = [continuous.index(node) for node in given]
        apart = np.array([evidence[node] for node in given]) - mean[b]
        inverse = np.linalg.inv(covariance[np.ix_(b, b)])
        _, log_volume = np.linalg.slogdet(2 * math.pi * covariance[np.ix_(b, b)])
        log_weight = math.log(weight) - 0.5 * (apart @ inverse @ apart + log_volume)
        gain = covariance[:, b] @ inverse
        found.append((state, log_weight, mean + gain @ apart, covariance - gain @ covariance[b]))
    return continuous, found


def mixture(model, names, evidence, actions=None):
    """The mean and covariance of continuous nodes given the evidence, and the log density of the evidence."""
    continuous, found = components(model, evidence, actions)
    total = np.logaddexp.reduce([log_weight for _, log_weight, _, _ in found])
    place = [continuous.index(name) for name in names]
    mean = sum(math.exp(w - total) * m[place] for _, w, m, _ in found)
    second = sum(
        math.exp(w - total) * (c[np.ix_(place, place)] + np.outer(m[place], m[place])) for _, w, m, c in found
    )
    return mean, second - np.outer(mean, mean), float(total)


def highest_density(model, evidence):
    """The largest log density of all nodes that agrees with the evidence: at the mean of some state."""
    continuous, found = components(model, evidence)
    place = [i for i, node in enumerate(continuous) if node not in evidence]
    return max(w - 0.5 * np.linalg.slogdet(2 * math.pi * c[np.ix_(place, place)])[1] for _, w, _, c in found)


def switch_posterior(model, name, evidence, actions=None):
    """The probability of each state of a discrete node given numbers of continuous ones."""
    _, found = components(model, evidence, actions)
    total = np.logaddexp.reduce([log_weight for _, log_weight, _, _ in found])
    table = np.zeros(len(model.labels[name]))
    for state, log_weight, _, _ in found:
        table[state[name]] += math.exp(log_weight - total)
    return table

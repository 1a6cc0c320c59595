"""Networks with distributions of any kind: a node given its whole Markov blanket, many rows at once."""

import numpy as np
from numpy.typing import NDArray

from structlearn.inference.predictions.known_rows import Flags, Integers, KnownRows, refuse_impossible
from structlearn.inference.regressions import regression_of
from structlearn.models import AdditiveGaussianCPD, BayesianNetwork, ConditionalGaussianCPD, LinearGaussianCPD
from structlearn.models.cpds import CPD, Rows

Floats = NDArray[np.float64]
LINEAR = (LinearGaussianCPD, ConditionalGaussianCPD, AdditiveGaussianCPD)


def knows_blanket(model: BayesianNetwork, rows: KnownRows, target: str) -> Flags:
    """The rows in which parents, children and their other parents are all known."""
    around = [model.nodes.index(name) for name in model.graph.markov_blanket(target)]
    known: Flags = np.asarray(~rows.unknown[:, around].any(axis=1))
    return known


def shares_by_blanket(
    owner: str, model: BayesianNetwork, rows: KnownRows, at: Integers, target: str
) -> Floats:
    """The probability of each state of a discrete node in some rows."""
    cpds = model.cpds
    values = {name: rows.values[name][at] for name in (target, *model.graph.markov_blanket(target))}
    logs = np.zeros((len(at), len(cpds[target].labels)))
    for state in range(logs.shape[1]):
        values[target] = np.full(len(at), state)
        for node in (target, *model.graph.children(target)):
            parents = [values[parent] for parent in cpds[node].parents]
            logs[:, state] += cpds[node].log_probability(values[node], parents)
    highest = logs.max(axis=1, keepdims=True)
    refuse_impossible(owner, at[np.isneginf(highest[:, 0])])
    weights = np.exp(logs - highest)
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def is_linear_around(model: BayesianNetwork, target: str) -> bool:
    """Whether every child of a continuous node is a linear regression on it."""
    cpds = model.cpds
    return all(isinstance(cpds[child], LINEAR) for child in model.graph.children(target))


def means_by_blanket(model: BayesianNetwork, rows: KnownRows, at: Integers, target: str) -> Floats:
    """The mean of a continuous node in some rows: each child adds what it says, by its precision."""
    cpds = model.cpds
    values = {name: rows.values[name][at] for name in model.graph.markov_blanket(target)}
    own: tuple[Floats, Floats] = _normals(cpds[target], values, len(at))
    fixed = own[1] <= 0.0
    precision = 1.0 / np.where(fixed, 1.0, own[1])
    total = own[0] * precision
    for child in model.graph.children(target):
        at_zero, variance = _normals(cpds[child], {**values, target: np.zeros(len(at))}, len(at))
        codes = {name: rows.values[name][at] for name in cpds[child].parents if name in model.labels}
        slope = regression_of(child, cpds[child], codes, {}, len(at)).slopes[target]
        precision = precision + slope**2 / variance
        total = total + slope * (values[child] - at_zero) / variance
    return np.where(fixed, own[0], total / precision)


def _normals(cpd: CPD, values: dict[str, Rows], n: int) -> tuple[Floats, Floats]:
    normals: tuple[Floats, Floats] = cpd.normals([values[parent] for parent in cpd.parents], n)  # type: ignore[attr-defined]  # a Gaussian one
    return normals

"""Who takes part: every method of the catalog that takes the data, and what people do without it."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import structlearn as sl
from benchmarks.dream import baselines
from benchmarks.dream.networks import Network, Numbers

Contestant = Callable[[Network], sl.Graph]

# Options without which a method has no order of pairs, or has not ended on a hundred genes.
OPTIONS: dict[str, dict[str, Any]] = {
    "low-order-graph": {"alpha": 1.0},
    "shrinkage-partial-correlation": {"max_q_value": 1.0},
    "similarity-network": {"threshold": 0.0},
    "aracne": {"threshold": 0.0},
    "factorization-network": {"threshold": 0.0},
}
IDENTIFICATIONS = ("ode-lasso", "var-lasso", "interpolation", "svd-l1")
SEARCH_S = 5.0  # by the clock: those that can be stopped have then found what they find on 100 genes


def contestants(network: Network, search_s: float = SEARCH_S) -> Iterator[tuple[str, Contestant]]:
    """Names and functions of those that take such data; a search may last so many seconds."""
    if network.time is not None:
        yield "correlation with the next change", _of_pairs(baselines.lagged_correlation)
        yield "forests, to the next state", _of_pairs(baselines.lagged_forests)
        for method in IDENTIFICATIONS:
            yield f"SystemIdentification, {method}", _identified(method)
        for method in ("var-lasso", "svd-l1"):
            yield (
                f"SystemIdentification, {method}, in standard units",
                _in_standard_units(_identified(method)),
            )
        yield "BooleanNetwork", _by_rules
        return
    yield "correlation", _of_pairs(baselines.correlation)
    yield "forests", _of_pairs(baselines.forests)
    if network.wild_type is not None:
        yield "z-scores of knock-outs", _of_pairs(baselines.z_scores)
        yield "SystemIdentification, nir", _identified_by_knock_outs
    for name, method in sl.methods().items():
        if "continuous" in method.takes and "time" not in method.load().options and not method.needs:
            yield method.learner, _learned(name, search_s)


def _of_pairs(strength_of: Callable[[Network], Numbers]) -> Contestant:
    def ranked(network: Network) -> sl.Graph:
        strength, genes = strength_of(network), network.genes
        pairs = np.argwhere(~np.eye(len(genes), dtype=np.bool_)).tolist()
        return sl.Graph(
            genes, edges=[sl.Edge(genes[i], genes[j], weight=float(strength[i, j])) for i, j in pairs]
        )

    return ranked


def _learned(name: str, search_s: float) -> Contestant:
    def learned(network: Network) -> sl.Graph:
        kind = sl.methods()[name].load()
        options = {key: value for key, value in OPTIONS.get(name, {}).items() if key in kind.options}
        options |= {"time_limit": search_s} if "time_limit" in kind.options else {}
        options |= {"random_state": 0} if "random_state" in kind.options else {}
        return _fitted(kind(**options), network.table)

    return learned


def _identified(method: str) -> Contestant:
    def identified(network: Network) -> sl.Graph:
        learner = sl.SystemIdentification(method=method, time="time", series="series")
        return _fitted(learner, network.table)

    return identified


def _by_rules(network: Network) -> sl.Graph:
    """Rules of two inputs, between genes that are above or below halfway of their two groups."""
    learner = sl.BooleanNetwork(time="time", series="series", max_inputs=2)
    return _fitted(learner, network.table)


def _in_standard_units(contestant: Contestant) -> Contestant:
    """Weights for genes measured in their standard deviations, so that those of noisy genes do not lead."""

    def ranked(network: Network) -> sl.Graph:
        unit = dict(zip(network.genes, network.values.std(axis=0).tolist(), strict=True))
        edges = [
            sl.Edge(
                edge.source, edge.target, weight=(edge.weight or 0.0) * unit[edge.source] / unit[edge.target]
            )
            for edge in contestant(network).edges
        ]
        return sl.Graph(network.genes, edges=edges)

    return ranked


def _identified_by_knock_outs(network: Network) -> sl.Graph:
    """NIR on the changes, where a knock-out takes from each gene what the wild type has of it."""
    changes = dict(zip(network.genes, (network.values - network.wild_type).T, strict=True))
    taken = dict(zip(network.genes, -np.diag(network.wild_type), strict=True))
    return _fitted(sl.SystemIdentification(method="nir", perturbations=taken), changes)


def _fitted(learner: Any, table: dict[str, Any]) -> sl.Graph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few rows are the point of these tables
        found: sl.Graph = learner.fit(table).graph_
    return found

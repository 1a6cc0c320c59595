"""What an Ising model is made of, checked: labels, fields and couplings."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Label
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.naming import listed

Floats = NDArray[np.float64]


def checked_labels(graph: Graph, labels: Mapping[str, tuple[Label, ...]]) -> dict[str, tuple[Label, ...]]:
    """Two labels for each node."""
    for node in graph.nodes:
        if node not in labels or len(set(labels[node])) != 2:
            raise DataError(f"labels: {node!r} needs two different labels, not {labels.get(node)!r}.")
    return {node: tuple(labels[node]) for node in graph.nodes}


def checked_fields(graph: Graph, fields: Mapping[str, float]) -> Floats:
    """The field of each node."""
    for node in [*fields, *graph.nodes]:
        if node not in graph:
            raise DataError(f"fields has {node!r}, which is no node of the graph.")
        if node not in fields:
            raise DataError(f"fields lacks the node {node!r}; give a number to every node, or fit.")
    return np.array([fields[node] for node in graph.nodes], dtype=np.float64)


def checked_couplings(graph: Graph, couplings: Mapping[tuple[str, str], float]) -> Floats:
    """The coupling of each edge, given in either order of its ends."""
    given = {frozenset(pair): value for pair, value in couplings.items()}
    edges = [frozenset(pair) for pair in graph.undirected]
    for pair in couplings:
        if frozenset(pair) not in set(edges):
            raise DataError(f"couplings has {pair!r}, which is no edge of the graph.")
    for edge, pair in zip(edges, graph.undirected, strict=True):
        if edge not in given:
            raise DataError(f"couplings lacks the edge {pair!r}; give a number to every edge, or fit.")
    return np.array([given[edge] for edge in edges], dtype=np.float64)


def ascending_labels(dataset: Dataset) -> dict[str, tuple[Label, ...]]:
    """The two states of each node, the smaller number first; texts have no such order."""
    for node, states in dataset.labels.items():
        if any(isinstance(state, str) for state in states):
            raise DataError(
                f"fit(refit=False): the weights of edges are about the second state of each node. Which of "
                f"{listed(states)} is that of {node!r}? Say it in labels, for every node."
            )
    return {node: tuple(sorted(states)) for node, states in dataset.labels.items()}


def edge_weights(graph: Graph) -> Floats:
    """The weights of the edges; each must have one."""
    for edge in graph.edges:
        if edge.weight is None:
            raise DataError(
                f"fit(refit=False): the edge {edge} has no weight. Learn the graph with a method that "
                "gives one, or use refit=True."
            )
    return np.array([edge.weight for edge in graph.edges], dtype=np.float64)

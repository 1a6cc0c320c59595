"""Tests of all pairs given every small set of others."""

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.independence.asking import Asker, Subsets, separate_pairs
from structlearn.learners.constraint.skeletons.skeleton import complete_links
from structlearn.outcome import EdgeEvidence, Outcome, edges_of
from structlearn.run import Run

Floats = NDArray[np.float64]
Pairs = NDArray[np.int64]
Found = tuple[Floats, dict[str, list[int]]]  # the p-values of pairs, and the trace


def largest_p_values(asker: Asker, n_nodes: int, order: int, run: Run) -> Found:
    """The largest p-value of each pair over all sets of up to `order` others.

    The asker's level is 1, so that no pair is done before all of its sets are asked. A pair that there is no
    time for has p-value 1.
    """
    pairs = pairs_among(np.arange(n_nodes))
    everything = complete_links(n_nodes)
    p_value = np.zeros(len(pairs))
    trace: dict[str, list[int]] = {"conditions": [], "tests": []}
    for size in range(order + 1):
        n_before = asker.n_tests
        found = separate_pairs(asker, Subsets(pairs, everything, size))
        p_value = np.maximum(p_value, found.largest_p)
        if size == 0:  # a question of each pair, one after the other
            p_value[asker.n_tests - n_before :] = 1.0
        trace["conditions"].append(size)
        trace["tests"].append(asker.n_tests - n_before)
        run.show(f"{size} conditions", size, order)
    return p_value, trace


def pairs_among(nodes: NDArray[np.int64]) -> Pairs:
    """All pairs of some nodes, one after the other."""
    return nodes[np.column_stack(np.triu_indices(len(nodes), k=1))]


def joined(
    names: tuple[str, ...], pairs: Pairs, found: Found, fair: Floats, is_edge: NDArray[np.bool_]
) -> Outcome:
    """The graph of these edges with their adjusted p-values, and the p-values of all pairs; others have 1."""
    p_value, trace = found
    evidence = {
        (names[a], names[b]): EdgeEvidence(p_value=float(p))
        for (a, b), p in zip(pairs[is_edge].tolist(), fair[is_edge], strict=True)
    }
    matrix = np.ones((len(names), len(names)))
    matrix[pairs[:, 0], pairs[:, 1]] = matrix[pairs[:, 1], pairs[:, 0]] = p_value
    return Outcome(
        graph=Graph(names, edges=edges_of(evidence, "undirected")),
        trace={name: np.array(column) for name, column in trace.items()},
        evidence=evidence,
        n_tests=sum(trace["tests"]),
        by_pair={"p_values": matrix},
    )

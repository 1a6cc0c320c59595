"""Results in the order of the table: inside, columns are sorted by name, and a learner may add nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Edge, Graph
from structlearn.graphs.edge import SYMMETRIC
from structlearn.learners.entries import entries_of
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.statistics.blocks import in_blocks

Places = NDArray[np.int64]
VISITS_OF_AN_ENTRY = 500.0  # row visits that take as long as to have a page of memory
SPARSE = 0.1  # share of a matrix up to which it is quicker to move only what is not zero


def in_table_order(outcome: Outcome, names: Sequence[str], *, n_jobs: int = 1) -> Outcome:
    """The outcome with its nodes in the order of the columns, those that are none behind them.

    What is known of an edge stands on the edge too.
    """
    nodes = outcome.graph.nodes
    place, columns = {node: i for i, node in enumerate(nodes)}, set(names)
    ordered = [name for name in names if name in place] + [node for node in nodes if node not in columns]
    order = np.array([place[node] for node in ordered], dtype=np.int64)

    after = {name: i for i, name in enumerate(ordered)}
    edges = [_with_evidence(edge, outcome.evidence, after) for edge in outcome.graph.edges]
    graph = Graph.from_edges(ordered, edges, kind=outcome.graph.given_kind, facts=outcome.graph.facts)
    return replace(
        outcome,
        graph=graph,
        evidence={
            pair: _evidence_of(pair, outcome.evidence)
            or EdgeEvidence(edge.weight, edge.p_value, edge.confidence)
            for edge in graph.edges
            for pair in [(edge.source, edge.target)]
        },
        by_node={name: _by_node(values, order) for name, values in outcome.by_node.items()},
        by_pair={name: _by_pair(values, order, n_jobs) for name, values in outcome.by_pair.items()},
    )


def _with_evidence(edge: Edge, evidence: Mapping[Pair, EdgeEvidence], after: Mapping[str, int]) -> Edge:
    """The edge with what is known of it, its ends in the new order where they may change places."""
    source, target = edge.source, edge.target
    known = _evidence_of((source, target), evidence)
    if known is None:
        return edge
    if edge.kind in SYMMETRIC and after[source] > after[target]:
        source, target = target, source
    elif (
        edge.weight is known.score_gain
        and edge.p_value is known.p_value
        and edge.confidence is known.confidence
    ):
        return edge  # to make one takes longer than all else here
    return Edge(source, target, edge.kind, known.score_gain, known.p_value, known.confidence)


def _evidence_of(pair: Pair, evidence: Mapping[Pair, EdgeEvidence]) -> EdgeEvidence | None:
    return evidence.get(pair) or evidence.get(pair[::-1])


def _by_node(values: Any, order: Places) -> Any:
    return values[order]


def _by_pair(values: Any, order: Places, n_jobs: int) -> Any:
    """A dense or sparse matrix, a stack of dense ones, or several results that can be put in order."""
    if isinstance(values, tuple):
        return tuple(each.in_order(order) for each in values)
    if (order == np.arange(len(order))).all():
        return values
    if not isinstance(values, np.ndarray):
        return values[order][:, order]
    if values.ndim == 2:
        rows, columns = entries_of(values, most=SPARSE * values.size, n_jobs=n_jobs)
        if len(rows) < SPARSE * values.size:
            return _scattered(values, rows, columns, order, n_jobs)
    return values[..., order[:, None], order]


def _scattered(
    matrix: NDArray[np.float64], rows: Places, columns: Places, order: Places, n_jobs: int
) -> NDArray[np.float64]:
    """The matrix in another order; zeros are not touched, so that a large one stays small in memory."""
    place, turned = np.argsort(order), np.zeros(matrix.shape, dtype=matrix.dtype)  # `zeros_like` touches all

    def scatter(some: slice) -> None:
        turned[place[rows[some]], place[columns[some]]] = matrix[rows[some], columns[some]]

    in_blocks(scatter, len(rows), cost=VISITS_OF_AN_ENTRY * len(rows), n_jobs=n_jobs)
    return turned

"""The same judge for every library, whatever it learns."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

import structlearn as sl
from benchmarks.objectives import Quality, lasso_quality, logistic_quality, precision_quality
from benchmarks.tables import Table
from structlearn.scores import BDeu

PAPERS_BDEU = BDeu(ess=10.0)  # as in the paper on max-min hill-climbing


class Judge(Protocol):
    """Says how good the answers of processes are."""

    def quality(self, measured: dict[str, Any]) -> dict[str, Any]:
        """How good the answer is that a process wrote."""


class DagJudge:
    """structlearn's BIC, BDeu where columns are discrete, and its comparison with the truth."""

    def __init__(self, table: Table) -> None:
        self._is_discrete = table.kind == "discrete"
        self._data = sl.Dataset(table.frame(), kinds=dict.fromkeys(table.names, table.kind))
        self._truth = sl.Graph(table.names, directed=table.truth)

    def quality(self, measured: dict[str, Any]) -> dict[str, Any]:
        """How good the graph is that a process wrote."""
        arrows, lines = (
            [(source, target) for source, target in measured[kind]] for kind in ("arrows", "lines")
        )
        graph = sl.Graph(self._data.names, directed=arrows, undirected=lines)
        beside = graph.compare(self._truth)
        return {
            "bic": self._score(graph, "bic"),
            "bdeu": self._score(graph, PAPERS_BDEU) if self._is_discrete else None,
            "edges": len(graph.edges),
            "shd": beside.shd,
            "skeleton_f1": beside.skeleton_f1,
            "arrow_f1": beside.arrow_f1,
            "tests": measured["n_tests"],
        }

    def _score(self, graph: sl.Graph, score: str | BDeu) -> float | None:
        try:
            return sl.score(graph, self._data, score)
        except sl.DataError:
            return None  # a partially directed graph that no DAG extends has no score


class EstimateJudge:
    """The value and the duality gap of a penalised problem, and the edges of its solution.

    An edge is an entry that is not zero at either of its two places.
    """

    def __init__(self, table: Table, quality_of: Callable[[Table, Any], Quality]) -> None:
        self._table, self._quality_of = table, quality_of
        places = {name: place for place, name in enumerate(table.names)}
        ends = np.array([[places[a], places[b]] for a, b in table.truth]).reshape(-1, 2)
        self._truth = set(map(tuple, np.sort(ends, axis=1).tolist()))

    def quality(self, measured: dict[str, Any]) -> dict[str, Any]:
        """How good the estimate is that a process wrote."""
        estimate = measured["estimate"].toarray()
        square = estimate[:, : len(estimate)]
        is_joined = np.triu((square != 0.0) & (square.T != 0.0), k=1)
        found = set(map(tuple, np.argwhere(is_joined).tolist()))
        objective, gap = self._quality_of(self._table, estimate)
        shared = len(found & self._truth)
        return {
            "objective": objective,
            "gap": gap,
            "edges": len(found),
            "f1": 2 * shared / max(len(found) + len(self._truth), 1),
        }


JUDGES: dict[str, Callable[[Table], Judge]] = {
    "discrete": DagJudge,
    "continuous": DagJudge,
    "precision": lambda table: EstimateJudge(table, precision_quality),
    "neighborhoods": lambda table: EstimateJudge(table, lasso_quality),
    "ising": lambda table: EstimateJudge(table, logistic_quality),
}

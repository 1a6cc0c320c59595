"""causal-learn, on an array of codes or numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.entries.entry import Answer, Entry, Pairs
from benchmarks.entries.ours import most_parents
from benchmarks.tables import Table


def pc(table: Table) -> Callable[[], Any]:
    from causallearn.search.ConstraintBased.PC import pc as learn

    rows = table.values.astype(float if table.labels is None else int)
    test = "fisherz" if table.labels is None else "gsq"
    return lambda: learn(rows, table.alpha, test, stable=True, show_progress=False)


def ges(table: Table) -> Callable[[], Any]:
    """GES with BIC, in the form that computes the covariance once."""
    from causallearn.search.ScoreBased.GES import ges as search

    return lambda: search(table.values, score_func="local_score_BIC_from_cov")


def boss(table: Table) -> Callable[[], Any]:
    """BOSS with BIC from the covariance, as its GES."""
    from causallearn.search.PermutationBased.BOSS import boss as search

    return lambda: search(table.values, score_func="local_score_BIC_from_cov", verbose=False)


def exact(method: str) -> Callable[[Table], Callable[[], Any]]:
    """The DAG with the largest Gaussian BIC, by dynamic programming or by A*."""

    def prepare(table: Table) -> Callable[[], Any]:
        from causallearn.search.ScoreBased.ExactSearch import bic_exact_search as search

        return lambda: search(table.values, search_method=method, max_parents=most_parents(table))

    return prepare


def read_exact(found: Any, table: Table) -> Answer:
    """`found[0][a, b] == 1` is an arc from a to b."""
    names = table.names
    return Answer([(names[a], names[b]) for a, b in np.argwhere(found[0])], [])


def read_boss(graph: Any, table: Table) -> Answer:
    return Answer(*_edges(graph.graph, table.names))


def read_pc(found: Any, table: Table) -> Answer:
    n_labels = 3  # its memory of p-values also holds the hash of the data, of the test and its name
    arrows, lines = _edges(found.G.graph, table.names)
    return Answer(arrows, lines, len(found.test.pvalue_cache) - n_labels)


def read_ges(record: dict[str, Any], table: Table) -> Answer:
    return Answer(*_edges(record["G"].graph, table.names))


def _edges(marks: Any, names: tuple[str, ...]) -> tuple[Pairs, Pairs]:
    """Arrows and lines; `marks[j, i] == 1` is an arrowhead at j. Heads at both ends become a line."""
    arrows, lines = [], []
    for i, j in zip(*np.nonzero(np.triu(marks)), strict=True):
        if marks[j, i] == marks[i, j]:
            lines.append((names[i], names[j]))
        else:
            arrows.append((names[i], names[j]) if marks[j, i] == 1 else (names[j], names[i]))
    return arrows, lines


ENTRIES = (
    Entry("causallearn", "PC, stable", "pc", pc, read_pc),
    Entry("causallearn", "GES", "search", ges, read_ges, ("continuous",)),
    Entry("causallearn", "BOSS", "search", boss, read_boss, ("continuous",)),
    Entry("causallearn", "exact search, A*", "exact", exact("astar"), read_exact, ("continuous",)),
    Entry("causallearn", "exact search, dp", "exact", exact("dp"), read_exact, ("continuous",)),
)

"""pgmpy, on a data frame of categories or numbers."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.entry import Answer, Entry
from benchmarks.tables import Table


def hill_climbing(table: Table) -> Callable[[], Any]:
    """HillClimbSearch with BIC, as a DAG; without its tabu list, as ours."""
    from pgmpy.causal_discovery import HillClimbSearch

    frame = table.frame()
    score = "bic-g" if table.labels is None else "bic-d"
    search = HillClimbSearch(scoring_method=score, tabu_length=0, return_type="dag", show_progress=False)
    return lambda: search.fit(frame)


def pc(table: Table) -> Callable[[], Any]:
    """The stable PC, without a limit on the conditions, as ours."""
    from pgmpy.causal_discovery import PC

    frame = table.frame()
    learner = PC(
        variant="stable",
        ci_test="fisher_z" if table.labels is None else "g_sq",
        significance_level=table.alpha,
        max_cond_vars=len(table.names),
        n_jobs=1,
        show_progress=False,
    )
    return lambda: learner.fit(frame)


def read_dag(search: Any, table: Table) -> Answer:  # noqa: ARG001, other libraries need the names
    return Answer(list(search.causal_graph_.edges()), [])


def read_pdag(learner: Any, table: Table) -> Answer:  # noqa: ARG001, as above
    graph = learner.causal_graph_
    n_tests = len(learner.ci_test_._result_cache)  # noqa: SLF001, it says so nowhere else
    return Answer(list(graph.directed_edges), list(graph.undirected_edges), n_tests)


ENTRIES = (
    Entry("pgmpy", "HillClimbSearch, no tabu", "search", hill_climbing, read_dag),
    Entry("pgmpy", "PC, stable", "pc", pc, read_pdag),
)

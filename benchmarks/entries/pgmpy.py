"""pgmpy, on a data frame of categories or numbers."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.entry import Answer, Entry
from benchmarks.entries.resampling import read_counts, resampled
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


def mmhc(table: Table) -> Callable[[], Any]:
    """Max-min hill-climbing with its own score, BDeu with a prior worth ten rows."""
    from pgmpy.estimators import MmhcEstimator

    search = MmhcEstimator(table.frame())
    return lambda: search.estimate(significance_level=table.alpha)


def confidence(table: Table) -> Callable[[], Any]:
    """Its hill-climbing on resampled rows."""
    from pgmpy.causal_discovery import HillClimbSearch

    frame = table.frame()

    def learn(rows: Any) -> Any:
        search = HillClimbSearch(scoring_method="bic-d", return_type="dag", show_progress=False)
        return search.fit(rows).causal_graph_.edges()

    return lambda: resampled(learn, frame)


def read_mmhc(graph: Any, table: Table) -> Answer:  # noqa: ARG001, other libraries need the names
    return Answer(list(graph.edges()), [])


def read_dag(search: Any, table: Table) -> Answer:  # noqa: ARG001, other libraries need the names
    return Answer(list(search.causal_graph_.edges()), [])


def read_pdag(learner: Any, table: Table) -> Answer:  # noqa: ARG001, as above
    graph = learner.causal_graph_
    n_tests = len(learner.ci_test_._result_cache)  # noqa: SLF001, it says so nowhere else
    return Answer(list(graph.directed_edges), list(graph.undirected_edges), n_tests)


ENTRIES = (
    Entry("pgmpy", "HillClimbSearch, no tabu", "search", hill_climbing, read_dag),
    Entry("pgmpy", "PC, stable", "pc", pc, read_pdag),
    Entry("pgmpy", "MmhcEstimator", "hybrid", mmhc, read_mmhc, ("discrete",)),
    Entry("pgmpy", "HillClimbSearch in a loop", "confidence", confidence, read_counts, ("discrete",)),
)

"""From a good DAG to the best one, by either solver."""

from structlearn.graphs import Graph
from structlearn.learners.order.exact import dynamic_programme
from structlearn.learners.order.exact.problem_size import SolverName
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.run import Run
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.dags import Parents, parents_first
from structlearn.search.local_scores import LocalScores, Solution, greedy_rows
from structlearn.search.space import Space
from structlearn.search.starts import start_from

SHAKEN_NODES = 8  # as in BOSS, which mostly ends at the optimum


def good_dag(space: Space, initial: Graph | None, solver: SolverName) -> DAGState:
    """Where a climb leads; integer programming leaves out families by the score of a better one still."""
    state = start_from(space, initial)
    climb(state)
    if solver == "dp":
        return state
    return ShakenOrders(space).improve(state, None, SHAKEN_NODES)


def rows_near(lists: LocalScores, parents: Parents) -> list[int]:
    """The best families along the order of a DAG; where it has no finite score, along another."""
    rows = lists.rows_along(parents_first(parents))
    return greedy_rows(lists) if -1 in rows else rows


def solve(
    lists: LocalScores,
    rows: list[int],
    solver: SolverName,
    run: Run,
    *,
    n_jobs: int,
    on_card: bool = False,
) -> list[Solution]:
    """What is known before the solver begins, and what it finds."""
    start = Solution(lists.parents(rows), lists.total(rows), lists.bound)
    if solver == "dp":
        return [start, dynamic_programme.solve(lists, start.parents, run, n_jobs=n_jobs, on_card=on_card)]
    from structlearn.learners.order.exact import integer_programme  # noqa: PLC0415, slow to load

    return [start, integer_programme.solve(lists, start.parents, run)]

"""The distributions of a dynamic network, fitted to a table."""

from typing import TYPE_CHECKING, Any

import numpy as np

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.lags import N_STEPS, lagged_name, unrolled
from structlearn.learners.time.learner import TimeLearner
from structlearn.learners.time.slices.beginning import ENOUGH_SERIES
from structlearn.options import check_options
from structlearn.rounding import CONSTANT
from structlearn.statistics import opened, statistics_of
from structlearn.statistics.lagged import LaggedTable, beginnings, lagged_table, runs_of_steps
from structlearn.statistics.protocol import rows_of

FEWEST_SERIES = 2  # a distribution of one row is that row

if TYPE_CHECKING:
    from structlearn.models import BayesianNetwork
    from structlearn.models.dynamic_model import DynamicModel


def fitted_model(
    learner: TimeLearner, graph: Graph, initial: Graph, data: Any, smoothing: float
) -> "DynamicModel":
    """Fit what follows to all rows that have their lags, and how it begins to the first of each series.

    Where few series tell how they begin, any steps of them may be the first.
    """
    from structlearn.models.dynamic_model import fitted_dynamic_model  # noqa: PLC0415, a door

    table = _table("model", learner, graph, data)
    begun, context = beginnings(table, table.lags[-1]), context_of(table, graph)
    if begun is None or begun.n_rows < ENOUGH_SERIES:
        begun = runs_of_steps(table, table.lags[-1])
    first = unrolled(graph, initial, table.lags[-1], context=context)
    variances = _variances("model", table)
    return fitted_dynamic_model(
        graph,
        first,
        table.dataset,
        begun.select(first.nodes),
        variances,
        smoothing=smoothing,
        context=context,
    )


def fitted_steps(
    learner: TimeLearner, graph: Graph, initial: Graph, data: Any, n_steps: int, smoothing: float
) -> "BayesianNetwork":
    """Fit each step to the same step of all series that have so many from their first on."""
    from structlearn.models.dynamic_model import fitted_in_time  # noqa: PLC0415, a door

    check_options("model_by_step", {"n_steps": N_STEPS}, {"n_steps": n_steps})
    table = _table("model_by_step", learner, graph, data)
    begun = beginnings(table, n_steps)
    n_series = 0 if begun is None else begun.n_rows
    if begun is None or n_series < FEWEST_SERIES:
        raise DataError(
            f"model_by_step(n_steps={n_steps}): {n_series} series have so many steps from their first on "
            f"without a gap, and {FEWEST_SERIES} are needed. Take fewer steps, or model(), which has the "
            "same distributions at all steps."
        )
    steps = unrolled(graph, initial, n_steps, context=context_of(table, graph))
    variances = _variances("model_by_step", table)
    return fitted_in_time(steps, begun.select(steps.nodes), variances, smoothing=smoothing)


def context_of(table: LaggedTable, graph: Graph) -> list[str]:
    """What never changes within a series, and follows from nothing."""
    names = zip(table.variables, table.is_context, strict=True)
    return [name for name, is_context in names if is_context and not graph.parents(lagged_name(name, 0))]


def _variances(owner: str, table: LaggedTable) -> dict[str, float]:
    """The variance of each number over all rows, whatever the step."""
    long = table.long
    numbers = [
        j for j, name in enumerate(long.names) if name in table.variables and long.kinds[j] == "continuous"
    ]
    rows = rows_of(owner, long, numbers).values
    found = {}
    for name, column in zip((long.names[j] for j in numbers), rows.T, strict=True):
        if np.ptp(column) <= CONSTANT * abs(column[0]):
            raise DataError(
                f"{owner}: column {name!r} is constant, so it has no normal distribution. Drop it, or pass "
                f'kinds={{{name!r}: "discrete"}}.'
            )
        found[name] = float(column.var())
    return found


def _table(owner: str, learner: TimeLearner, graph: Graph, data: Any) -> LaggedTable:
    """The lagged table of the lags that a graph has."""
    lags = sorted({facts["lag"] for facts in graph.facts.values()} - {0})
    aside = {role: name for role, name in learner.when().items() if isinstance(name, str)}
    source = learner.prepared(owner, opened(data, aside=aside))
    # Without times, rows that are left out would be skipped as if there were no gap.
    missing = "error" if learner.time is None else learner.missing
    statistics = statistics_of(
        source, source.names, owner=owner, aside=tuple(aside.values()), missing=missing
    )
    return lagged_table(owner, statistics, lags, equal_series=learner.equal_series, **learner.when())

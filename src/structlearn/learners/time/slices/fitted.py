"""The distributions of a dynamic network, fitted to a table."""

from typing import TYPE_CHECKING, Any

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.lags import lagged_name, unrolled
from structlearn.learners.time.options import Lagged
from structlearn.learners.time.prepared import prepared
from structlearn.learners.time.slices.beginning import ENOUGH_SERIES
from structlearn.statistics import opened, statistics_of
from structlearn.statistics.lagged import LaggedTable, beginnings, lagged_table, runs_of_steps

FEWEST_SERIES = 2  # a distribution of one row is that row

if TYPE_CHECKING:
    from structlearn.models import BayesianNetwork
    from structlearn.models.dynamic_model import DynamicModel


def fitted_model(
    options: Lagged, graph: Graph, initial: Graph, data: Any, smoothing: float
) -> "DynamicModel":
    """Fit what follows to all rows that have their lags, and how it begins to the first of each series.

    Where few series tell how they begin, any steps of them may be the first.
    """
    from structlearn.models.dynamic_model import fitted_dynamic_model  # noqa: PLC0415, a door

    table = _table("model", options, graph, data)
    begun, context = beginnings(table, table.lags[-1]), _context(table, graph)
    if begun is None or begun.n_rows < ENOUGH_SERIES:
        begun = runs_of_steps(table, table.lags[-1])
    first = unrolled(graph, initial, table.lags[-1], context=context)
    return fitted_dynamic_model(
        graph, first, table.dataset, begun.select(first.nodes), smoothing=smoothing, context=context
    )


def fitted_steps(
    options: Lagged, graph: Graph, initial: Graph, data: Any, n_steps: int, smoothing: float
) -> "BayesianNetwork":
    """Fit each step to the same step of all series that have so many from their first on."""
    from structlearn.models import BayesianNetwork  # noqa: PLC0415, a door

    table = _table("model_by_step", options, graph, data)
    begun = beginnings(table, n_steps)
    n_series = 0 if begun is None else begun.n_rows
    if begun is None or n_series < FEWEST_SERIES:
        raise DataError(
            f"model_by_step(n_steps={n_steps}): {n_series} series have so many steps from their first on "
            f"without a gap, and {FEWEST_SERIES} are needed. Take fewer steps, or model(), which has the "
            "same distributions at all steps."
        )
    steps = unrolled(graph, initial, n_steps, context=_context(table, graph))
    return BayesianNetwork(steps).fit(begun.select(steps.nodes), smoothing=smoothing)


def _context(table: LaggedTable, graph: Graph) -> list[str]:
    """What never changes within a series, and follows from nothing."""
    names = zip(table.variables, table.is_context, strict=True)
    return [name for name, is_context in names if is_context and not graph.parents(lagged_name(name, 0))]


def _table(owner: str, options: Lagged, graph: Graph, data: Any) -> LaggedTable:
    """The lagged table of the lags that a graph has."""
    lags = sorted({facts["lag"] for facts in graph.facts.values()} - {0})
    aside = {role: name for role, name in options.when().items() if isinstance(name, str)}
    source = prepared(owner, opened(data, aside=aside), options, only=None)
    statistics = statistics_of(source, source.names, owner=owner, aside=tuple(aside.values()))
    return lagged_table(owner, statistics, lags, equal_series=options.equal_series, **options.when())

"""The distributions of a dynamic network, fitted to a table."""

from typing import TYPE_CHECKING, Any

from structlearn.graphs import Graph
from structlearn.learners.time.options import Lagged
from structlearn.learners.time.prepared import prepared
from structlearn.learners.time.slices.beginning import ENOUGH_SERIES
from structlearn.statistics import opened, statistics_of
from structlearn.statistics.lagged import beginnings, lagged_table, runs_of_steps

if TYPE_CHECKING:
    from structlearn.models.dynamic_model import DynamicModel


def fitted_model(
    options: Lagged, graph: Graph, initial: Graph, data: Any, smoothing: float
) -> "DynamicModel":
    """Fit what follows to all rows that have their lags, and how it begins to the first of each series.

    Where few series tell how they begin, any steps of them may be the first.
    """
    from structlearn.models.dynamic_model import fitted_dynamic_model  # noqa: PLC0415, a door

    lags = sorted({facts["lag"] for facts in graph.facts.values()} - {0})
    aside = {role: name for role, name in options.when().items() if isinstance(name, str)}
    source = prepared("model", opened(data, aside=aside), options, only=None)
    statistics = statistics_of(source, source.names, owner="model", aside=tuple(aside.values()))
    table = lagged_table("model", statistics, lags, equal_series=options.equal_series, **options.when())
    begun = beginnings(table, lags[-1])
    if begun is None or begun.n_rows < ENOUGH_SERIES:
        begun = runs_of_steps(table, lags[-1])
    return fitted_dynamic_model(graph, initial, table.dataset, begun, smoothing=smoothing)

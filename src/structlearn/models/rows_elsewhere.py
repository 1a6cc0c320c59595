"""Fitting a model to rows that stay where they are."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.alignment import rows_that_count
from structlearn.naming import listed
from structlearn.statistics import SourceTable, Statistics, is_elsewhere, opened, statistics_of
from structlearn.statistics.engines.opening import is_read_whole
from structlearn.statistics.protocol import FOR_ROWS


def rows_or_source(data: Any) -> Any:
    """A source whose rows stay where they are, or a table; of rows that repeat, each once with its number."""
    if not isinstance(data, SourceTable | str | Path) and not is_elsewhere(data):
        return rows_that_count(data)
    if isinstance(data, str | Path) and is_read_whole(data):
        return data  # by the states of the model
    found = opened(data)
    return found.collapsed() or found if isinstance(found, SourceTable) else found


def statistics_to_fit(
    source: SourceTable,
    nodes: Sequence[str],
    kinds: Mapping[str, Kind],
    labels: Mapping[str, tuple[Label, ...]],
) -> Statistics:
    """The statistics of the nodes; the source must have what their distributions were promised to be."""
    lacking = [node for node in nodes if node not in source.names]
    if lacking:
        raise DataError(f"fit: the data lack the columns {listed(lacking)}, which are nodes of the graph.")
    strangers = [name for name in source.names if name not in nodes]
    if strangers:
        raise DataError(f"fit: the columns {listed(strangers)} are no nodes of the graph; leave them out.")
    for node, kind in kinds.items():
        if source.kinds[node] != kind or source.labels.get(node, ()) != labels.get(
            node, source.labels.get(node, ())
        ):
            raise DataError(
                f"fit: {node!r} was promised another kind or other states than its column has where its rows "
                f"are. Say kinds={{…}} to sl.source. {FOR_ROWS}"
            )
    return statistics_of(source, nodes, owner="fit")

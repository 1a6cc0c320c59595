"""Statistics of rows that came over as codes and numbers: too many to collapse, and few enough to keep."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn
from structlearn.data.coding import smallest
from structlearn.data.columns import Column, Mask
from structlearn.statistics.engines.collapsed import Part
from structlearn.statistics.engines.protocol import PackedRows
from structlearn.statistics.incomplete import IncompleteStatistics
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.units import in_fair_units


def from_rows(part: Part, rows: PackedRows, *, n_jobs: int) -> MemoryStatistics:
    """The statistics of these rows, as of a table in memory."""
    codes, numbers = iter(rows.codes), iter(rows.numbers)
    columns: list[Column] = []
    for name, labels in zip(part.names, part.labels, strict=True):
        if labels:
            found = next(codes)
            known = smallest(np.ma.filled(found, 0), len(labels))
            columns.append(DiscreteColumn(name, known, labels, _gaps(found)))
        else:
            values = next(numbers)
            columns.append(ContinuousColumn(name, np.ma.filled(values, 0.0), _gaps(values)))
    table, log_units = in_fair_units(Dataset.from_columns(columns, weights=rows.weights))
    engine = IncompleteStatistics if table.missing else MemoryStatistics
    statistics = engine(table, n_jobs=n_jobs)
    statistics.log_units, statistics.origins = log_units, part.measures.starts
    return statistics


def _gaps(values: NDArray[Any]) -> Mask | None:
    missing: Mask = np.ma.getmaskarray(values)
    return missing if missing.any() else None

"""Long tables made ready for lags: uneven times brought to even steps, and values to their changes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn
from structlearn.data.columns import Column
from structlearn.data.time_steps import rows_by_series
from structlearn.errors import DataError, OptionError
from structlearn.statistics.lagged import is_context, steps_of_table
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import rows_of
from structlearn.statistics.time_courses import labelled, times_of

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def resampled(owner: str, dataset: Dataset, when: dict[str, Any]) -> Dataset:
    """Every series at even steps from its first time on, numbers on lines between rows, states as they were.

    The step is that of `when`, or the median of the times between two rows.
    """
    time, series = when["time"], when["series"]
    if time is None:
        raise OptionError(f"{owner}(resample=True): name the column with the times as time=.")
    known = MemoryStatistics(
        dataset.complete(owner).select([name for name in (time, series) if name is not None])
    )
    values = rows_of(owner, known, range(len(known.names))).values
    times = times_of(owner, known, values, time)
    assert times is not None  # noqa: S101, there is a column of them
    parts = rows_by_series(owner, times, labelled(known, values, series) if series is not None else None)
    between = np.concatenate([np.diff(times[rows]) for rows in parts])
    step = when["step"] or (float(np.median(between)) if len(between) else 1.0)
    courses = [(rows, times[rows], _grid(times[rows], step)) for rows in parts]
    last = np.concatenate([rows[np.searchsorted(own, grid, side="right") - 1] for rows, own, grid in courses])
    columns: list[Column] = []
    for column in dataset.columns:
        if column.name == time:
            columns.append(ContinuousColumn(time, np.concatenate([grid for _, _, grid in courses])))
        elif isinstance(column, DiscreteColumn) or column.name in when.values():
            columns.append(column.take(last))
        else:
            lines = [np.interp(grid, own, column.values[rows]) for rows, own, grid in courses]
            columns.append(ContinuousColumn(column.name, np.concatenate(lines)))
    return Dataset.from_columns(columns, inferred=dataset.inferred)


def differenced(owner: str, dataset: Dataset, when: dict[str, Any]) -> Dataset:
    """The changes of continuous columns from the step before, in rows that have one; others as they are.

    What never changes within a series stays what it is.
    """
    aside = [name for name in when.values() if isinstance(name, str)]
    steps, _ = steps_of_table(owner, dataset, **when)
    at = steps.at_lags((0, 1))
    if not len(at):
        raise DataError(f"{owner}(difference=True): no row has the step before it within its series.")
    series = np.empty(len(steps.order), dtype=np.int64)
    series[steps.order] = steps.series
    columns: list[Column] = []
    for column in dataset.columns:
        is_kept = column.name in aside
        if isinstance(column, ContinuousColumn):
            is_kept |= is_context(column, series)
        columns.append(column.take(at[:, 0]) if is_kept else _changes(column, *at.T))
    return Dataset.from_columns(columns, inferred=dataset.inferred)


def _changes(column: Column, now: Places, before: Places) -> Column:
    if isinstance(column, DiscreteColumn):
        return column.take(now)
    missing = None if column.missing is None else column.missing[now] | column.missing[before]
    return ContinuousColumn(column.name, column.values[now] - column.values[before], missing)


def _grid(times: Floats, step: float) -> Floats:
    """Steps from the first time up to the last; one that is late by rounding alone is there."""
    n_steps = int(np.floor((times[-1] - times[0]) / step * (1.0 + 1e-12) + 1e-9))
    grid: Floats = np.minimum(times[0] + step * np.arange(n_steps + 1), times[-1])
    return grid

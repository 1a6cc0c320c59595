"""Long tables without what the calendar explains: a line over time, and the means of a season."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset
from structlearn.data.columns import Column
from structlearn.errors import DataError
from structlearn.statistics.lagged import is_context, steps_of_table
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import rows_of
from structlearn.statistics.time_courses import times_of

Floats = NDArray[np.float64]
FEWEST_SEASONS = 2  # of one, nothing is left
LEFT_BY_ROUNDING = 1e-12  # of the largest value: less is none


def detrended(
    owner: str,
    dataset: Dataset,
    when: dict[str, Any],
    *,
    trend: bool,
    season: int | None,
    until: float = math.inf,
) -> Dataset:
    """Continuous columns less their regression on time, and on the steps of a season of so many.

    Both are the same in all series. What never changes within a series stays what it is, and so do states.
    The regression knows only rows before the time `until`.
    """
    aside = [name for name in when.values() if isinstance(name, str)]
    steps, _ = steps_of_table(owner, dataset, **when)
    series, moment = np.empty((2, dataset.n_rows))
    series[steps.order], moment[steps.order] = steps.series, steps.index
    if when["time"] is not None:
        moment = _times(owner, dataset, when["time"])
    place = np.rint((moment - moment.min()) / steps.step).astype(np.int64)
    design = _design(place, trend=trend, season=season)
    is_known = moment < until
    _refuse_few_rows(owner, place[is_known], design.shape[1], season)
    columns: list[Column] = []
    for column in dataset.columns:
        if (
            isinstance(column, ContinuousColumn)
            and column.name not in aside
            and not is_context(column, series.astype(np.int64))
        ):
            there = is_known if column.missing is None else is_known & ~column.missing
            left = _left(column.values, design, there)
            columns.append(ContinuousColumn(column.name, left, column.missing))
        else:
            columns.append(column)
    return Dataset.from_columns(columns, inferred=dataset.inferred)


def _times(owner: str, dataset: Dataset, time: str) -> Floats:
    known = MemoryStatistics(dataset.select([time]))
    found = times_of(owner, known, rows_of(owner, known, [0]).values, time)
    assert found is not None  # noqa: S101, there is a column of them
    return found


def _design(place: NDArray[np.int64], *, trend: bool, season: int | None) -> Floats:
    """A constant or an indicator of each step of a season, and a line from -1 to 1."""
    level = np.ones((len(place), 1)) if season is None else np.eye(season)[place % season]
    line = 2.0 * place / max(int(place.max(initial=0)), 1) - 1.0
    return np.column_stack([level, line]) if trend else level


def _refuse_few_rows(owner: str, place: NDArray[np.int64], n_columns: int, season: int | None) -> None:
    n_steps = int(np.ptp(place)) + 1 if len(place) else 0
    if season is not None and n_steps < FEWEST_SEASONS * season:
        raise DataError(
            f"{owner}(season={season}): there are {n_steps} steps, and what comes again after {season} shows "
            f"in {FEWEST_SEASONS * season} or more."
        )
    if len(place) <= n_columns + 1:
        raise DataError(
            f"{owner}: {len(place)} rows are too few to take a trend or a season out of; {n_columns + 2} are "
            "needed."
        )


def _left(values: Floats, design: Floats, is_known: NDArray[np.bool_]) -> Floats:
    """What the regression of the rows that are known leaves of all; what is rounding alone is none."""
    unit = float(np.abs(values[is_known]).max(initial=0.0)) or 1.0
    scaled = values / unit
    weights = np.linalg.lstsq(design[is_known], scaled[is_known])[0]
    left: Floats = scaled - design @ weights
    if np.abs(left[is_known]).max(initial=0.0) <= LEFT_BY_ROUNDING:
        return np.zeros(len(values))
    return left * unit

"""A long table as a lagged one: each row with the rows of earlier steps of its series beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn, Label
from structlearn.data.coding import smallest
from structlearn.data.columns import Column
from structlearn.data.time_steps import TimeSteps, refuse_too_long_lags, time_steps
from structlearn.errors import DataError
from structlearn.graphs.lags import lagged_name, slice_name
from structlearn.statistics.incomplete import IncompleteStatistics
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import WEIGHED_ROWS, Rows, Statistics, rows_of
from structlearn.statistics.time_courses import check_names_aside, labelled, times_of
from structlearn.statistics.units import log_units, origins

Floats = NDArray[np.float64]
FEWEST_ROWS = 2  # dependence shows only in several
MASK: dict[Label, bool] = {0: False, 1: True, "false": False, "true": True}


@dataclass(frozen=True, slots=True)
class LaggedTable:
    """The columns x[t], then x[t-1] and so on, of all variables; one set of rows for all of them.

    `statistics` has lag by lag, the present first, a column of each of the `variables`. `is_context` says
    which of these never change within a series: nothing comes before them, and nothing follows from them.
    `asked` are the lags of causes; a method may look further back.
    """

    variables: tuple[str, ...]
    lags: tuple[int, ...]
    statistics: MemoryStatistics
    steps: TimeSteps
    series: NDArray[np.int64]
    is_context: NDArray[np.bool_]
    long: Statistics
    dataset: Dataset
    asked: tuple[int, ...]
    at: NDArray[np.int64]

    @property
    def n_short_series(self) -> int:
        """How many series have no row with all lags."""
        return len(self.steps.labels) - len(np.unique(self.series))

    @property
    def n_rows(self) -> int:
        """How many rows have all lags."""
        return self.statistics.n_rows

    def moments(self) -> NDArray[np.int64]:
        """A number for each row; those of a series differ by as many steps as are between them."""
        key = self.steps.series * (2 * int(self.steps.index.max()) + 2) + self.steps.index
        of_row = np.empty_like(key)
        of_row[self.steps.order] = key
        return of_row[self.at[:, 0]]

    def place(self, variable: int, lag: int) -> int:
        """Where the column of a variable at a lag stands."""
        return (0 if lag == 0 else 1 + self.lags.index(lag)) * len(self.variables) + variable

    def values(self) -> tuple[Floats, Floats]:
        """What is now, (rows, variables), and what was, (rows, lags, variables)."""
        found = self.statistics.rows(range(len(self.statistics.names))).values
        n = len(self.variables)
        return found[:, :n], found[:, n:].reshape(len(found), len(self.lags), n)

    def units(self) -> Floats:
        """The unit of each variable: values here times this are those of the table."""
        return np.exp(log_units(self.statistics)[: len(self.variables)])


def checked_lags(lags: int | Sequence[int]) -> tuple[int, ...]:
    """The lags in rising order, from 1 up to a number or those of a list."""
    return tuple(range(1, lags + 1)) if isinstance(lags, int) else tuple(sorted(set(lags)))


def lagged_table(  # noqa: PLR0913, options that say where in time a row stands
    owner: str,
    statistics: Statistics,
    lags: Sequence[int],
    *,
    time: str | None = None,
    series: str | None = None,
    step: float | None = None,
    mask: str | None = None,
    asked: tuple[int, ...] | None = None,
    equal_series: bool = False,
) -> LaggedTable:
    """The lagged table of a long one, whose columns beside `time`, `series` and `mask` are the variables.

    A row is left out where one of its lags is not there, at the start of a series and behind a gap, and where
    the mask is not true; a value that is missing is so at all lags. Where all rows are left out, it is said
    how many lags there may be; a method may look further back than is `asked` of it. With `equal_series` rows
    have weights.
    """
    roles = {"time": time, "series": series, "mask": mask}
    aside = {option: name for option, name in roles.items() if name is not None}
    check_names_aside(owner, aside, statistics.names)
    rows = _rows(owner, statistics, aside)
    steps, is_in = steps_of_rows(
        owner, statistics, rows.values, time=time, series=series, step=step, mask=mask
    )
    at = steps.at_lags((0, *lags))
    refuse_too_long_lags(owner, steps, lags, len(at), most=None if asked is None else asked[-1])
    at = _unmasked(owner, at, is_in, mask)
    chosen = [j for j, name in enumerate(statistics.names) if name not in aside.values()]
    columns = [
        _column(statistics, j, lagged_name(statistics.names[j], lag), rows.values[at[:, place], j])
        for place, lag in enumerate((0, *lags))
        for j in chosen
    ]
    series_of_row = np.empty(len(rows.values), dtype=np.int64)
    series_of_row[steps.order] = steps.series
    weights = weights_of_series(series_of_row[at[:, 0]]) if equal_series else None
    dataset = Dataset.from_columns(columns, weights=weights)
    engine = IncompleteStatistics if dataset.missing else MemoryStatistics
    found = engine(dataset, n_jobs=statistics.n_jobs)
    found.log_units = np.tile(log_units(statistics)[chosen], 1 + len(lags))
    found.origins = np.tile(origins(statistics)[chosen], 1 + len(lags))
    found.has_order = len(at) == steps.longest_run() - max(lags) == len(rows.values) - max(lags)
    variables = tuple(statistics.names[j] for j in chosen)
    context = constant_within(rows.values[:, chosen], series_of_row)
    return LaggedTable(
        variables,
        tuple(lags),
        found,
        steps,
        series_of_row[at[:, 0]],
        context,
        statistics,
        dataset,
        tuple(lags) if asked is None else asked,
        at,
    )


def _rows(owner: str, statistics: Statistics, aside: Mapping[str, str]) -> Rows:
    """All rows, NaN where a value is missing, which none may be that says where in time a row stands."""
    everything = range(len(statistics.names))
    if not isinstance(statistics, IncompleteStatistics):
        rows = rows_of(owner, statistics, everything)
    else:
        rows = statistics.rows_with_gaps(everything)
        for option, name in aside.items():
            missing = np.flatnonzero(np.isnan(rows.values[:, statistics.names.index(name)]))
            if len(missing):
                raise DataError(
                    f"{owner}({option}={name!r}): the column misses a value in row {missing[0]}, counted "
                    "from 0, and of such a row nobody knows where it stands. Fill it in, or drop the row."
                )
    if rows.weights is not None:
        raise DataError(f"{owner}: rows in time have no weights; pass the table without them. {WEIGHED_ROWS}")
    return rows


def _unmasked(
    owner: str, at: NDArray[np.int64], is_in: NDArray[np.bool_], mask: str | None
) -> NDArray[np.int64]:
    kept = at[is_in[at[:, 0]]]
    if len(kept) < FEWEST_ROWS:
        raise DataError(
            f"{owner}(mask={mask!r}): the mask leaves {len(kept)} of {len(at):,} rows that have their lags."
        )
    return kept


def steps_of_rows(
    owner: str,
    statistics: Statistics,
    values: Floats,
    *,
    time: str | None,
    series: str | None,
    step: float | None,
    mask: str | None,
) -> tuple[TimeSteps, NDArray[np.bool_]]:
    """The step and the series of each row, and whether it is one to learn from."""
    own = labelled(statistics, values, series) if series is not None else None
    steps = time_steps(owner, times_of(owner, statistics, values, time), own, len(values), step)
    if mask is None:
        return steps, np.ones(len(values), dtype=np.bool_)
    said = labelled(statistics, values, mask)
    read = [value.lower() if isinstance(value, str) else value for value in said]
    wrong = next((value for value in read if value not in MASK), None)
    if wrong is not None:
        raise DataError(
            f"{owner}(mask={mask!r}): a mask is true or false, 1 or 0, and column {mask!r} holds {wrong!r}."
        )
    return steps, np.array([MASK[value] for value in read])


def steps_of_table(owner: str, dataset: Dataset, **when: Any) -> tuple[TimeSteps, NDArray[np.bool_]]:
    """Those of a table by the columns that say when its rows were; others may miss values."""
    aside = [name for name in when.values() if isinstance(name, str)]
    if not aside:
        return time_steps(owner, None, None, dataset.n_rows), np.ones(dataset.n_rows, dtype=np.bool_)
    statistics = MemoryStatistics(dataset.select(aside).complete(owner))
    return steps_of_rows(owner, statistics, rows_of(owner, statistics, range(len(aside))).values, **when)


def beginnings(table: LaggedTable, n_steps: int) -> Dataset | None:
    """The first steps of every series that has them without a gap, as a row each; None where none has."""
    steps = table.steps
    starts = np.flatnonzero(np.diff(steps.series, prepend=-1))
    starts = starts[starts + n_steps <= len(steps.index)]
    is_whole = (steps.index[starts + n_steps - 1] == n_steps - 1) & (
        steps.series[starts + n_steps - 1] == steps.series[starts]
    )
    starts = starts[is_whole]
    return _side_by_side(table, steps.order[starts[:, None] + np.arange(n_steps)]) if len(starts) else None


def runs_of_steps(table: LaggedTable, n_steps: int) -> Dataset:
    """All runs of so many steps without a gap, as a row each, named as if each were a beginning."""
    return _side_by_side(table, table.steps.at_lags(range(n_steps - 1, -1, -1)))


def _side_by_side(table: LaggedTable, at: NDArray[np.int64]) -> Dataset:
    """The rows of the long table at some positions, (rows, steps), with a column for each step."""
    long = table.long
    places = [long.names.index(variable) for variable in table.variables]
    values = rows_of("beginnings", long, places).values
    return Dataset.from_columns(
        [
            _column(long, place, slice_name(variable, step), values[rows, j])
            for step, rows in enumerate(at.T)
            for j, (variable, place) in enumerate(zip(table.variables, places, strict=True))
        ]
    )


def _column(statistics: Statistics, place: int, name: str, values: Floats) -> Column:
    labels, is_missing = statistics.labels[place], np.isnan(values)
    missing = is_missing if is_missing.any() else None
    known = np.where(is_missing, 0.0, values)
    if statistics.kinds[place] == "continuous":
        return ContinuousColumn(name, known, missing)
    return DiscreteColumn(name, smallest(known.astype(np.int64), len(labels)), labels, missing)


def weights_of_series(series: NDArray[np.int64]) -> Floats:
    """A weight for each row, the same in all for each series.

    They sum to the number of rows of one weight whose mean is as sure, (Σw)²/Σw² (Kish, 1965).
    """
    weights = 1.0 / np.bincount(series)[series]
    found: Floats = weights * weights.sum() / np.square(weights).sum()
    return found


def constant_within(values: Floats, series: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which columns vary, but never within a series; what is missing, NaN, is as the rest."""
    n_series, found = int(series.max(initial=0)) + 1, np.zeros(values.shape[1], dtype=np.bool_)
    for j, column in enumerate(values.T):
        there = np.flatnonzero(~np.isnan(column))[::-1]
        first = np.empty(n_series)
        first[series[there]] = column[there]
        is_same = column[there] == first[series[there]]
        found[j] = is_same.all() and (column[there] != column[there[-1:]]).any()
    return found


def is_context(column: ContinuousColumn, series: NDArray[np.int64]) -> bool:
    """Whether a column varies, but never within a series, as far as it is known."""
    known = column.values if column.missing is None else np.where(column.missing, np.nan, column.values)
    return bool(constant_within(known[:, None], series)[0])

"""What a user passes to learn from, made into statistics: a table of any kind, or something that answers."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn, Kind
from structlearn.data.aside import setting_aside
from structlearn.data.gaps import refuse_gaps
from structlearn.data.targets import Rows, Targets
from structlearn.errors import DataError, OptionError, warn
from structlearn.options import OneOf, check_options
from structlearn.statistics.adtree import ADTreeStatistics
from structlearn.statistics.engines.elsewhere import is_elsewhere
from structlearn.statistics.engines.source_table import SourceTable
from structlearn.statistics.experiments import Experiments, rows_and_targets
from structlearn.statistics.incomplete import IncompleteStatistics
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.missing import MISSING, Missing, complete_cases, observed, rows_by
from structlearn.statistics.protocol import Statistics
from structlearn.statistics.rows_left import RowsLeft
from structlearn.statistics.selection import selected
from structlearn.statistics.units import in_fair_units, smallest_of
from structlearn.statistics.weightless import have_weight, without_weightless_rows

Counting = Literal["memory", "adtree"]
COUNTING = OneOf(("memory", "adtree"), "how discrete columns are counted")
SOURCE_OPTIONS = ("where", "table", "columns", "filter", "sample_rows", "sample_seed")
RULES = {"missing": MISSING, "statistics": COUNTING}
Source = Dataset | Statistics | SourceTable
FEWEST_ROWS = 2  # dependence shows only in several
_MEANING = "A weight says how many rows a row counts for"
MOST_WITH_MATRICES = 300  # columns, of whose covariances there may be a matrix for each that was set


def opened(data: Any, *, aside: Mapping[str, str] | None = None, **table_options: Any) -> Source:
    """What was passed, with its names known: a data set of a table, or statistics as they are.

    Columns that are no variables are set `aside`, by what they say of a row: "time", "series" or "targets".
    Other options are those of `Dataset`.
    """
    if isinstance(data, Dataset) and not table_options:
        return data
    is_source = not isinstance(data, type) and isinstance(data, Statistics | SourceTable)
    if is_source and table_options:
        raise OptionError(f"{next(iter(table_options))}: this is for tables; the source has columns already.")
    if is_source:
        found: Source = data
        return found
    with setting_aside(aside or {}):
        if table_options.keys() & SOURCE_OPTIONS or is_elsewhere(data) or isinstance(data, str | Path):
            from structlearn.statistics.engines.opening import source  # noqa: PLC0415, no table needs it

            return source(data, **table_options)
        return Dataset(data, **table_options)


def statistics_of(  # noqa: PLR0913, what a learner may ask for, each by name
    source: Source,
    columns: Sequence[str],
    *,
    owner: str,
    only: Kind | None = None,
    missing: Missing = "error",
    n_jobs: int | None = None,
    counting: Counting = "memory",
    aside: Sequence[str] = (),
    rows_set: Mapping[str, Rows] | None = None,
) -> Statistics:
    """The statistics of some columns of a source, in this order.

    Where only continuous columns can be used, whole numbers of a table are measurements unless somebody
    said otherwise. Columns set `aside` may be of any kind. `rows_set` says in which rows of a table in memory
    a column was set from outside.
    """
    if isinstance(source, Dataset):
        answering = partial(
            _of_table, owner=owner, only=only, missing=missing, n_jobs=n_jobs, counting=counting, aside=aside
        )
        found = answering(source, columns)
        check_frequencies(owner, found.weights)
        if rows_set:
            place, counts = {name: j for j, name in enumerate(columns)}, have_weight(source)
            is_set = {place[name]: rows[counts] for name, rows in rows_set.items()}
            is_wide = type(found) is MemoryStatistics and len(columns) > MOST_WITH_MATRICES
            sharing = partial(RowsLeft, found) if is_wide and not found.levels.any() else None
            rows = without_weightless_rows(source)
            found.experiments = Experiments(rows, columns, is_set, answering, sharing)
        return found
    if isinstance(source, SourceTable):
        if missing == "error":
            gaps = {name: n for name, n in source.missing.items() if name in columns}
            refuse_gaps(owner, gaps, source.n_rows)
        measured = _measured(source, source.measurements, columns, only, aside)
        kinds: dict[str, Kind] = source.kinds | dict.fromkeys(measured, "continuous")
        _refuse_other_kinds(
            owner, {name: kind for name, kind in kinds.items() if name in columns}, only, aside
        )
        _refuse_shares(owner, source.size, source.n_rows)
        return source.statistics(columns, kinds=kinds, missing=missing, n_jobs=n_jobs or 1)
    if not source.is_complete and missing != "testwise":
        raise DataError(
            f"{owner}: the source misses values, and each of its answers uses the rows that have what it "
            "asks for. That is for methods with missing='testwise'; complete the rows for others."
        )
    asked = {name: kind for name, kind in zip(source.names, source.kinds, strict=True) if name in columns}
    _refuse_other_kinds(owner, asked, only, aside)
    return selected(source, columns)


def statistics_beside_targets(
    owner: str, source: Source, columns: Sequence[str], *, targets: Targets | None, missing: Missing
) -> Statistics:
    """The statistics of some columns, with what `targets` says was set in which rows."""
    if targets is None:
        return statistics_of(
            observed(source, columns, missing), columns, owner=owner, missing=rows_by(missing)
        )
    rows, is_set = rows_and_targets(owner, source, targets, nodes=columns, missing=missing)
    return statistics_of(rows, columns, owner=owner, rows_set=is_set, missing=rows_by(missing))


def _of_table(  # noqa: PLR0913, as above
    table: Dataset,
    columns: Sequence[str],
    *,
    owner: str,
    only: Kind | None,
    missing: Missing,
    n_jobs: int | None,
    counting: Counting,
    aside: Sequence[str],
) -> MemoryStatistics:
    """The statistics of some columns of a table in memory, however few its rows."""
    wanted = set(columns)
    table = without_weightless_rows(table.select([name for name in table.names if name in wanted]))
    if missing == "error":
        table.complete(owner)
    measured = _measured(table, lambda: _whole_numbers(table), columns, only, aside)
    table = Dataset(table, kinds=dict.fromkeys(measured, "continuous")) if measured else table
    _refuse_other_kinds(owner, table.kinds, only, aside)
    asked = table.select(list(columns))
    chosen, log_units = in_fair_units(asked)
    found = from_dataset(chosen, n_jobs=n_jobs or 1, missing=missing, statistics=counting, owner=owner)
    found.rows_are_independent = table.rows == "independent"
    found.log_units, found.origins = log_units, smallest_of(asked)
    return found


def check_frequencies(owner: str, weights: NDArray[np.float64] | None) -> None:
    """Refuse weights that count as less than two rows, and warn of others that look like shares."""
    if weights is None or weights.size < FEWEST_ROWS:
        return
    total, n_rows = float(weights.sum()), weights.size
    _refuse_shares(owner, total, n_rows)
    if total < n_rows and weights.max() <= 1.0 and (weights % 1.0 > 0.0).any():
        warn(
            f"{owner}: the weights sum to {total:,.6g} in {n_rows:,} rows, and none is above 1. {_MEANING}: "
            f"this table counts as {total:,.6g}. {_advice(n_rows)}"
        )


def _refuse_shares(owner: str, total: float, n_rows: int) -> None:
    if total < FEWEST_ROWS <= n_rows:
        raise DataError(
            f"{owner}: the weights sum to {total:.3g} in {n_rows:,} rows. {_MEANING}, so that the table "
            f"would count as less than two, from which nothing can be learnt. {_advice(n_rows)}"
        )


def _advice(n_rows: int) -> str:
    return f"If yours are shares or probabilities, pass weights * {n_rows} / sum(weights)."


def numbers_as_measurements(dataset: Dataset) -> Dataset:
    """The table with whole numbers as continuous columns, unless somebody said otherwise."""
    numbers = _whole_numbers(dataset)
    return Dataset(dataset, kinds=dict.fromkeys(numbers, "continuous")) if numbers else dataset


def _whole_numbers(dataset: Dataset) -> frozenset[str]:
    """The discrete columns of numbers whose kind nobody gave."""
    return frozenset(
        column.name
        for column in dataset.columns
        if isinstance(column, DiscreteColumn)
        and column.name in dataset.inferred
        and all(isinstance(label, int | float) and not isinstance(label, bool) for label in column.labels)
    )


def _measured(
    table: Dataset | SourceTable,
    numbers: Callable[[], frozenset[str]],
    columns: Sequence[str],
    only: Kind | None,
    aside: Sequence[str],
) -> frozenset[str]:
    """Which numbers are measurements: all where a method takes no others.

    Beside measurements alone, what never varies is one too: a gene that is 0 in all samples makes no table
    of two kinds.
    """
    if only == "continuous":
        return numbers()
    kinds, labels = table.kinds, table.labels
    asked = [name for name in columns if name in kinds and name not in aside]
    others = {kinds[name] for name in asked if len(labels.get(name, ())) != 1}
    return numbers().intersection(asked) if others == {"continuous"} else frozenset()


def _refuse_other_kinds(
    owner: str, kinds: Mapping[str, Kind], only: Kind | None, aside: Sequence[str]
) -> None:
    others = [repr(name) for name, kind in kinds.items() if only not in (None, kind) and name not in aside]
    if others:
        raise DataError(
            f"{owner} takes {only} columns only, and {', '.join(others[:5])} "
            f"{'is' if len(others) == 1 else 'are'} not. Leave them out, or say otherwise with kinds={{…}}."
        )


def from_dataset(
    dataset: Dataset,
    *,
    n_jobs: int = 1,
    missing: Missing = "error",
    statistics: Counting = "memory",
    owner: str = "from_dataset",
) -> MemoryStatistics:
    """Statistics of a table in memory.

    Parameters
    ----------
    dataset : Dataset
        The table.
    n_jobs : int, default 1
        How many threads share a large batch.
    missing : "error", "drop" or "testwise", default "error"
        What to do about missing values: refuse them, leave out every row that has one, or let each
        question use the rows that have a value in all of its columns. The last keeps most rows;
        answers then come from different rows, which is sound for tests of independence (where
        values are missing completely at random) but not for scores that are compared.
    statistics : "memory" or "adtree", default "memory"
        How discrete columns are counted: from the rows for each question, or off an AD-tree that is
        grown first. The answers are the same.
    owner : str
        In whose name to refuse.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.Dataset({"a": ["x", "y", None, "y"], "b": ["u", None, "v", "v"]})
    >>> from_dataset(data, missing="drop").n_rows
    2
    >>> from_dataset(data, missing="testwise").counts([0])
    array([1, 2])
    """
    check_options(owner, RULES, {"missing": missing, "statistics": statistics})
    dataset = without_weightless_rows(dataset)
    if missing == "error":
        dataset.complete(owner)
    if missing == "testwise" and dataset.missing:
        return _with_gaps(dataset, n_jobs, statistics, owner)
    engine = ADTreeStatistics if statistics == "adtree" else MemoryStatistics
    return engine(complete_cases(dataset, owner), n_jobs=n_jobs)


def _with_gaps(dataset: Dataset, n_jobs: int, statistics: Counting, owner: str) -> IncompleteStatistics:
    if statistics == "adtree":
        raise OptionError(
            f"{owner}(statistics='adtree'): an AD-tree counts the same rows for every question, and here "
            "each has those that can answer it. Use missing='drop' with it, or statistics='memory'."
        )
    return IncompleteStatistics(dataset, n_jobs=n_jobs)

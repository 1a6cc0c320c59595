"""What must be true of the columns before any method can say something sensible."""

import warnings
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from structlearn.data import Dataset, DiscreteColumn, Kind
from structlearn.errors import DataError, DataWarning
from structlearn.statistics import Counting, Counts, Missing, Statistics, from_dataset

DEPENDENT = 1e-11  # the share of a column's variance that the others leave
ROWS_AT_ONCE = 512


def ready_statistics(
    owner: str,
    dataset: Dataset,
    *,
    only: Kind | None = None,
    missing: Missing = "error",
    n_jobs: int | None = None,
    counting: Counting = "memory",
) -> Statistics:
    """The statistics of a table that a method can work on, its columns in alphabetical order.

    Columns go in by name, so that their order in the table cannot change the answer. For a method
    with continuous columns only, whole numbers are measurements unless somebody said otherwise.
    """
    if missing == "error":
        dataset.complete(owner)
    if only == "continuous":
        dataset = _with_numbers_as_measurements(dataset)
    if only is not None:
        _refuse_other_kinds(owner, dataset, only)
    ordered = dataset.select(sorted(dataset.names))
    statistics = from_dataset(ordered, n_jobs=n_jobs or 1, missing=missing, statistics=counting, owner=owner)
    check_columns(owner, statistics)
    return statistics


def _with_numbers_as_measurements(dataset: Dataset) -> Dataset:
    numbers = [
        column.name
        for column in dataset.columns
        if isinstance(column, DiscreteColumn)
        and column.name in dataset.inferred
        and all(isinstance(label, int | float) and not isinstance(label, bool) for label in column.labels)
    ]
    return Dataset(dataset, kinds=dict.fromkeys(numbers, "continuous")) if numbers else dataset


def _refuse_other_kinds(owner: str, dataset: Dataset, only: Kind) -> None:
    others = [repr(name) for name, kind in dataset.kinds.items() if kind != only]
    if others:
        raise DataError(
            f"{owner} takes {only} columns only, and {', '.join(others[:5])} "
            f"{'is' if len(others) == 1 else 'are'} not. Leave them out, or say otherwise with kinds={{…}}."
        )


def check_columns(owner: str, statistics: Statistics) -> None:
    """Refuse a single row and linearly dependent columns; warn of constant and repeated ones."""
    if statistics.n_rows < 2:
        raise DataError(
            f"{owner}: the table has 1 row (n_samples = 1), and dependence shows only in several."
        )
    discrete = [j for j, kind in enumerate(statistics.kinds) if kind == "discrete"]
    continuous = [j for j, kind in enumerate(statistics.kinds) if kind == "continuous"]
    margins = {j: statistics.counts([j]) for j in discrete}
    variances = np.diag(statistics.moments().covariance) if continuous else np.zeros(0)
    constant = [j for j in discrete if np.count_nonzero(margins[j]) == 1]
    constant += [j for j in continuous if variances[j] == 0.0]
    if constant:
        _warn(owner, f"{_listed(statistics, constant)} has a single value; it will have no edges.")
    _warn_of_renamed_columns(owner, statistics, {j: margins[j] for j in discrete if j not in constant})
    _refuse_dependent_columns(owner, statistics, [j for j in continuous if j not in constant])


def _warn_of_renamed_columns(owner: str, statistics: Statistics, margins: dict[int, Counts]) -> None:
    alike: dict[bytes, list[int]] = {}
    for j, margin in margins.items():
        alike.setdefault(np.sort(margin[margin > 0]).tobytes(), []).append(j)
    for columns in alike.values():
        for place, j in enumerate(columns):
            for k in columns[:place]:
                table = statistics.counts([k, j]) > 0
                if (table.sum(axis=0) <= 1).all() and (table.sum(axis=1) <= 1).all():
                    _warn(
                        owner,
                        f"{_listed(statistics, [k, j])} say the same under different labels; "
                        "what depends on one depends on the other. Drop one of them.",
                    )


def _refuse_dependent_columns(owner: str, statistics: Statistics, columns: list[int]) -> None:
    # Any two columns of two rows are the same but for scale; with gaps there is no one covariance.
    if len(columns) < 2 or statistics.n_rows == 2 or not statistics.is_complete:
        return
    correlation = statistics.moments().correlation
    if len(columns) < len(correlation):
        correlation = correlation[np.ix_(columns, columns)]
    for i, j in _repeated_columns(correlation):
        pair = [columns[i], columns[j]]
        raise DataError(f"{owner}: {_listed(statistics, pair)} are the same but for scale. Drop one of them.")
    if statistics.n_rows <= len(columns) + 1:
        return  # with so few rows every table is linearly dependent; it says nothing about the columns
    _, order, rank, _ = lapack.dpstrf(correlation, tol=DEPENDENT, lower=1)
    if rank == len(columns):
        return
    kept, dependent = order[:rank] - 1, order[rank] - 1
    slopes = np.linalg.solve(correlation[np.ix_(kept, kept)], correlation[kept, dependent])
    sources = [columns[k] for k in kept[np.abs(slopes) > 1e-6]]
    raise DataError(
        f"{owner}: {_listed(statistics, [columns[dependent]])} is a linear combination of "
        f"{_listed(statistics, sorted(sources))}. Drop one of them."
    )


def _repeated_columns(correlation: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """The pairs that are the same but for scale, in blocks of rows: tables can be wide."""
    for start in range(0, len(correlation), ROWS_AT_ONCE):
        is_again = np.abs(correlation[start : start + ROWS_AT_ONCE]) > 1.0 - DEPENDENT / 2
        for row, j in np.argwhere(np.triu(is_again, k=start + 1)):
            yield start + row, j


def _listed(statistics: Statistics, columns: Sequence[int]) -> str:
    names = [repr(statistics.names[j]) for j in columns]
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return ("column " if len(names) == 1 else "columns ") + shown


def _warn(owner: str, message: str) -> None:
    warnings.warn(f"{owner}: {message}", DataWarning, stacklevel=6)

"""What must be true of the columns before any method can say something sensible."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from structlearn.data import Kind
from structlearn.errors import DataError
from structlearn.run import Run
from structlearn.statistics import Counting, Counts, Missing, Source, Statistics, statistics_of

DEPENDENT = 1e-11  # the share of a column's variance that the others leave
ROWS_AT_ONCE = 512  # of a correlation matrix: as many as fit in a cache beside their result
PAIRS_AT_ONCE = 4096  # so that the tables of many columns that look alike never fill the memory


def ready_statistics(
    source: Source,
    run: Run,
    *,
    only: Kind | None = None,
    missing: Missing = "error",
    n_jobs: int | None = None,
    counting: Counting = "memory",
) -> Statistics:
    """The statistics of a source that a method can work on, its columns in alphabetical order.

    Columns go in by name, so that their order in the table cannot change the answer.
    """
    statistics = statistics_of(
        source,
        sorted(source.names),
        owner=run.owner,
        only=only,
        missing=missing,
        n_jobs=n_jobs,
        counting=counting,
    )
    check_columns(statistics, run)
    return statistics


def check_columns(statistics: Statistics, run: Run) -> None:
    """Refuse a single row and linearly dependent columns; warn of constant and repeated ones."""
    if statistics.n_rows < 2:
        raise DataError(
            f"{run.owner}: the table has 1 row (n_samples = 1), and dependence shows only in several."
        )
    discrete = [j for j, kind in enumerate(statistics.kinds) if kind == "discrete"]
    continuous = [j for j, kind in enumerate(statistics.kinds) if kind == "continuous"]
    margins = dict(zip(discrete, statistics.margins(discrete), strict=True))
    variances = np.diag(statistics.moments().covariance) if continuous else np.zeros(0)
    constant = {j for j in discrete if np.count_nonzero(margins[j]) == 1}
    constant |= {j for j in continuous if variances[j] == 0.0}
    if constant:
        run.warn(f"{_listed(statistics, sorted(constant))} has a single value; it will have no edges.")
    for pair in _renamed_columns(statistics, {j: margins[j] for j in discrete if j not in constant}):
        run.warn(
            f"{_listed(statistics, pair)} say the same under different labels; what depends on one depends "
            "on the other. Drop one of them."
        )
    _refuse_dependent_columns(run.owner, statistics, [j for j in continuous if j not in constant])


def _renamed_columns(statistics: Statistics, margins: dict[int, Counts]) -> Iterator[list[int]]:
    """The pairs of discrete columns of which each tells the other; asked for in batches."""
    alike: dict[bytes, list[int]] = {}
    for j, margin in margins.items():
        alike.setdefault(np.sort(margin[margin > 0]).tobytes(), []).append(j)
    pairs = (pair for columns in alike.values() for pair in combinations(columns, 2))
    while batch := list(islice(pairs, PAIRS_AT_ONCE)):
        found = statistics.tables(np.array(batch, dtype=np.int64))
        for pair, start in zip(batch, found.starts.tolist(), strict=True):
            shape = statistics.levels[list(pair)]
            occurs = found.counts[start : start + int(shape.prod())].reshape(shape) > 0
            if (occurs.sum(axis=0) <= 1).all() and (occurs.sum(axis=1) <= 1).all():
                yield list(pair)


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

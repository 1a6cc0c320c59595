"""What estimators read, and the work on all pairs in blocks."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.later import joblib
from structlearn.statistics import Statistics
from structlearn.statistics.protocol import WEIGHED_ROWS, rows_of
from structlearn.statistics.units import origins

Matrix = NDArray[np.float64]
# Writes rows `start` to `end` of a matrix of pairs, from the diagonal on.
Fill = Callable[[int, int, Matrix], None]
# Rows of a matrix of pairs at once: enough for a product of matrices to be worth it, and few enough that
# threads and Ctrl-C need not wait long. Never a function of the threads, on which nothing may depend.
COLUMNS_AT_ONCE = 128
FEWEST_SHARED = 10  # rows that two columns with gaps must have in common for anything to be said of them


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of equal length, one per row of `values`: codes where `levels` is not 0, or average ranks."""

    values: Matrix
    levels: NDArray[np.int64]
    are_ranks: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def take(self, places: NDArray[np.int64]) -> "Columns":
        """Some of the columns."""
        return replace(self, values=self.values[places], levels=self.levels[places])

    def ranked(self) -> "Columns":
        """Their average ranks in place of the values."""
        return self if self.are_ranks else Columns(average_ranks(self.values), self.levels, are_ranks=True)


def read_columns(
    owner: str,
    statistics: Statistics,
    places: NDArray[np.int64] | None = None,
    *,
    from_zero: bool = False,
) -> Columns:
    """The rows of some columns, or of all, counted `from_zero` where that matters; weights are refused."""
    wanted = np.arange(len(statistics.names)) if places is None else places
    rows = rows_of(owner, statistics, wanted.tolist())
    if rows.weights is not None:
        raise DataError(f"{owner} takes no case weights; repeat the rows instead. {WEIGHED_ROWS}")
    values = rows.values + origins(statistics)[wanted] if from_zero else rows.values
    return Columns(np.ascontiguousarray(values.T), np.asarray(statistics.levels)[wanted])


def all_pairs(
    fill: Fill,
    n_columns: int,
    *,
    n_jobs: int = 1,
    must_stop: Callable[[], bool] = lambda: False,
    show: Callable[[int, int], object] = lambda _n_done, _n_columns: None,
) -> Matrix:
    """The symmetric matrix that `fill` writes block by block; pairs that time does not allow for have 0.

    `show` is told how many columns are done, where there is one thread.
    """
    found = np.zeros((n_columns, n_columns))

    def work(start: int) -> None:
        if not must_stop():
            fill(start, min(start + COLUMNS_AT_ONCE, n_columns), found)

    starts = range(0, n_columns, COLUMNS_AT_ONCE)
    if n_jobs == 1 or len(starts) == 1:
        for start in starts:
            work(start)
            show(min(start + COLUMNS_AT_ONCE, n_columns), n_columns)
    else:
        joblib.Parallel(n_jobs=n_jobs, require="sharedmem")(joblib.delayed(work)(start) for start in starts)
    for start in starts:
        here = slice(start, min(start + COLUMNS_AT_ONCE, n_columns))
        found[here, here] = np.triu(found[here, here]) + np.triu(found[here, here], k=1).T
        found[here.stop :, here] = found[here, here.stop :].T
    return found


def pairs_with_gaps(
    owner: str,
    statistics: Statistics,
    estimate: Callable[[Columns], Matrix],
    *,
    must_stop: Callable[[], bool] = lambda: False,
    from_zero: bool = False,
) -> tuple[Matrix, int]:
    """The estimate of each two columns in the rows that have both, and the fewest rows that were used.

    Pairs with fewer than `FEWEST_SHARED` such rows have 0.
    """
    n_columns, fewest = len(statistics.names), statistics.n_rows
    found = np.zeros((n_columns, n_columns))
    for i in range(n_columns):
        if must_stop():
            break
        for j in range(i, n_columns):
            pair = read_columns(owner, statistics, np.array([i, j]), from_zero=from_zero)
            n_shared = pair.values.shape[1]
            if n_shared >= FEWEST_SHARED:
                fewest = min(fewest, n_shared)
                found[i, j] = found[j, i] = estimate(pair)[0, 1 if i < j else 0]
    return found, fewest


def columns_without_gaps(
    owner: str, statistics: Statistics, n_rows: int, rng: np.random.Generator, *, from_zero: bool = False
) -> Columns:
    """So many values of each column, whatever row they are from: for what chance would make of them."""
    places = range(len(statistics.names))
    each = [read_columns(owner, statistics, np.array([j]), from_zero=from_zero).values[0] for j in places]
    values = [np.resize(rng.permutation(column), n_rows) for column in each]
    return Columns(np.array(values), np.asarray(statistics.levels))


def pairs_where(is_so: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the true cells of a matrix: where few are, ten times as fast as `nonzero`."""
    first, second = np.unravel_index(np.flatnonzero(is_so), is_so.shape)
    return first, second


def average_ranks(values: Matrix) -> Matrix:
    """The ranks along each row, from 1; equal values share the mean of theirs."""
    order = np.argsort(values, axis=1)
    order += values.shape[1] * np.arange(len(values))[:, None]  # by places in all of the matrix
    ranks = np.empty(values.shape)  # in the order of rows, whatever that of the values in memory
    ranks.ravel()[order] = np.arange(1.0, values.shape[1] + 1.0)
    ordered = values.ravel()[order]
    has_ties = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if has_ties.any():
        ranks[has_ties] = [_shared_ranks(column) for column in values[has_ties]]
    return ranks


def _shared_ranks(column: Matrix) -> Matrix:
    """The ranks of values, where those that are equal share the mean of theirs."""
    _, inverse, counts = np.unique(column, return_inverse=True, return_counts=True)
    ranks: Matrix = (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]
    return ranks

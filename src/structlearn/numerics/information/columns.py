"""What estimators read, and the work on all pairs in blocks."""

from collections.abc import Callable
from dataclasses import dataclass

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from structlearn.errors import DataError
from structlearn.statistics import Statistics
from structlearn.statistics.protocol import rows_of

Matrix = NDArray[np.float64]
# Writes rows `start` to `end` of a matrix of pairs, from the diagonal on.
Fill = Callable[[int, int, Matrix], None]
# Rows of a matrix of pairs at once: enough for a product of matrices to be worth it, and few enough that
# threads and Ctrl-C need not wait long. Never a function of the threads, on which nothing may depend.
COLUMNS_AT_ONCE = 128


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of equal length, one per row of `values`: codes where `levels` is not 0."""

    values: Matrix
    levels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, places: NDArray[np.int64]) -> "Columns":
        """Some of the columns."""
        return Columns(self.values[places], self.levels[places])


def read_columns(owner: str, statistics: Statistics, places: NDArray[np.int64] | None = None) -> Columns:
    """The rows of some columns, or of all; case weights are refused."""
    wanted = np.arange(len(statistics.names)) if places is None else places
    rows = rows_of(owner, statistics, wanted.tolist())
    if rows.weights is not None:
        raise DataError(f"{owner} takes no case weights; repeat the rows instead.")
    return Columns(np.ascontiguousarray(rows.values.T), np.asarray(statistics.levels)[wanted])


def all_pairs(
    fill: Fill, n_columns: int, *, n_jobs: int = 1, must_stop: Callable[[], bool] = lambda: False
) -> Matrix:
    """The symmetric matrix that `fill` writes block by block; pairs that time does not allow for have 0."""
    found = np.zeros((n_columns, n_columns))

    def work(start: int) -> None:
        if not must_stop():
            fill(start, min(start + COLUMNS_AT_ONCE, n_columns), found)

    starts = range(0, n_columns, COLUMNS_AT_ONCE)
    if n_jobs == 1 or len(starts) == 1:
        for start in starts:
            work(start)
    else:
        joblib.Parallel(n_jobs=n_jobs, require="sharedmem")(joblib.delayed(work)(start) for start in starts)
    for start in starts:
        here = slice(start, min(start + COLUMNS_AT_ONCE, n_columns))
        found[here, here] = np.triu(found[here, here]) + np.triu(found[here, here], k=1).T
        found[here.stop :, here] = found[here, here.stop :].T
    return found


def average_ranks(values: Matrix) -> Matrix:
    """The ranks along each row, from 1; equal values share the mean of theirs."""
    order = np.argsort(values, axis=1)
    ranks = np.empty_like(values)
    np.put_along_axis(ranks, order, np.arange(1.0, values.shape[1] + 1.0)[None], axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    has_ties = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    ranks[has_ties] = rankdata(values[has_ties], axis=1)
    return ranks

"""Columns like those of a table that have nothing to do with each other."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Column, ContinuousColumn, Dataset, DiscreteColumn
from structlearn.statistics import HasRows, MemoryStatistics, Statistics


def shuffled(statistics: Statistics, rng: np.random.Generator) -> MemoryStatistics:
    """A table whose columns have the values of these, each in an order of its own.

    It depends on what values the columns have and on nothing else: not on the order or the names of rows,
    columns and states, nor on units. Columns of which only moments are there are taken for Gaussian.
    """
    n_rows = max(math.ceil(statistics.size), 1)
    tells_apart = rng.normal(size=n_rows)
    levels = statistics.levels.tolist()
    values = np.empty((len(levels), n_rows))
    is_number = statistics.levels == 0
    values[is_number] = _numbers(statistics, np.flatnonzero(is_number).tolist(), n_rows)
    for column in np.flatnonzero(~is_number).tolist():
        values[column] = _states(statistics, column, n_rows)
    # Columns that are equal may take each other's place.
    places = sorted(range(len(values)), key=lambda j: (levels[j], float(values[j] @ tells_apart)))
    columns: list[Column] = []
    for j in places:
        row, name = rng.permutation(values[j]), str(j)
        if levels[j]:
            columns.append(DiscreteColumn(name, row.astype(np.uint32), tuple(range(levels[j]))))
        else:
            columns.append(ContinuousColumn(name, row))
    return MemoryStatistics(Dataset.from_columns(columns), n_jobs=statistics.n_jobs)


def _states(statistics: Statistics, column: int, n_rows: int) -> NDArray[np.int64]:
    """The states of a column, the most frequent ones first."""
    counts = np.sort(statistics.counts([column]).astype(np.float64))[::-1]
    return _evenly(counts, n_rows)


def _numbers(statistics: Statistics, columns: Sequence[int], n_rows: int) -> NDArray[np.float64]:
    """The numbers of columns, each in order, with mean 0, variance 1 and the longer tail above."""
    if not isinstance(statistics, HasRows):
        return np.array([np.random.default_rng(j).normal(size=n_rows) for j in columns]).reshape(-1, n_rows)
    rows = statistics.rows(columns)
    numbers = np.ascontiguousarray(rows.values.T)
    if rows.weights is None:
        numbers = np.sort(numbers, axis=1)
    else:
        order = np.argsort(numbers, axis=1)
        places = [one[_evenly(rows.weights[one], n_rows)] for one in order]
        numbers = np.take_along_axis(numbers, np.array(places).reshape(-1, n_rows), axis=1)
    numbers -= numbers.mean(axis=1)[:, None]
    spread = numbers.std(axis=1)
    numbers /= np.where(spread > 0.0, spread, 1.0)[:, None]
    has_longer_below = (numbers**3).sum(axis=1) < 0.0
    numbers[has_longer_below] = -numbers[has_longer_below, ::-1]
    return numbers


def _evenly(weights: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """So many places, each as often as its weight says."""
    ends = np.cumsum(weights)
    places: NDArray[np.int64] = np.searchsorted(ends, (np.arange(n) + 0.5) * (ends[-1] / n), side="right")
    return places

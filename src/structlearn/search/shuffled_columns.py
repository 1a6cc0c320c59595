"""Columns like those of a table that have nothing to do with each other."""

import math

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
    values = [
        _states(statistics, column, n_rows) if n_states else _numbers(statistics, column, n_rows)
        for column, n_states in enumerate(levels)
    ]
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


def _states(statistics: Statistics, column: int, n_rows: int) -> NDArray[np.float64]:
    """The states of a column, the most frequent ones first."""
    counts = np.sort(statistics.counts([column]).astype(np.float64))[::-1]
    return _evenly(counts, n_rows).astype(np.float64)


def _numbers(statistics: Statistics, column: int, n_rows: int) -> NDArray[np.float64]:
    """The numbers of a column in order, with mean 0, variance 1 and the longer tail above."""
    if not isinstance(statistics, HasRows):
        return np.random.default_rng(column).normal(size=n_rows)
    rows = statistics.rows([column])
    order = np.argsort(rows.values[:, 0])
    weights = np.ones(len(order)) if rows.weights is None else rows.weights[order]
    numbers: NDArray[np.float64] = rows.values[order, 0][_evenly(weights, n_rows)]
    numbers = numbers - numbers.mean()
    spread = float(numbers.std())
    numbers = numbers / spread if spread > 0.0 else numbers
    return numbers if (numbers**3).sum() >= 0.0 else -numbers[::-1]


def _evenly(weights: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """So many places, each as often as its weight says."""
    ends = np.cumsum(weights)
    places: NDArray[np.int64] = np.searchsorted(ends, (np.arange(n) + 0.5) * (ends[-1] / n), side="right")
    return places

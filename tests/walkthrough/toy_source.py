"""A toy source: rows somewhere else, of which only counts and moments can be had."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np

from structlearn.data import Dataset, DiscreteColumn
from structlearn.statistics import Counts, GroupedMoments, Moments, Tables


class Elsewhere:
    """Answers every question by going over all rows once more, with dictionaries."""

    n_jobs, is_complete = 1, True

    def __init__(self, dataset: Dataset) -> None:
        columns = [c.codes if isinstance(c, DiscreteColumn) else c.values for c in dataset.columns]
        self._rows = list(zip(*(column.tolist() for column in columns), strict=True))
        self.names = dataset.names
        self.kinds = tuple(column.kind for column in dataset.columns)
        self.labels = tuple(dataset.labels.get(name, ()) for name in dataset.names)
        self.levels = np.array([len(known) for known in self.labels], dtype=np.int64)
        self.n_rows, self.size = len(self._rows), float(len(self._rows))

    def margins(self, columns: Sequence[int]) -> list[Counts]:
        return [self.counts([column]) for column in columns]

    def counts(self, columns: Sequence[int]) -> Counts:
        seen = Counter(tuple(row[j] for j in columns) for row in self._rows)
        shape = [int(self.levels[j]) for j in columns]
        cells = product(*map(range, shape))
        return np.array([seen[cell] for cell in cells], dtype=np.int64).reshape(shape)

    def tables(self, sets: np.ndarray) -> Tables:
        found = [self.counts(columns) for columns in sets.tolist()]
        sizes = np.array([table.size for table in found], dtype=np.int64)
        strata = np.array([np.prod(table.shape[:-2], dtype=np.int64) for table in found], dtype=np.int64)
        flat = np.concatenate([table.ravel() for table in found]) if found else np.zeros(0, dtype=np.int64)
        return Tables(flat, np.cumsum(sizes) - sizes, strata)

    def moments(self) -> Moments:
        is_discrete = self.levels > 0
        rows = np.where(is_discrete, 0.0, np.array(self._rows, dtype=np.float64))
        covariance = np.atleast_2d(np.cov(rows.T, bias=True))
        return Moments.of(self.size, rows.mean(axis=0), covariance)

    def grouped_moments(self, discrete: Sequence[int], sets: np.ndarray) -> GroupedMoments:
        strata: dict[tuple[int, ...], list[tuple[float, ...]]] = {}
        for row in self._rows:
            strata.setdefault(tuple(int(row[j]) for j in discrete), []).append(row)
        states = sorted(strata)
        groups = [np.array(strata[state], dtype=np.float64) for state in states]
        parts = [[group[:, columns] for group in groups] for columns in sets.tolist()]
        means = [[part.mean(axis=0) for part in each] for each in parts]
        products = [[len(part) * np.cov(part.T, bias=True) for part in each] for each in parts]
        return GroupedMoments(
            states=np.array(states, dtype=np.int64).reshape(len(states), len(discrete)),
            sizes=np.array([[float(len(part)) for part in each] for each in parts]),
            means=np.array(means),
            products=np.array(products).reshape(*np.shape(means), -1),
        )

"""The statistics of one attribute and of the features that may be its parents."""

from collections.abc import Sequence
from functools import cached_property
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.statistics.protocol import Columns, Counts, Tables
from structlearn.statistics.relational.view import ClassView

MOST_CELLS = 2**20  # 8 MiB; of larger tables only the strata that occur are counted


class TargetStatistics:
    """Answers as a table would whose rows are the objects with a value of the attribute.

    The first column is the attribute; the others are all features of its class, with a state for none where
    some object sees nothing.

    Parameters
    ----------
    view : ClassView
        The features of the class.
    target : int
        Which of them is the attribute.
    """

    n_jobs = 1
    is_complete = True

    def __init__(self, view: ClassView, target: int) -> None:
        self._view, self._target = view, target
        own = view.coded[target]
        self.names: tuple[str, ...] = (str(own.feature.source), *(each.name for each in view.coded))
        self.kinds: tuple[Kind, ...] = tuple("discrete" for _ in self.names)
        self.labels: tuple[tuple[Label, ...], ...] = (
            own.labels[: own.n_values],
            *(each.labels for each in view.coded),
        )
        self.levels = np.array([len(known) for known in self.labels], dtype=np.int64)
        self.n_rows = view.n_present[target]
        self.size = float(self.n_rows)

    def margins(self, columns: Sequence[int]) -> list[Counts]:
        """Count the states of each of these columns."""
        return [self.counts([column]) for column in columns]

    def counts(self, columns: Sequence[int]) -> Counts:
        """Count every joint state: one axis per column."""
        shape = [int(self.levels[column]) for column in columns]
        [rows] = self._view.counts(self._places(np.array([columns])), self._target)
        table = np.zeros(shape, dtype=np.int64)
        table[tuple(rows[:, :-1].T)] = rows[:, -1]
        return table

    def tables(self, sets: Columns) -> Tables:
        """Count many sets of columns, in as few statements as the database takes them."""
        found = [self._strata(columns, rows) for columns, rows in zip(sets, self._rows(sets), strict=True)]
        strata = np.array([len(table) for table in found], dtype=np.int64)
        sizes = np.array([table.size for table in found], dtype=np.int64)
        flat = np.concatenate([table.ravel() for table in found]) if found else np.zeros(0, dtype=np.int64)
        return Tables(flat, np.cumsum(sizes) - sizes, strata)

    def moments(self) -> NoReturn:
        """Has no continuous columns to say something of."""
        raise DataError("Attributes of a database are states, so that they have no moments.")

    def grouped_moments(self, discrete: Sequence[int], sets: Columns) -> NoReturn:  # noqa: ARG002, the protocol's
        """Has no continuous columns to say something of."""
        self.moments()

    def _rows(self, sets: Columns) -> list[NDArray[np.int64]]:
        return self._view.counts(self._places(sets), self._target)

    def _places(self, columns: Columns) -> Columns:
        """The columns as the view numbers them."""
        return np.where(columns == 0, self._target, columns - 1)

    def _strata(self, columns: NDArray[np.int64], rows: NDArray[np.int64]) -> Counts:
        """A table with the axes (stratum, last but one column, last column)."""
        *outer, middle, last = (int(self.levels[column]) for column in columns)
        stratum = np.zeros(len(rows), dtype=np.int64)
        for place, size in enumerate(outer):
            stratum = stratum * size + rows[:, place]
        n_strata = int(np.prod(outer, dtype=np.int64)) if outer else 1
        if n_strata * middle * last > MOST_CELLS:
            seen, stratum = np.unique(stratum, return_inverse=True)
            n_strata = len(seen)
        table = np.zeros((n_strata, middle, last), dtype=np.int64)
        table[stratum, rows[:, -3], rows[:, -2]] = rows[:, -1]
        return table

    @cached_property
    def column_of(self) -> dict[str, int]:
        """The column of each feature by its name."""
        return {name: column for column, name in enumerate(self.names) if column}

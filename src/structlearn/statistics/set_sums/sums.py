"""What all sums over the cells of sets have in common."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.kernels.small_sets import sets_from
from structlearn.statistics.memory import MemoryStatistics

MustStop = Callable[[], bool]
Sets = NDArray[np.int64]


class CellTerms(NamedTuple):
    """What a cell adds to the sum of its set, by the number of rows in it; nothing, if there are none.

    `at` takes the numbers of rows in cells and the numbers of cells that their sets have, which matter only
    where it `depends_on_cells`; the table has `n_rows`.
    """

    at: Callable[[NDArray[np.int64], NDArray[np.float64] | float], NDArray[np.float64]]
    n_rows: int
    depends_on_cells: bool

    def of(self, n_cells: float) -> NDArray[np.float64]:
        """What a cell adds in a set of so many, with no rows, one, and so on up to all."""
        return self.at(np.arange(self.n_rows + 1), n_cells)


class Kinds(NamedTuple):
    """The terms of cells, a row for each number of cells that a set can have, or one for all."""

    n_cells: NDArray[np.float64]
    terms: NDArray[np.float64]

    @classmethod
    def of(cls, terms: CellTerms, numbers: NDArray[np.float64]) -> "Kinds":
        """The terms of sets with these numbers of cells."""
        numbers = numbers if terms.depends_on_cells else np.ones(1)
        return cls(numbers, np.array([terms.of(number) for number in numbers.tolist()]))

    def at(self, n_cells: NDArray[np.float64]) -> NDArray[np.int32]:
        """The rows of sets with so many cells."""
        if len(self.terms) == 1:
            return np.zeros(len(n_cells), dtype=np.int32)
        return np.searchsorted(self.n_cells, n_cells).astype(np.int32)


class SetSums(ABC):
    """The sums of the terms of all cells, for all sets of up to so many columns of a table in memory.

    Sets of one size are in colexicographic order: the rank of one whose columns rise is the sum of the
    binomials C(column, place), places counted from 1.

    Parameters
    ----------
    statistics : MemoryStatistics
        The table: complete, without weights, all columns discrete.
    largest : int
        The most columns of a set.
    terms : CellTerms
        What a cell adds.
    """

    def __init__(self, statistics: MemoryStatistics, largest: int, terms: CellTerms) -> None:
        self._statistics, self._levels, self._n = statistics, statistics.levels, len(statistics.names)
        self._largest, self._terms = largest, terms
        columns, sizes = range(self._n + 1), range(largest + 2)
        self._binomials = np.array([[math.comb(column, size) for size in sizes] for column in columns])
        self._margins = statistics.margins(range(self._n))
        alone = [terms.of(float(len(margin)))[margin].sum() for margin in self._margins]
        self._sums = [terms.of(1.0)[-1:], np.array(alone)]

    def of_size(self, size: int, must_stop: MustStop) -> NDArray[np.float64] | None:
        """The sums of all sets of so many columns, by rank; None where it must stop before they are known."""
        while len(self._sums) <= size:
            found = self._next(must_stop)
            if found is None:
                return None
            self._sums += found
        return self._sums[size]

    @abstractmethod
    def _next(self, must_stop: MustStop) -> list[NDArray[np.float64]] | None:
        """The sums of sets of the next size, and perhaps of more; None where it must stop."""

    def _kinds(self, largest: int) -> Kinds:
        """The terms of sets of two to so many columns."""
        if not self._terms.depends_on_cells:
            return Kinds.of(self._terms, np.ones(1))
        return Kinds.of(self._terms, numbers_of_cells(self._levels, largest))

    def _sets(self, first: int, end: int, size: int) -> Sets:
        """The sets of so many columns from one rank to another, their columns in falling order."""
        sets = np.empty((end - first, size), dtype=np.int64)
        sets_from(first, self._binomials, sets)
        return sets

    def _n_cells(self, sets: Sets) -> NDArray[np.float64]:
        """How many cells the table of each set has."""
        n_cells: NDArray[np.float64] = self._levels[sets].astype(np.float64).prod(axis=1)
        return n_cells


def numbers_of_cells(levels: NDArray[np.int64], largest: int, most: float = math.inf) -> NDArray[np.float64]:
    """The numbers of cells that tables of two to so many columns can have; some, if more than `most`."""
    different = np.unique(levels).astype(np.float64)
    of_size, found = different, np.empty(0)
    for _ in range(largest - 1):
        of_size = np.unique(np.outer(of_size, different))
        found = np.union1d(found, of_size)
        if len(found) > most:
            break
    return found

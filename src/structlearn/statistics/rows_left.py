"""Some rows of a wide table, of which nothing is copied until somebody asks for more than moments of sets."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import Columns, GroupedMoments


class RowsLeft(MemoryStatistics):
    """The rows of a table in memory that are left: moments of a set of columns are counted when asked for.

    Parameters
    ----------
    whole : MemoryStatistics
        The table.
    is_left : array of bool
        Which rows.
    """

    few_sets_asked = True

    def __init__(self, whole: MemoryStatistics, is_left: NDArray[np.bool_]) -> None:
        self._whole, self._is_left = whole, is_left
        self._margins = {}
        self.names, self.kinds, self.labels = whole.names, whole.kinds, whole.labels
        self.levels, self.log_units, self.origins = whole.levels, whole.log_units, whole.origins
        self.n_jobs = whole.n_jobs
        self.n_rows = int(is_left.sum())
        self.weights = None if whole.weights is None else whole.weights[is_left]
        self.size = float(self.n_rows if self.weights is None else self.weights.sum())

    @cached_property
    def _dataset(self) -> Dataset:  # type: ignore[override]  # others have it from the start
        return self._whole._dataset.take(self._is_left)  # noqa: SLF001, its own kind

    def _moments_within(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        if len(discrete):
            return super()._moments_within(discrete, sets)
        no_codes = np.empty((0, len(self._is_left)), dtype=np.int64)
        return self._whole.moments_in_groups(no_codes, np.where(self._is_left, 0, -1), 1, sets)

"""Entropies of sets of columns, in bits and remembered."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import Statistics
from structlearn.statistics.units import log_units

CELLS_AT_ONCE = 2**22  # 32 MiB of counts
COLLINEAR = 1e-12  # the determinant of correlations below which nothing is left to explain

Sets = NDArray[np.int64]


class Entropies:
    """The entropy of any set of discrete columns, or the differential one of normal columns.

    A set is a row of columns; −1 stands for no column.
    """

    def __init__(self, statistics: Statistics, most_columns: int) -> None:
        self._statistics = statistics
        self._width = most_columns
        n_symbols = len(statistics.names) + 1
        self._place_values = n_symbols ** np.arange(most_columns)[::-1]
        self._keys = np.zeros(1, dtype=np.int64)
        self._values = np.zeros(1)

    def of(self, sets: Sets) -> NDArray[np.float64]:
        """The entropy of each set; NaN where normal columns are collinear."""
        ordered = np.full((len(sets), self._width), -1, dtype=np.int64)
        ordered[:, self._width - sets.shape[1] :] = np.sort(sets, axis=1)
        keys = (ordered + 1) @ self._place_values
        wanted, first = np.unique(keys, return_index=True)
        places = np.searchsorted(self._keys, wanted)
        is_new = self._keys[np.minimum(places, len(self._keys) - 1)] != wanted
        if is_new.any():
            self._remember(wanted[is_new], ordered[first[is_new]])
        return self._values[np.searchsorted(self._keys, keys)]

    def _remember(self, keys: NDArray[np.int64], sets: Sets) -> None:
        values = np.empty(len(sets))
        sizes = (sets >= 0).sum(axis=1)
        for size in np.unique(sizes).tolist():
            values[sizes == size] = self._found(sets[sizes == size, self._width - size :])
        order = np.argsort(np.concatenate([self._keys, keys]), kind="stable")
        self._keys = np.concatenate([self._keys, keys])[order]
        self._values = np.concatenate([self._values, values])[order]

    def _found(self, sets: Sets) -> NDArray[np.float64]:
        if self._statistics.kinds[0] == "continuous":
            return normal_entropies(self._statistics, sets)
        return table_entropies(self._statistics, sets)


def table_entropies(statistics: Statistics, sets: Sets) -> NDArray[np.float64]:
    """Entropies of sets of discrete columns of one size, in bits."""
    if sets.shape[1] == 1:
        margins = [statistics.counts([int(column)]) for column in sets[:, 0]]
        return np.array([_entropies(margin, np.zeros(1, dtype=np.int64))[0] for margin in margins])
    n_cells = statistics.levels[sets].astype(np.float64).prod(axis=1).max()
    step = max(int(CELLS_AT_ONCE / n_cells), 1)
    found = []
    for start in range(0, len(sets), step):
        tables = statistics.tables(sets[start : start + step])
        found.append(_entropies(tables.counts, tables.starts))
    return np.concatenate(found)


def _entropies(
    counts: NDArray[np.int64] | NDArray[np.float64], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    sizes = np.add.reduceat(counts, starts)
    parts = counts * np.log2(np.where(counts > 0, counts, 1))
    entropies: NDArray[np.float64] = np.log2(sizes) - np.add.reduceat(parts, starts) / sizes
    return entropies


def normal_entropies(statistics: Statistics, sets: Sets) -> NDArray[np.float64]:
    """Differential entropies of sets of normal columns of one size, in bits.

    A constant column adds nothing, as if it were not there.
    """
    moments = statistics.moments()
    if moments.size <= sets.shape[1]:
        return np.full(len(sets), math.nan)
    variances = np.diag(moments.covariance)
    is_constant = variances == 0.0
    correlation = moments.correlation + np.diag(is_constant.astype(np.float64))
    determinants = np.linalg.det(correlation[sets[:, :, None], sets[:, None, :]])
    alone = np.where(is_constant, 0.0, math.log(2.0 * math.pi) + 1.0 + np.log(variances + is_constant))
    with np.errstate(divide="ignore", invalid="ignore"):
        log_determinants = np.where(determinants > COLLINEAR, np.log(determinants), math.nan)
    alone += np.where(is_constant, 0.0, 2.0 * log_units(statistics))
    entropies: NDArray[np.float64] = 0.5 * (alone[sets].sum(axis=1) + log_determinants) / math.log(2.0)
    return entropies

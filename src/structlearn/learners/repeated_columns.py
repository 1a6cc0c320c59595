"""Continuous columns that say nothing, or the same as others, found without the correlation of every two.

Columns of length one that are the same but for sign and scale lie in the same place in any direction. Only
those that do in a few are compared.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.information.correlation import unit_rows
from structlearn.statistics.varying import RowsOfStatistics, by_blocks

Places = NDArray[np.int64]
N_DIRECTIONS = (
    3  # of 20,000 columns in 100 rows, one has 5,000 pairs on one spot by chance, and three have none
)


def repeated_columns(
    statistics: RowsOfStatistics, columns: Sequence[int], least_correlation: float
) -> dict[int, int]:
    """For each column that repeats another the first that it repeats, both by their places in `columns`."""
    spots, reach = _spots(statistics, columns), np.sqrt(2.0 * (1.0 - least_correlation))
    left, first_of, offset = np.argsort(spots[:, 0]), dict[int, int](), 1
    while offset < len(left):
        one, other = spots[left[:-offset]], spots[left[offset:]]
        is_near = other[:, 0] - one[:, 0] <= reach
        if not is_near.any():
            break
        is_near &= (np.abs(other - one) <= reach).all(axis=1)
        pairs = np.sort(np.column_stack([left[:-offset], left[offset:]])[is_near], axis=1)
        again = pairs[_correlations(statistics, columns, pairs) > least_correlation]
        first_of |= {int(j): int(i) for i, j in again}
        left = left[~np.isin(left, again[:, 1])]
        offset = 1 if len(again) else offset + 1
    for j in sorted(first_of):  # the first of its first is the first
        first_of[j] = first_of.get(first_of[j], first_of[j])
    return dict(sorted(first_of.items(), key=lambda pair: pair[::-1]))


def _spots(statistics: RowsOfStatistics, columns: Sequence[int]) -> NDArray[np.float64]:
    """Where each column lies in each direction, less its sign."""
    directions = np.random.default_rng(0).normal(size=(statistics.n_rows, N_DIRECTIONS))
    directions /= np.sqrt((directions**2).sum(axis=0))
    spots = by_blocks(lambda some: _units(statistics, some) @ directions, columns, statistics)
    return np.asarray(np.abs(np.concatenate(spots)))


def _correlations(statistics: RowsOfStatistics, columns: Sequence[int], pairs: Places) -> NDArray[np.float64]:
    """The sizes of the correlations of pairs of columns."""

    def correlate(some: Sequence[int]) -> NDArray[np.float64]:
        one, other = (_units(statistics, [columns[j] for j in pairs[some, end]]) for end in (0, 1))
        return np.asarray(np.abs((one * other).sum(axis=1)))

    return np.concatenate([np.zeros(0), *by_blocks(correlate, range(len(pairs)), statistics)])


def _units(statistics: RowsOfStatistics, columns: Sequence[int]) -> NDArray[np.float64]:
    return unit_rows(np.ascontiguousarray(statistics.rows(columns).values.T))

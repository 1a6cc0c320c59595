"""Statistics of a table with missing values: each question uses the rows that can answer it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import memory
from structlearn.statistics.kernels.by_arrays import joint_states
from structlearn.statistics.kernels.incomplete import clear_gaps, count_present
from structlearn.statistics.memory import Flags, MemoryStatistics
from structlearn.statistics.protocol import Columns, Counts, GroupedMoments, Moments, Rows, Tables
from structlearn.statistics.strata import number_strata

NO_MARGINS: NDArray[np.int64] = np.empty(0, dtype=np.int64)  # of columns whose rows are not all in a mask


class IncompleteStatistics(MemoryStatistics):
    """Counts and moments over the rows that have a value in every column of a question.

    `size` is that of the whole table; `moments` are those of each pair of columns.
    """

    is_complete = False
    rows_add_up = False

    def rows(self, columns: Sequence[int]) -> Rows:
        """The rows that have a value in all of these columns, with the codes of discrete ones."""
        found, is_present = super().rows(columns), self._has_all(columns)
        weights = None if found.weights is None else found.weights[is_present]
        return Rows(found.values[is_present], weights)

    def rows_with_gaps(self, columns: Sequence[int]) -> Rows:
        """All rows of these columns, NaN where a value is missing."""
        found = super().rows(columns)
        return Rows(np.where(self._gaps[list(columns)].T, np.nan, found.values), found.weights)

    def _joint_counts(self, columns: Sequence[int]) -> Counts:
        joint = joint_states(self._codes, self.levels, columns)
        is_present = self._has_all(columns)
        weights = None if self.weights is None else self.weights[is_present]
        return self._counted(joint[is_present], weights, columns)

    def _fill_dense(self, sets: Columns, starts: Columns, by_masks: Flags, counts: Counts) -> None:
        by_masks = by_masks & (self.weights is None)
        # What is missing is in no mask of a column, so that no level is what the others leave.
        known = self.levels - ~self._has_gaps, NO_MARGINS, self._all_words
        self._count_by_masks(known, sets, starts, by_masks, counts)
        if not by_masks.all():
            weights = np.ones(self.n_rows, dtype=np.int64) if self.weights is None else self.weights
            by = sets[~by_masks], starts[~by_masks]
            count_present(self._codes, self._gaps, self.levels, weights, *by, counts)

    def _moments_of(self, sets: Columns) -> GroupedMoments:
        has_gaps = self._has_gaps[sets].any(axis=1)
        found = super()._moments_of(sets)
        among_gaps = self._moments_within((), sets[has_gaps])
        found.sizes[has_gaps] = among_gaps.sizes
        found.means[has_gaps] = among_gaps.means
        found.products[has_gaps] = among_gaps.products
        return found

    def _sparse_tables(self, sets: Columns, widths: Columns) -> Tables:
        filled: list[NDArray[Any]] = []
        strata = np.zeros(len(sets), dtype=np.int64)
        for i, columns in enumerate(sets):
            is_present = self._has_all(columns)
            codes = self._codes[columns][:, is_present]
            numbers, strata[i] = number_strata(codes[:-2], self.levels[columns[:-2]])
            n_x, n_y = self.levels[columns[-2:]]
            weights = None if self.weights is None else self.weights[is_present]
            joint = (numbers * n_x + codes[-2]) * n_y + codes[-1]
            filled.append(np.bincount(joint, weights=weights, minlength=int(strata[i] * widths[i])))
        return memory.one_behind_the_other(filled, strata, widths)

    def _groups(self, discrete: Sequence[int]) -> tuple[NDArray[np.int64], int]:
        is_present = self._has_all(discrete)
        codes = self._codes[list(discrete)][:, is_present]
        groups = np.full(self.n_rows, -1, dtype=np.int64)
        groups[is_present], n_groups = number_strata(codes, self.levels[list(discrete)])
        return groups, n_groups

    def _has_all(self, columns: Sequence[int] | Columns) -> NDArray[np.bool_]:
        lacks_any: NDArray[np.bool_] = np.logical_or.reduce(self._gaps[list(columns)], axis=0)
        return ~lacks_any

    @cached_property
    def _gaps(self) -> NDArray[np.bool_]:
        gaps = np.zeros((len(self.names), self.n_rows), dtype=np.bool_)
        for j, column in enumerate(self._dataset.columns):
            if column.missing is not None:
                gaps[j] = column.missing
        return gaps

    @cached_property
    def _has_gaps(self) -> NDArray[np.bool_]:
        """Which columns have any."""
        has_gaps: NDArray[np.bool_] = np.logical_or.reduce(self._gaps, axis=1)
        return has_gaps

    def _packed(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        masks, first_mask = super()._packed()
        clear_gaps(self._gaps, self.levels, first_mask, masks)
        return masks, first_mask

    @cached_property
    def _moments(self) -> Moments:
        """Each mean and variance from all rows that have it, each covariance from those that have both."""
        weight = np.ones(self.n_rows) if self.weights is None else self.weights
        present = (~self._gaps).astype(np.float64)
        weighted = present * weight
        centred, mean = self._centred(weighted)
        shared = np.maximum(weighted @ present.T, np.finfo(np.float64).tiny)
        sums = (centred * weight) @ present.T / shared
        covariance = (centred * weight) @ centred.T / shared - sums * sums.T
        variance = np.maximum((centred**2 * weight) @ present.T / shared - sums**2, 0.0)
        scale = np.sqrt(variance * variance.T)
        correlation = np.divide(covariance, scale, out=np.zeros_like(scale), where=scale > 0.0)
        return Moments(self.size, mean, covariance, correlation)

    def _centred(self, weighted: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Distances from the mean of each column, 0 where missing; and those means."""
        total = np.maximum(weighted.sum(axis=1), np.finfo(np.float64).tiny)
        mean = (self._values * weighted).sum(axis=1) / total
        example = self._values[np.arange(len(self.names)), self._gaps.argmin(axis=1)]
        is_constant = ((self._values == example[:, None]) | self._gaps).all(axis=1)
        centred = self._values - np.where(is_constant, example, mean)[:, None]
        return np.where(self._gaps, 0.0, centred), mean

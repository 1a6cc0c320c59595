"""Statistics of groups of rows that agree in all discrete columns: as exact as those of the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn, Label
from structlearn.data.coding import smallest
from structlearn.data.columns import Column, Mask
from structlearn.errors import DataError
from structlearn.statistics.engines.power_sums import Tails
from structlearn.statistics.engines.protocol import MISSING, Groups
from structlearn.statistics.incomplete import IncompleteStatistics
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import (
    Columns,
    Counts,
    FourthMoments,
    GroupedMoments,
    Moments,
    Statistics,
    Tables,
)
from structlearn.statistics.strata import number_strata


@dataclass(frozen=True, slots=True)
class Measures:
    """What brings each column from the scale of its groups to its own: origin + unit * number.

    `starts` are what whole numbers beyond 2^53 are counted from there too, and 0 for other columns.
    `log_units` is not zero where the column's own unit is out of range, as in `statistics.units`.
    """

    origins: NDArray[np.float64]
    units: NDArray[np.float64]
    log_units: NDArray[np.float64]
    starts: NDArray[np.float64]

    def of(self, columns: Sequence[int]) -> Self:
        """Those of some columns."""
        chosen = list(columns)
        each = (self.origins, self.units, self.log_units, self.starts)
        return type(self)(*(numbers[chosen] for numbers in each))


@dataclass(frozen=True, slots=True)
class Part:
    """The columns that statistics are of: continuous ones have no labels."""

    names: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    measures: Measures

    def of(self, columns: Sequence[int]) -> Self:
        """Some of them."""
        names, labels = tuple(self.names[j] for j in columns), tuple(self.labels[j] for j in columns)
        return type(self)(names, labels, self.measures.of(columns))


def weighted_rows(part: Part, groups: Groups) -> Dataset:
    """The groups as a table: a row for each, continuous columns at their means, with its size for weight."""
    numbers = iter(zip(groups.present.T, groups.means.T, strict=True))
    codes = iter(groups.codes.T)
    columns: list[Column] = []
    for name, known in zip(part.names, part.labels, strict=True):
        if known:
            columns.append(_discrete(name, known, next(codes)))
        else:
            is_present, means = next(numbers)
            columns.append(ContinuousColumn(name, means, _gaps(~is_present)))
    return Dataset.from_columns(columns, weights=groups.sizes)


def _discrete(name: str, labels: tuple[Label, ...], codes: NDArray[np.int64]) -> DiscreteColumn:
    known = smallest(np.where(codes == MISSING, 0, codes), len(labels))
    return DiscreteColumn(name, known, labels, _gaps(codes == MISSING))


def _gaps(missing: Mask) -> Mask | None:
    return missing if missing.any() else None


def from_groups(part: Part, groups: Groups, tails: Tails, *, n_jobs: int) -> Statistics:
    """The statistics of groups: of a table of weighted rows, unless some columns are continuous."""
    if not groups.rows.size:
        raise DataError(
            "Each row misses a value, so missing='drop' leaves none. Leave out the columns with most gaps, "
            "or use missing='testwise'."
        )
    if not all(part.labels):
        return CollapsedStatistics(part, groups, tails, n_jobs=n_jobs)
    table = _two_or_more(weighted_rows(part, groups))
    statistics = (IncompleteStatistics if table.missing else MemoryStatistics)(table, n_jobs=n_jobs)
    statistics.has_order = False
    return statistics


def _two_or_more(table: Dataset) -> Dataset:
    """At least two rows: rows that are all the same are still several."""
    if table.n_rows > 1 or table.weights is None or table.weights[0] < 2.0:
        return table
    return Dataset(table.take([0, 0]), weights=table.weights[[0, 0]] / 2.0)


class CollapsedStatistics:
    """Counts and moments from groups of rows, for tables with continuous columns."""

    def __init__(self, part: Part, groups: Groups, tails: Tails, *, n_jobs: int = 1) -> None:
        table = weighted_rows(part, groups)
        engine = IncompleteStatistics if table.missing else MemoryStatistics
        self._between = engine(table, n_jobs=n_jobs)
        self._groups, self._measures, self._tails = groups, part.measures, tails
        self.names, self.labels, self.n_jobs = part.names, part.labels, n_jobs
        self.kinds, self.levels = self._between.kinds, self._between.levels
        self.is_complete = self._between.is_complete
        self.n_rows, self.size = int(groups.rows.sum()), float(groups.sizes.sum())
        self.log_units, self.origins = part.measures.log_units, part.measures.starts
        self._continuous = np.flatnonzero(self.levels == 0)

    def margins(self, columns: Sequence[int]) -> list[Counts]:
        """Count the states of each of these discrete columns, one by one."""
        return self._between.margins(columns)

    def counts(self, columns: Sequence[int]) -> Counts:
        """Count every joint state of discrete columns: one axis per column."""
        return self._between.counts(columns)

    def tables(self, sets: Columns) -> Tables:
        """Count many sets of two or more discrete columns, one per row of `sets`."""
        return self._between.tables(sets)

    def moments(self) -> Moments:
        """The moments of the continuous columns; with gaps, of each pair from the rows that have both."""
        return self._moments

    def grouped_moments(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        """The moments of sets of continuous columns within the strata of discrete ones."""
        between = self._between.grouped_moments(discrete, sets)
        strata, n_strata = self._strata(discrete)
        origins, units = self._measures.origins[sets], self._measures.units[sets]
        within = self._within(strata, n_strata, np.searchsorted(self._continuous, sets))
        return GroupedMoments(
            between.states,
            between.sizes,
            np.where(between.sizes[..., None] > 0.0, origins[:, None] + units[:, None] * between.means, 0.0),
            (between.products + within) * (units[:, :, None] * units[:, None, :])[:, None],
        )

    def fourth_moments(self, columns: Sequence[int]) -> FourthMoments:
        """The fourth moments of these continuous columns."""
        return self._tails.of(columns)

    def _strata(self, discrete: Sequence[int]) -> tuple[NDArray[np.int64], int]:
        """The stratum of each group, -1 for those that lack one of the columns."""
        places = np.searchsorted(np.flatnonzero(self.levels), discrete)
        codes, levels = self._groups.codes[:, places].T, self.levels[list(discrete)]
        strata, has_all = np.full(codes.shape[1], -1, dtype=np.int64), (codes != MISSING).all(axis=0)
        strata[has_all], n_strata = number_strata(codes[:, has_all].astype(np.uint32), levels)
        return strata, n_strata

    def _within(self, strata: NDArray[np.int64], n_strata: int, sets: Columns) -> NDArray[np.float64]:
        """The sums of the products within groups, by set and stratum."""
        found = np.zeros((len(sets), n_strata, sets.shape[1], sets.shape[1]))
        for i, columns in enumerate(sets):
            used = (strata >= 0) & self._groups.present[:, columns].all(axis=1)
            products = self._groups.products[np.ix_(used, columns, columns)]
            np.add.at(found[i], strata[used], products)
        return found

    @cached_property
    def _moments(self) -> Moments:
        groups = self._groups
        weighted = groups.present * groups.sizes[:, None]
        mean = (weighted * groups.means).sum(axis=0) / weighted.sum(axis=0)
        centred = np.where(groups.present, groups.means - mean, 0.0)
        is_present = groups.present.astype(np.float64)
        shared = np.maximum(weighted.T @ is_present, np.finfo(np.float64).tiny)
        shift = (groups.sizes[:, None] * centred).T @ is_present / shared
        covariance = groups.products.sum(axis=0) + (groups.sizes[:, None] * centred).T @ centred
        covariance = covariance / shared - shift * shift.T
        squares = np.einsum("gii->gi", groups.products) + groups.sizes[:, None] * centred**2
        variance = np.maximum(squares.T @ is_present / shared - shift**2, 0.0)
        return self._spread(mean, covariance, np.sqrt(variance * variance.T))

    def _spread(
        self, mean: NDArray[np.float64], covariance: NDArray[np.float64], scale: NDArray[np.float64]
    ) -> Moments:
        """Moments of all columns in their units, from those of the continuous ones on the groups' scale."""
        p, places = len(self.names), self._continuous
        both = np.ix_(places, places)
        means, covariances, correlations = np.zeros(p), np.zeros((p, p)), np.zeros((p, p))
        units = self._measures.units[places]
        means[places] = self._measures.origins[places] + units * mean
        covariances[both] = covariance * np.outer(units, units)
        correlations[both] = np.divide(covariance, scale, out=np.zeros_like(scale), where=scale > 0.0)
        return Moments(self.size, means, covariances, correlations)

"""One part of a table as its worker keeps it: coded once, in as few bytes as that takes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn, Label
from structlearn.data.coding import look_up, smallest
from structlearn.data.columns import Mask, RawColumn
from structlearn.errors import DataError
from structlearn.statistics.engines.partitions.looking import Fields
from structlearn.statistics.engines.protocol import Coding, Scale
from structlearn.statistics.incomplete import IncompleteStatistics
from structlearn.statistics.memory import MemoryStatistics

Rows = NDArray[np.int64] | Mask


@dataclass(frozen=True, eq=False)
class Piece:
    """Codes of the columns that have labels, and numbers on their scale of the others.

    The code of a missing value is the number of labels, a missing number is NaN. `numbers` are the labels
    on the scale of the column, where they are numbers. `weights` are above zero.
    """

    number: int
    columns: tuple[NDArray[Any], ...]
    levels: NDArray[np.int64]
    numbers: tuple[NDArray[np.float64] | None, ...]
    weights: NDArray[np.float64] | None

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.columns[0].size)

    def present(self, column: int) -> Mask:
        """Which rows have a value of a column."""
        values = self.columns[column]
        is_present: Mask = values != self.levels[column] if self.levels[column] else ~np.isnan(values)
        return is_present

    def measured(self, column: int) -> NDArray[np.float64]:
        """The numbers of a column, zero where missing."""
        values, numbers = self.columns[column], self.numbers[column]
        found: NDArray[np.float64]
        found = np.nan_to_num(values, nan=0.0) if numbers is None else np.append(numbers, 0.0)[values]
        return found

    def having(self, columns: Sequence[int]) -> Self:
        """The rows that have a value in all of these columns."""
        if not columns:
            return self
        has_all = np.logical_and.reduce([self.present(j) for j in columns])
        return self if has_all.all() else self.take(has_all)

    def take(self, rows: Rows) -> Self:
        """Some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, columns=tuple(column[rows] for column in self.columns), weights=weights)

    def weighted(self, weights: NDArray[np.float64]) -> Self:
        """The rows that count at all, with other weights than their own."""
        used = np.flatnonzero(weights)
        return replace(self.take(used), weights=weights[used])

    def unweighted(self) -> Self:
        """The same rows, each counted once."""
        return replace(self, weights=None)

    @cached_property
    def statistics(self) -> MemoryStatistics:
        """What counts the columns with labels, in their order."""
        coded = [_discrete(f"{j}", self.columns[j], int(n)) for j, n in enumerate(self.levels) if n]
        dataset = Dataset.from_columns(coded, weights=self.weights)
        return (IncompleteStatistics if dataset.missing else MemoryStatistics)(dataset)


def packed(table: Any, number: int, *, fields: Fields, coding: Coding) -> Piece:
    """Code one part of a table; rows that count for nothing are left out."""
    columns, weights = fields.read(table)
    of = zip(columns, coding.labels, coding.scales, strict=True)
    coded = tuple(_scaled(c, s) if labels is None else _codes(c, labels) for c, labels, s in of)  # type: ignore[arg-type]  # no labels, a scale
    levels = np.array([len(labels or ()) for labels in coding.labels], dtype=np.int64)
    numbers = tuple(map(_scaled_labels, coding.labels, coding.scales))
    piece = Piece(number, coded, levels, numbers, None)
    return piece if weights is None else piece.weighted(weights)


def _codes(column: RawColumn, labels: tuple[Label, ...]) -> NDArray[Any]:
    if column.is_object or column.categories is not None or not column.present.size:
        codes = look_up(column, labels)
    else:
        codes = _codes_of_numbers(column, np.array(labels))
    if column.missing is None:
        return smallest(codes, len(labels) + 1)
    spread = np.full(column.n_rows, len(labels), dtype=np.int64)
    spread[~column.missing] = codes
    return smallest(spread, len(labels) + 1)


def _codes_of_numbers(column: RawColumn, known: NDArray[Any]) -> NDArray[Any]:
    """The places of numbers or truth values among the labels, which are sorted."""
    present = column.present
    if (
        present.dtype.kind in "iu" and present.dtype.itemsize == 1
    ):  # a table of all that a byte can be is quicker than any search
        known = known.astype(present.dtype)
        table = np.searchsorted(known, np.arange(256, dtype=np.uint8).view(present.dtype)).astype(np.uint8)
        codes = np.minimum(table, known.size - 1)[present.view(np.uint8)]
    else:
        codes = np.minimum(np.searchsorted(known, present), known.size - 1)
    is_other = known[codes] != present
    if is_other.any():
        raise DataError(
            f"Column {column.name!r} has the value {present[is_other.argmax()]}, which it did not have when "
            "it was looked at first. Learn when nobody writes to the table."
        )
    return codes


def _scaled(column: RawColumn, scale: Scale) -> NDArray[np.float64]:
    numbers = _away(column.present, scale) if column.is_number else column.present.astype(np.float64)
    if column.missing is None:
        return numbers
    spread = np.full(column.n_rows, np.nan)
    spread[~column.missing] = numbers
    return spread


def _scaled_labels(labels: tuple[Label, ...] | None, scale: Scale | None) -> NDArray[np.float64] | None:
    return None if labels is None or scale is None else _away(np.array(labels), scale)


def _away(numbers: NDArray[Any], scale: Scale) -> NDArray[np.float64]:
    """How far numbers are from the origin, in units; whole ones beyond 2^53 to the last digit."""
    if scale.start is None:
        return (numbers - scale.origin) / scale.unit
    if numbers.dtype.kind == "f":  # in this part they are rounded already
        return (numbers - float(scale.start) - scale.origin) / scale.unit
    # Without a sign nothing overflows: a difference of 64 bits comes out right whatever was carried over.
    apart = numbers.astype(np.uint64) - np.uint64(scale.start % (1 << 64))
    return (apart.astype(np.float64) - scale.origin) / scale.unit


def _discrete(name: str, codes: NDArray[Any], n_labels: int) -> DiscreteColumn:
    missing = codes == n_labels
    labels = tuple(range(n_labels))
    if not missing.any():
        return DiscreteColumn(name, codes, labels)
    return DiscreteColumn(name, np.where(missing, 0, codes).astype(codes.dtype), labels, missing)

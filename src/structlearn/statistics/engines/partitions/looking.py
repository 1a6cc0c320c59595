"""A first look at one part of a table, by the rules of tables in memory, and how looks are joined."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.data.columns import RawColumn
from structlearn.data.kinds import MOST_LEVELS, are_whole, steps_above_least
from structlearn.data.readers import read
from structlearn.errors import DataError
from structlearn.statistics.engines.protocol import Holds, Look, Survey, end_of

MOST_WORDS = 100_000  # a column of more different labels names the rows
GLANCE = 1000  # rows that show of most measurements that they are no codes
MOST_SUMMED = 1e290  # larger numbers are summed in another unit, as their sum may be too large


@dataclass(frozen=True, slots=True)
class Fields:
    """The columns of a part: their names, their kinds where given, and the name of the weights.

    The weights, where there are any, are the last column.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind | None, ...]
    weights: str | None

    def read(self, table: Any) -> tuple[tuple[RawColumn, ...], NDArray[np.float64] | None]:
        """The columns of a part, and its weights, which are above zero."""
        columns = read(self.counted(table)).columns
        if self.weights is None:
            return columns, None
        return columns[:-1], _weights(self.weights, columns[-1])

    def counted(self, table: Any) -> Any:
        """The rows of a part without those of weight 0."""
        if self.weights is None:
            return table
        import narwhals as nw  # noqa: PLC0415, only for data frames

        frame = nw.from_native(table, eager_only=True)
        [column] = read(frame[:, -1:].to_native()).columns
        weights = _weights(self.weights, column)
        return table if weights.all() else frame[np.flatnonzero(weights)].to_native()


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a column shows in some of the rows; `values` is None for numbers that are no codes."""

    holds: Holds
    n_present: int
    values: frozenset[Label] | None
    categories: tuple[Label, ...] | None = None
    is_given: bool = False
    smallest: float = np.inf
    largest: float = -np.inf
    mean: float = 0.0


@dataclass(frozen=True, slots=True)
class PartialSurvey:
    """What some of the rows of a table show."""

    names: tuple[str, ...]
    n_rows: int
    size: float
    glimpses: tuple[Glimpse, ...]

    def whole(self) -> Survey:
        """The survey of a table that has no other rows."""
        return Survey(self.n_rows, self.size, tuple(map(_look, self.names, self.glimpses)))


def survey_of(table: Any, number: int, *, fields: Fields) -> PartialSurvey:  # noqa: ARG001, all work has it
    """Look at one part."""
    try:
        columns, weights = fields.read(table)
    except DataError as error:
        raise DataError(f"In one part of the table, by its own rows: {error}") from None
    n_rows = columns[0].n_rows
    size = float(n_rows if weights is None else weights.sum())
    glimpses = map(_glimpse, fields.names, columns, fields.kinds)
    return PartialSurvey(fields.names, n_rows, size, tuple(glimpses))


def joined_surveys(parts: Sequence[PartialSurvey]) -> PartialSurvey:
    """What the rows of several parts show together."""
    names, columns = parts[0].names, zip(*(part.glimpses for part in parts), strict=True)
    joined = tuple(reduce(partial(_joined, name), each) for name, each in zip(names, columns, strict=True))
    return PartialSurvey(names, sum(part.n_rows for part in parts), sum(part.size for part in parts), joined)


def _weights(name: str, column: RawColumn) -> NDArray[np.float64]:
    is_right = column.missing is None and (column.is_number or not column.n_rows)
    weights = column.present.astype(np.float64) if is_right else np.full(1, np.nan)
    if not np.isfinite(weights).all() or (weights < 0.0).any():
        raise DataError(f"weights={name!r}: a weight is a finite number, at least 0; one or more is not.")
    return weights


def _glimpse(name: str, column: RawColumn, kind: Kind | None) -> Glimpse:
    is_given, present = kind == "discrete", column.present
    if present.dtype.kind in "mM":
        raise DataError(
            f"Column {name!r} holds dates or times, which are no numbers here. Make numbers of them, leave "
            "it out with columns=[…], or read the table into memory."
        )
    if not present.size:
        return Glimpse("text", 0, frozenset(), column.categories, is_given)
    if column.is_object or column.categories is not None:
        found = Glimpse("text", present.size, frozenset(column.different()), column.categories, is_given)
        return _checked(name, found)
    if present.dtype.kind == "b":
        return Glimpse("truth", present.size, frozenset(np.unique(present).tolist()), None, is_given)
    values = None if kind == "continuous" else _different(present, is_given=is_given)
    ends = end_of(present.min()), end_of(present.max())
    unit = 2.0**60 if max(map(abs, ends)) > MOST_SUMMED else 1.0
    mean = float(np.mean(present if unit == 1.0 else present / unit, dtype=np.float64)) * unit
    return _checked(name, Glimpse("numbers", present.size, values, None, is_given, *ends, mean))


def _different(numbers: NDArray[Any], *, is_given: bool) -> frozenset[Label] | None:
    """The different numbers if they may be codes, or are said to be."""
    if not is_given and (not are_whole(numbers) or np.unique(numbers[:GLANCE]).size > MOST_LEVELS):
        return None
    above = steps_above_least(numbers) if numbers.dtype.kind in "iu" else None
    if above is None:
        return frozenset(np.unique(numbers).tolist())
    return frozenset(int(numbers.min()) + step for step in np.flatnonzero(np.bincount(above)).tolist())


def _joined(name: str, one: Glimpse, other: Glimpse) -> Glimpse:
    """What two parts show together of a column."""
    categories = _joined_categories(one.categories, other.categories)
    if not (one.n_present and other.n_present):
        return replace(one if one.n_present else other, categories=categories)
    if {one.holds, other.holds} == {"truth", "numbers"}:
        raise DataError(
            f"Column {name!r} mixes True and False with numbers, so that True could not be told from 1. "
            "Write all its values as numbers, or all as text."
        )
    n_present = one.n_present + other.n_present
    found = Glimpse(
        one.holds if one.holds == other.holds else "text",
        n_present,
        None if one.values is None or other.values is None else one.values | other.values,
        categories,
        one.is_given,
        min(one.smallest, other.smallest),
        max(one.largest, other.largest),
        one.mean + (other.mean / 2.0 - one.mean / 2.0) * (2.0 * other.n_present / n_present),
    )
    return _checked(name, found)


def _checked(name: str, glimpse: Glimpse) -> Glimpse:
    """Forget numbers that are too many for codes; refuse what is no column of labels."""
    values = glimpse.values
    if values is None and glimpse.holds == "text":
        raise DataError(f"Column {name!r} mixes text with many different numbers. Write all of it as text.")
    if values is None:
        return glimpse
    if glimpse.holds == "numbers" and not glimpse.is_given and len(values) > MOST_LEVELS:
        return replace(glimpse, values=None)
    if len(values) > MOST_WORDS:
        raise DataError(
            f"Column {name!r} has more than {MOST_WORDS:,} different values. It looks like an identifier; "
            "leave it out: columns=[…]."
        )
    return glimpse


def _joined_categories(
    one: tuple[Label, ...] | None, other: tuple[Label, ...] | None
) -> tuple[Label, ...] | None:
    """The categories of both: those of the first part in its order, then what others have more."""
    if one is None or other is None or one == other:
        return other if one is None else one
    return tuple(dict.fromkeys((*one, *other)))


def _look(name: str, glimpse: Glimpse) -> Look:
    if glimpse.categories is not None:
        return Look(name, "text", glimpse.n_present, glimpse.categories, has_order=True)
    values = None if glimpse.values is None else tuple(glimpse.values)
    if glimpse.holds != "numbers":
        return Look(name, glimpse.holds, glimpse.n_present, values)
    ends = glimpse.smallest, glimpse.largest
    return Look(name, "numbers", glimpse.n_present, values, False, *ends, glimpse.mean)  # noqa: FBT003, in their order

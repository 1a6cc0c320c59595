"""From a column as it was read to codes with labels, or to numbers."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Codes, ContinuousColumn, DiscreteColumn, Label, RawColumn
from structlearn.data.kinds import are_exact, are_whole, steps_above_least
from structlearn.data.values import as_numbers, refuse_infinities, sorted_labels
from structlearn.errors import DataError
from structlearn.naming import listed
from structlearn.rounding import LARGEST_WHOLE

WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*")


def discrete(column: RawColumn) -> DiscreteColumn:
    """Code the values: numbers sorted by value, text by code point, categories as they were listed."""
    if column.categories is not None:
        labels, codes = column.categories, look_up(column, column.categories)
    elif column.is_object:
        labels = sorted_labels(column.different())
        codes = look_up(column, labels)
    else:
        labels, codes = _coded_numbers(column.present)
    return DiscreteColumn(column.name, column.spread(smallest(codes, len(labels))), labels, column.missing)


def continuous(column: RawColumn) -> ContinuousColumn:
    """The values as numbers; text must be numbers in writing."""
    numbers = _parsed(column) if column.is_object else column.present
    spread = column.spread(numbers.astype(np.float64))
    refuse_infinities(column.name, spread)
    is_rounded = numbers.dtype.kind in "iu" and not are_exact(numbers)
    return ContinuousColumn(
        column.name, spread, column.missing, column.spread(numbers) if is_rounded else None
    )


def look_up(column: RawColumn, labels: tuple[Label, ...]) -> NDArray[np.int64]:
    """The position of each present value among the labels."""
    code_of: Mapping[Label, int] = {label: code for code, label in enumerate(labels)}
    different, places = (column.words, column.present) if column.words is not None else _different(column)
    known = np.array([code_of.get(value, -1) for value in different], dtype=np.int64)
    codes: NDArray[np.int64] = known.take(places)
    if codes.size and known.min() < 0 and codes.min() < 0:
        unseen = int(codes.argmin())
        raise DataError(
            f"Column {column.name!r} has the value {column.value(unseen)!r} in row {column.row_of(unseen)}, "
            f"counted from 0, which is not one of its labels {listed(labels)}. Remove or recode it, or "
            "include it when fitting."
        )
    return codes


def _different(column: RawColumn) -> tuple[Sequence[Any], NDArray[Any]]:
    """The different values of a column, or all of them, and where each row's value is among them."""
    if column.present.dtype == object:
        return column.present.tolist(), np.arange(column.present.size)
    labels, codes = _coded_numbers(column.present)
    return labels, codes


def smallest(codes: NDArray[Any], n_labels: int) -> Codes:
    """The codes in the smallest unsigned type that holds them all."""
    if n_labels <= 1 << 8:
        return codes.astype(np.uint8)
    return codes.astype(np.uint16) if n_labels <= 1 << 16 else codes.astype(np.uint32)


def _coded_numbers(values: NDArray[Any]) -> tuple[tuple[Label, ...], NDArray[Any]]:
    if values.dtype.kind == "f" and are_whole(values):
        values = values.astype(np.int64)
    above = steps_above_least(values) if values.dtype.kind in "iu" else None
    if above is None:
        labels, codes = np.unique(values, return_inverse=True)
        return tuple(labels.tolist()), codes
    seen, lowest = np.bincount(above) > 0, int(values.min())
    return tuple(lowest + step for step in np.flatnonzero(seen).tolist()), (np.cumsum(seen) - 1)[above]


def _parsed(column: RawColumn) -> NDArray[Any]:
    values = column.present.tolist() if column.words is None else list(column.words)
    numbers = as_numbers(column.name, [_number(value) for value in values])
    if column.words is not None:
        numbers = numbers[column.present]
    if np.isnan(numbers).any():
        raise _not_a_number(column, int(np.isnan(numbers).argmax()))
    return numbers


def _number(value: Any) -> int | float:
    try:
        number = float(value)
    except ValueError:
        return math.nan
    is_rounded = abs(number) > LARGEST_WHOLE and isinstance(value, str) and WHOLE.fullmatch(value) is not None
    return int(value) if is_rounded else number


def _not_a_number(column: RawColumn, position: int) -> DataError:
    return DataError(
        f"Column {column.name!r} is given as continuous, but {column.value(position)!r} in row "
        f"{column.row_of(position)}, counted from 0, is not a number. Leave missing values empty (None), "
        'correct the value, or give the column as "discrete".'
    )

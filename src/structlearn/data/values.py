"""From values of any type to booleans, numbers or text, and where they are missing."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, time, timedelta
from numbers import Complex, Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data.aside import dates_aside
from structlearn.data.columns import Label, Mask, RawColumn
from structlearn.data.model_columns import is_unused
from structlearn.data.time_zones import refuse_two_zones
from structlearn.data.times import instants, times_of
from structlearn.errors import DataError, DataTypeError
from structlearn.rounding import LARGEST_WHOLE

_PLAIN = frozenset({str, int, bool})
_Family = Literal["text", "bool", "number", "complex", "date", "other"]


def settled(
    name: str, values: NDArray[Any], *, missing: Mask | None = None, categories: Iterable[Any] | None = None
) -> RawColumn:
    """Make a column of any one-dimensional array; values already known as missing are ignored."""
    if isinstance(values, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(values)
        missing = masked if missing is None else missing | masked
        values = np.ma.getdata(values)
    if values.dtype.kind in "mM":
        absent = np.isnat(values) if missing is None else np.isnat(values) | missing
        return _column(name, values, absent, None)
    if values.dtype.kind == "c":
        raise DataError(f"Complex data not supported: column {name!r} holds complex numbers.")
    labels = None if categories is None else tuple(plain(label) for label in categories)
    if values.dtype.kind in "biu":
        return _column(name, values, missing, labels)
    if values.dtype.kind == "f":
        return _floats(name, values.astype(np.float64), missing, labels)
    return _objects(name, values.tolist(), missing, labels)


def plain(value: Any) -> Label:
    """A label as a Python scalar; a whole number is an int whatever its storage was."""
    if type(value) in _PLAIN:
        found: Label = value
        return found
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < LARGEST_WHOLE else number


def sorted_labels(values: Iterable[Any]) -> tuple[Label, ...]:
    """The different values: numbers by value, text by code point, a mixture by type and then as text."""
    different = {plain(value) for value in set(values)}
    if len({_family(type(label)) for label in different}) <= 1:
        return tuple(sorted(different))
    return tuple(sorted(different, key=lambda label: (type(label).__name__, str(label))))


def refuse_infinities(name: str, values: NDArray[np.float64]) -> None:
    """Raise a DataError if a value of the column, given row by row, is infinite."""
    infinite = np.isinf(values)
    n_infinite = int(infinite.sum())
    if not n_infinite or is_unused(name):
        return
    first = int(infinite.argmax())
    raise DataError(
        f"Column {name!r} has {n_infinite:,} infinite value{'s' if n_infinite > 1 else ''} "
        f"({values[first]}); the first is in row {first}, counted from 0. Remove those rows, or replace them."
    )


def _column(
    name: str, values: NDArray[Any], missing: Mask | None, labels: tuple[Label, ...] | None
) -> RawColumn:
    if missing is None or not missing.any():
        return RawColumn(name, values, None, labels)
    return RawColumn(name, values[~missing], missing, labels)


def _floats(
    name: str, values: NDArray[np.float64], missing: Mask | None, labels: tuple[Label, ...] | None
) -> RawColumn:
    absent = np.isnan(values) if missing is None else np.isnan(values) | missing
    refuse_infinities(name, np.where(absent, 0.0, values))
    return _column(name, values, absent, labels)


def _objects(
    name: str, items: list[Any], missing: Mask | None, labels: tuple[Label, ...] | None
) -> RawColumn:
    kinds = set(map(type, items))
    absent = _absent(items, kinds) if missing is None else _absent(items, kinds) | missing
    if absent.any():
        items = [item for item, gone in zip(items, absent.tolist(), strict=True) if not gone]
        kinds = set(map(type, items))
    column = RawColumn(name, _typed(name, items, kinds), absent if absent.any() else None, labels)
    if column.present.dtype.kind == "M" and dates_aside().get(name) == "steps":
        refuse_two_zones(name, items, column.missing)
        column = replace(column, present=instants(name, items))
    if column.present.dtype.kind == "f":
        refuse_infinities(name, column.spread(column.present))
    return column


def _absent(items: list[Any], kinds: set[type]) -> Mask:
    """Where an item, of one of these kinds, is None, a NaN, or another library's sign for missing."""
    signs = {kind for kind in kinds if kind.__name__ in {"NoneType", "NAType", "NaTType"}}
    floats = {kind for kind in kinds if _family(kind) == "number" and not issubclass(kind, Integral)}
    if not signs and not floats:
        return np.zeros(len(items), dtype=bool)
    gone = (type(item) in signs or (type(item) in floats and item != item) for item in items)  # noqa: PLR0124, NaN
    return np.fromiter(gone, dtype=bool, count=len(items))


def _typed(name: str, items: list[Any], kinds: set[type]) -> NDArray[Any]:
    """The array of booleans, numbers, or objects that suits the values, which are of these kinds."""
    families = {_family(kind) for kind in kinds}
    _refuse_strangers(name, items, families)
    if families == {"bool"}:
        return np.array(items, dtype=bool)
    if families == {"number"}:
        return as_numbers(name, items)
    if families == {"date"}:
        return times_of(name, items)
    if families <= {"text"}:
        return np.array(items, dtype=object)
    if families >= {"bool", "number"}:
        raise DataError(
            f"Column {name!r} mixes True and False with numbers, so that True could not be told from 1. "
            "Write all its values as numbers, or all as text."
        )
    _as_floats(name, (item for item in items if not isinstance(item, str)))
    return np.array([plain(item) for item in items], dtype=object)


def _family(kind: type) -> _Family:
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, bool | np.bool_):
        return "bool"
    if issubclass(kind, date | time | timedelta | np.datetime64 | np.timedelta64):
        return "date"
    if issubclass(kind, Real) or kind.__name__ == "Decimal":
        return "number"
    return "complex" if issubclass(kind, Complex) else "other"


def _refuse_strangers(name: str, items: list[Any], families: set[_Family]) -> None:
    if "date" in families and len(families) > 1:
        raise DataError(
            f"Column {name!r} has dates or times among other values. Write all of it as dates, or as text."
        )
    if "complex" in families:
        raise DataError(f"Complex data not supported: column {name!r} holds complex numbers.")
    if "other" in families:
        stranger = next(item for item in items if _family(type(item)) == "other")
        # A TypeError in these words is what scikit-learn promises for such a value.
        raise DataTypeError(
            f"Column {name!r} holds {stranger!r} (a {type(stranger).__name__}); each value or argument must "
            "be a string, True or False, or a number. Write it as one of these, or leave it out: "
            f"drop=[{name!r}]."
        )


def as_numbers(name: str, items: list[Any]) -> NDArray[Any]:
    """Numbers of any type as integers where all are and 64 bits hold them, and otherwise as floats.

    A DataError if numbers that differ would be the same.
    """
    kinds = set(map(type, items))
    if all(issubclass(kind, Integral) for kind in kinds):
        for dtype in (np.int64, np.uint64):
            try:
                return np.array(items, dtype=dtype)
            except OverflowError:
                continue
    numbers = _as_floats(name, items)
    are_floats = all(issubclass(kind, float) for kind in kinds)
    if not are_floats and len(set(numbers.tolist())) < len(set(items)):
        raise rounded_refused(name)
    return numbers


def _as_floats(name: str, items: Iterable[Any]) -> NDArray[np.float64]:
    try:
        return np.array([float(item) for item in items], dtype=np.float64)
    except OverflowError:
        raise DataError(
            f"Column {name!r} holds a number beyond ±1.8e308, the largest that there is here. Give it in "
            "larger units, or as text if it is a label."
        ) from None


def rounded_refused(name: str) -> DataError:
    """The error for numbers of so many digits that rounding makes different ones equal."""
    return DataError(
        f"Column {name!r} holds numbers of more digits than can be told apart here (16, and 19 for integers)."
        " Subtract their mean first, or give them as text if they are labels."
    )

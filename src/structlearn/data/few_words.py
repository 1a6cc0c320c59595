"""Columns of a few different words: each is compared with all rows at once.

Libraries look up every cell in a table, which takes two to four times as long.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.text_in_arrow import in_one_piece, in_views, is_in_arrow

MOST_WORDS = 12  # a comparison each; with more, tables are as quick
GLANCE = 100  # rows that show most columns with more
MOST_BYTES = 12  # of a word that arrow's views hold beside its length, filled up with zeros
MOST_LETTERS = 12  # of numpy's text, which has each of them in an array

Numbered = tuple[NDArray[Any], list[Any]]


def of_series(series: Any) -> Numbered | None:
    """The words of a series of text, numbered as they come; None where it has gaps, or long or many words."""
    native = series.to_native()
    if series.implementation.is_pandas():
        if native.dtype == object:
            return of_objects(native.to_numpy())
        return of_arrow(in_one_piece(native.array.__arrow_array__())) if is_in_arrow(native) else None
    if series.implementation.is_polars():
        try:
            return of_arrow(in_views(native))
        except ModuleNotFoundError:  # pyarrow
            return None
    return of_arrow(in_one_piece(native)) if series.implementation.is_pyarrow() else None


def of_array(values: NDArray[Any]) -> Numbered | None:
    """The words of an array of numpy, of objects or of its own text."""
    if isinstance(values, np.ma.MaskedArray):
        return None
    if values.dtype == object:
        return of_objects(values)
    return _of_text(values) if values.dtype.kind == "U" else None


def of_arrow(array: Any) -> Numbered | None:
    """The words of an array of arrow."""
    if array.null_count or not len(array):
        return None
    views = _as_views(array)
    if views is None:
        return None
    halves = np.frombuffer(views.buffers()[1], np.uint64, 2 * len(views), 16 * views.offset)
    if halves.view(np.uint32)[::4].max() > MOST_BYTES:
        return None
    found = _numbered([np.ascontiguousarray(halves[which::2]) for which in (0, 1)])
    return found and (found[0], [views[row].as_py() for row in found[1]])


def of_objects(values: NDArray[Any]) -> Numbered | None:
    """The words of an array of objects, which may be none."""
    if not values.size or type(values[0]) is not str:
        return None
    found = _numbered([np.asarray(_Addresses(values))])
    words = [values[row] for row in found[1]] if found else []
    if found is None or not all(type(word) is str for word in words):
        return None
    places = {word: place for place, word in enumerate(dict.fromkeys(words))}  # two objects may be one text
    return np.array([places[word] for word in words], dtype=np.uint8)[found[0]], list(places)


def _of_text(values: NDArray[np.str_]) -> Numbered | None:
    n_letters = values.dtype.itemsize // 4
    if not values.size or not 0 < n_letters <= MOST_LETTERS:
        return None
    letters = np.ascontiguousarray(values).view(np.uint32).reshape(-1, n_letters)
    found = _numbered(np.ascontiguousarray(letters.T))
    return found and (found[0], [str(values[row]) for row in found[1]])


def _as_views(array: Any) -> Any:
    """Text as views of sixteen bytes; None where it is none, or where this arrow cannot do it."""
    import pyarrow as pa  # noqa: PLC0415, its array is in hand

    if str(array.type) == "string_view":
        return array
    if str(array.type) not in {"string", "large_string"}:
        return None
    try:
        return array.cast(pa.string_view())
    except pa.ArrowNotImplementedError:  # older ones
        return None


def _numbered(keys: Sequence[NDArray[Any]] | NDArray[Any]) -> tuple[NDArray[np.uint8], list[int]] | None:
    """A number for each row, equal where all keys are, and the first row of each number."""
    if len(set(keys[0][:GLANCE].tolist())) > MOST_WORDS:
        return None
    numbers = np.zeros(keys[0].size, dtype=np.uint8)
    is_numbered, row = np.zeros(keys[0].size, dtype=np.bool_), 0
    first_rows: list[int] = []
    while not is_numbered[row]:
        if len(first_rows) == MOST_WORDS:
            return None
        is_word = keys[0] == keys[0][row]
        for more in keys[1:]:
            is_word &= more == more[row]
        numbers += is_word.view(np.uint8) * np.uint8(len(first_rows))
        is_numbered |= is_word
        first_rows.append(row)
        row = int(is_numbered.argmin())
    return numbers, first_rows


class _Addresses:
    """An array of objects as one of where they are in memory."""

    def __init__(self, objects: NDArray[Any]) -> None:
        interface = {**objects.__array_interface__, "typestr": np.dtype(np.uintp).str}
        self.__array_interface__ = {name: value for name, value in interface.items() if name != "descr"}
        self.objects = objects  # which shall be there as long as this is

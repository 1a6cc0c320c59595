"""Columns of fields as they are written: whole numbers, numbers or text.

No type is looked for but these three, so that a label is never taken for a date or a truth value, and 007
stays the text it is. So do whole numbers beyond ±2^63, which no number here holds to the last digit.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.choosing import Choose, all_of, wanted_of
from structlearn.data.columns import Mask, RawColumn, unread
from structlearn.data.field_blocks import Fields
from structlearn.data.model_columns import is_as_written
from structlearn.data.separated import EMPTY
from structlearn.data.values import settled

# Python would read 007 and 1_000 as numbers; they are more likely labels.
LABEL = re.compile(r"^\s*[+-]?0[0-9]", re.MULTILINE)


def written_columns(
    names: Sequence[str],
    blocks: Callable[[], Iterable[Sequence[Fields]]],
    choose: Choose = all_of,
    *,
    points: bool = True,
) -> tuple[RawColumn, ...]:
    """The columns of the blocks, which are asked for again if what began as numbers turns out to be text.

    Without `points`, what has one is text: it may not be where decimals begin.
    """
    columns = [WrittenColumn(name, is_text=is_as_written(name), points=points) for name in names]
    chosen = wanted_of(names, choose)
    wanted = [j for j, name in enumerate(names) if name in chosen]
    for fields in blocks():
        for j in wanted:
            columns[j].add(fields[j])
    late = [j for j, column in enumerate(columns) if column.is_text_after_all]
    for j in late:
        columns[j] = WrittenColumn(names[j], is_text=True)
    for fields in blocks() if late else ():
        for j in late:
            columns[j].add(fields[j])
    return tuple(column.raw() if column.name in chosen else unread(column.name) for column in columns)


class WrittenColumn:
    """A column that grows by blocks of fields."""

    def __init__(self, name: str, *, is_text: bool = False, points: bool = True) -> None:
        self.name = name
        self._points = points
        self.is_text_after_all = False
        self._is_text = is_text
        self._code_of: dict[str, int] = defaultdict(count().__next__)
        self._has_empty_text = False
        self._values: list[NDArray[Any]] = []
        self._missing: list[Mask] = []

    def add(self, fields: Fields) -> None:
        """Add the next fields, as text where not all are numbers."""
        if self.is_text_after_all:
            return
        found = None if self._is_text else _numbers(fields, points=self._points)
        if found is None and not self._is_text:
            self._is_text, self.is_text_after_all = True, bool(self._values)
        values, missing = found or self._coded(fields)
        self._values.append(values)
        self._missing.append(missing)

    def raw(self) -> RawColumn:
        """The whole column."""
        if not self._values:
            return RawColumn(self.name, np.zeros(0))
        values, missing = np.concatenate(self._values), np.concatenate(self._missing)
        if not self._is_text:
            return settled(self.name, values, missing=missing)
        gone = missing if missing.any() else None
        present = values if gone is None else values[~gone]
        words = tuple(map(str, self._code_of))
        if "" in words and not self._has_empty_text:
            place = words.index("")
            words, present = words[:place] + words[place + 1 :], present - (present > place)
        return RawColumn(self.name, present, gone, words=words)

    def _coded(self, fields: Fields) -> tuple[NDArray[Any], Mask]:
        """A number for each word, in order of appearance; a field that was left empty is missing."""
        codes = np.fromiter(map(self._code_of.__getitem__, fields), dtype=np.int32, count=len(fields))
        missing = np.zeros(codes.size, dtype=bool)
        if "" in self._code_of:
            empty = np.flatnonzero(codes == self._code_of[""])
            missing[empty] = [fields[i] is not EMPTY for i in empty.tolist()]
            self._has_empty_text |= not missing[empty].all()
        return codes, missing


def _numbers(fields: Fields, *, points: bool) -> tuple[NDArray[Any], Mask] | None:
    """The fields as whole numbers, or as numbers, or None if they are neither."""
    if not _is_number(next(filter(None, fields), "0")):
        return None
    missing = np.zeros(len(fields), dtype=bool)
    present = fields
    if "" in fields:
        missing = np.fromiter((not field for field in fields), dtype=bool, count=len(fields))
        present = [field for field in fields if field]
    text = "\n".join(present)
    if not text.isascii() or _has_label(text) or not (points or "." not in text):
        return None
    try:
        numbers = np.array(list(map(int, present)), dtype=np.int64)
    except OverflowError:
        return None
    except ValueError:
        try:
            numbers = np.array(list(map(float, present)))
        except ValueError:
            return None
    values = np.zeros(len(fields), dtype=numbers.dtype)
    values[~missing] = numbers
    return values, missing


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _has_label(text: str) -> bool:
    """Whether a line of the text is a label for all that it could be a number."""
    if "_" in text:
        return True
    # The zero of 0.5 is no sign of a label. To count those is ten times quicker than to look with care.
    starts = [f"\n{sign}0" for sign in ("", "-", "+")]
    n_zeros, n_fractions = (sum(f"\n{text}".count(start + end) for start in starts) for end in ("", "."))
    return (n_zeros > n_fractions or " " in text or "\t" in text) and LABEL.search(text) is not None

"""Columns of text that are numbers in writing, with marks for missing values among them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Label, Mask, RawColumn
from structlearn.data.kinds import MOST_LEVELS, are_few, are_whole, is_mark
from structlearn.data.numerals import CODE, Numeral, decimals_of, numeral
from structlearn.data.values import as_numbers
from structlearn.errors import DataError
from structlearn.naming import listed
from structlearn.reading import Decimal, Mark

GLANCE = 200  # of many different words, spread over all of them, tell whether any number is there
_DIGITS = frozenset("0123456789")
_PLAIN = _DIGITS | frozenset("+-.eE ")


@dataclass(frozen=True)
class Words:
    """The different values of a column, and which of them each row that has a value has."""

    column: RawColumn
    words: tuple[Label, ...]
    codes: NDArray[Any]

    @classmethod
    def of(cls, column: RawColumn) -> "Words":
        """The words of a column of text, or of a mixture."""
        if column.words is not None:
            return cls(column, column.words, column.present)
        items = column.present.tolist()
        place = {word: i for i, word in enumerate(dict.fromkeys(items))}
        codes = np.fromiter((place[item] for item in items), dtype=np.int64, count=len(items))
        return cls(column, tuple(place), codes)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many rows have each word."""
        return np.bincount(self.codes, minlength=len(self.words))

    def without(self, gone: Mask) -> RawColumn:
        """The column where the words that are `gone` are missing values."""
        place = np.cumsum(~gone) - 1
        kept = tuple(word for word, is_gone in zip(self.words, gone.tolist(), strict=True) if not is_gone)
        own = self.column.categories
        categories = None if own is None else tuple(label for label in own if label in set(kept))
        lost = gone[self.codes]
        return RawColumn(self.column.name, place[self.codes[~lost]], self._missing(lost), categories, kept)

    def as_numbers(self, numbers: Sequence[int | float | None]) -> RawColumn:
        """The column of a number for each word, missing where it has none."""
        gone = np.array([number is None for number in numbers])
        values = as_numbers(self.column.name, [number or 0 for number in numbers])
        lost = gone[self.codes]
        return RawColumn(self.column.name, values[self.codes[~lost]], self._missing(lost))

    def _missing(self, lost: Mask) -> Mask | None:
        """Where values are missing, those included that are lost now."""
        before = self.column.missing
        if not lost.any():
            return before
        if before is None:
            return lost
        missing = before.copy()
        missing[np.flatnonzero(~before)[lost]] = True
        return missing


class WrittenNumbers:
    """A column of text looked at as numbers in writing."""

    def __init__(self, column: RawColumn, decimal: Decimal | None = None) -> None:
        self.seen = Words.of(column)
        self.name = column.name
        self._given = decimal
        self._is_missing = [isinstance(word, str) and is_mark(word) for word in self.seen.words]
        self._numerals = [
            None if gone else _numeral(word)
            for word, gone in zip(self.seen.words, self._is_missing, strict=True)
        ]

    @property
    def marks(self) -> dict[str, int]:
        """The words for missing values, and in how many rows each stands."""
        if not any(self._is_missing):
            return {}
        found = zip(self.seen.words, self._is_missing, self.seen.counts.tolist(), strict=True)
        return {str(word): count for word, gone, count in found if gone}

    @cached_property
    def decimals(self) -> set[Decimal]:
        """The decimal marks under which all of it are numbers; none where it has something else."""
        if self.strangers or not any(self._numerals):
            return set()
        return {self._given} if self._given else decimals_of(each for each in self._numerals if each)

    @cached_property
    def strangers(self) -> list[str]:
        """The words that are neither numbers nor stand for missing values."""
        found = zip(self.seen.words, self._is_missing, self._numerals, strict=True)
        marks: tuple[Decimal, ...] = (self._given,) if self._given else (".", ",")
        return [
            str(word)
            for word, gone, read in found
            if not gone and (read is None or not any(mark in read.readings for mark in marks))
        ]

    @cached_property
    def is_settled(self) -> bool:
        """Whether there is one way to read it: one decimal mark, or no matter which."""
        return len(self.decimals) == 1 or (len(self.decimals) == 2 and self._values(".") == self._values(","))

    def is_plain(self, decimal: Decimal) -> bool:
        """Whether its numbers are written as programs write them."""
        signs = _PLAIN if decimal == "." else _PLAIN - {"."}
        return all(signs.issuperset(each.word) for each in self._numerals if each)

    @property
    def units(self) -> set[str]:
        """The signs of units that stand beside numbers, "" where none does."""
        return {each.unit for each in self._numerals if each}

    @property
    def is_mostly_numbers(self) -> bool:
        """Whether more words are numbers than any list of codes has, in at least half of the rows."""
        return sum(map(bool, self._numerals)) > MOST_LEVELS and self.has_numbers_in_most_rows

    @property
    def has_numbers_in_most_rows(self) -> bool:
        """Whether at least half of the rows that have a value have a number."""
        is_number = np.array([each is not None for each in self._numerals])
        n_rows = int(self.seen.counts[~np.array(self._is_missing)].sum())
        return 2 * int(self.seen.counts[is_number].sum()) >= n_rows > 0

    def are_codes(self, decimal: Decimal) -> bool:
        """Whether its numbers are discrete by the rule for numbers; it has no marks."""
        values = np.unique(as_numbers(self.name, self._values(decimal)))
        return are_whole(values) and are_few(values.size, self.seen.column.present.size)

    def column(self, decimal: Decimal) -> RawColumn:
        """The column as numbers."""
        return self.seen.as_numbers(self._values(decimal))

    def example(self) -> Numeral:
        """The word that shows best how it is written: of many signs, and short."""
        found = (each for each in self._numerals if each)
        return max(found, key=lambda each: (len(set(each.word) - _DIGITS), -len(each.word)))

    def _values(self, decimal: Decimal) -> list[int | float | None]:
        return [None if each is None else each.readings[decimal] for each in self._numerals]


def may_be_numbers(column: RawColumn) -> bool:
    """Whether a column is text with numbers or marks in it, for all that a few of its words tell."""
    if not column.is_object or column.categories is not None:
        return False
    words = column.words if column.words is not None else tuple(dict.fromkeys(column.present.tolist()))
    few = words[:: max(len(words) // GLANCE, 1)]
    return any(is_mark(str(word)) or _numeral(word) is not None for word in few) and not any(
        CODE.fullmatch(str(word)) for word in words
    )


def shows_decimal_commas(columns: Iterable[RawColumn]) -> bool:
    """Whether a column of a file is numbers only where commas are decimal marks, and another has points."""
    found = list(columns)
    if not any(column.is_number and column.present.dtype.kind == "f" for column in found):
        return False
    return any(WrittenNumbers(column).decimals == {","} for column in found if may_be_numbers(column))


def with_gaps(column: RawColumn, marks: frozenset[Mark]) -> RawColumn:
    """The column where what was said to stand for a missing value does."""
    if column.is_number:
        numbers = [mark if isinstance(mark, float) else _float(mark) for mark in marks]
        lost, own = np.isin(column.present, numbers), column.categories
        categories = None if own is None else tuple(label for label in own if label not in numbers)
        if not lost.any():
            return replace(column, categories=categories)
        missing = np.zeros(column.n_rows, dtype=bool) if column.missing is None else column.missing.copy()
        missing[np.flatnonzero(~missing)[lost]] = True
        return RawColumn(column.name, column.present[~lost], missing, categories)
    if not column.is_object:
        return column
    seen = Words.of(column)
    gone = np.array([_is_one_of(word, marks) for word in seen.words], dtype=bool)
    return seen.without(gone) if gone.any() else column


def without_marks(column: RawColumn) -> RawColumn:
    """A column of text where the usual marks of missing values are none."""
    seen = Words.of(column)
    gone = np.array([isinstance(word, str) and is_mark(word) for word in seen.words], dtype=bool)
    return seen.without(gone) if gone.any() else column


def refuse_strangers(written: WrittenNumbers) -> NoReturn:
    """Refuse a column of numbers with words among them that are none, or with two decimal marks."""
    name, strangers = written.name, written.strangers
    if not strangers:
        raise DataError(
            f"Column {name!r} has numbers with decimal points and with decimal commas. Write all in one way, "
            f'or pass kinds={{"{name}": "discrete"}} if they are labels.'
        )
    marks = repr(strangers[0]) if len(strangers) == 1 else repr(strangers[:8])
    raise DataError(
        f"Column {name!r} is numbers but for {listed(strangers, 3)}. If that means a missing value, "
        f'pass na={marks}; pass kinds={{"{name}": "discrete"}} if all of it are labels, drop=[{name!r}] to '
        "leave the column out, or correct it."
    )


def refuse_two_readings(written: WrittenNumbers) -> NoReturn:
    """Refuse numbers with commas or points that may be decimal marks or stand between thousands."""
    found = written.example()
    raise DataError(
        f"Column {written.name!r} has numbers such as {found.word!r}, which may be {found.readings['.']!r} "
        f"or {found.readings[',']!r}: say decimal='.' or decimal=','."
    )


def refuse_units(written: WrittenNumbers) -> NoReturn:
    """Refuse numbers that have units in part, or different ones."""
    units = sorted(written.units)
    raise DataError(
        f"Column {written.name!r} has numbers with {' and '.join(map(repr, filter(None, units)))}"
        f"{' and some without' if '' in units else ''}, which cannot be compared. Write all in one unit, or "
        f'pass kinds={{"{written.name}": "discrete"}} if they are labels.'
    )


def _float(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan  # which no number equals


def _is_one_of(word: Label, marks: frozenset[Mark]) -> bool:
    if not isinstance(word, str):
        return float(word) in marks
    return word in marks or word.strip() in marks or _float(word) in marks


def _numeral(word: Label) -> Numeral | None:
    if isinstance(word, str):
        return numeral(word)
    return None if isinstance(word, bool) else Numeral(str(word), {".": word, ",": word})

"""How a text file is laid out, told from its first lines: comments, separator, names of the columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from structlearn.data.kinds import is_mark
from structlearn.data.numerals import is_numeral
from structlearn.data.readers import checked_names
from structlearn.data.separated import BLANK, COMMENT, UTF_8, fields_of, first_lines, is_comment, not_text
from structlearn.errors import DataError
from structlearn.reading import SEPARATORS, Reading

MARKS = ",;\t|"
LINES = 50  # tell a separator, and values from names, about as well as all of them
MOST_COLUMNS = 100  # as LINES
FEWEST_ROWS = 10  # in which words of the first line have to come again, to be values themselves

_QUOTED = re.compile('"[^"]*"')
_STATED = re.compile(rf'"?sep=([{MARKS}])"?', re.IGNORECASE)  # as Excel reads and writes it


@dataclass(frozen=True)
class Layout:
    """How to cut a file; `has_names` says whether its first record is the names of its columns.

    The first lines to `skip` are no records.
    """

    separator: str
    names: tuple[str, ...]
    has_names: bool = True
    encoding: str = UTF_8
    has_comments: bool = False
    skip: int = 0
    notes: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the file is as most are, so that other programs cut it in the same way."""
        return self.encoding == UTF_8 and not self.has_comments and self.separator != BLANK


def layout_of(path: Path, reading: Reading, encoding: str = UTF_8) -> Layout:
    """The layout of a file: what was said of it, or else what its first lines show."""
    skip = reading.skip or 0
    lines = first_lines(path, LINES, encoding, skip=skip)
    if stated := _STATED.fullmatch(lines[0]):
        skip += 1
        lines = first_lines(path, LINES, encoding, skip=skip)
    if any("\0" in line for line in lines):
        raise not_text(path, encoding)
    said = [line for line in lines if is_comment(line)]
    rows = [line for line in lines if not is_comment(line)]
    if not is_comment(lines[0]) or not rows:
        said, rows = [], lines
    if reading.separator:
        separator = SEPARATORS[reading.separator]
    else:
        separator = stated[1] if stated else separator_of(path, rows)
    records = [fields_of(row, separator) for row in rows if row]
    if not rows[0] or not records:
        raise DataError(f"{path}: the first line is empty. It must have the names of the columns.")
    notes = []
    names, has_names = named_columns(str(path), records, reading.header)
    if said:
        notes.append(f"{path}: lines that begin with {COMMENT} are taken for comments.")
        above = fields_of(said[-1].lstrip(COMMENT).strip(), separator)
        if not has_names and reading.header is None and len(above) == len(names):
            names = checked_names(name.strip() for name in above)
            notes.append(f"{path}: the names of the columns are those in the comment above the first row.")
            return Layout(separator, names, has_names, encoding, True, skip, tuple(notes))  # noqa: FBT003, as below
    if not has_names and reading.header is None:
        notes.append(
            f"{path}: the first line ({_shown(records[0])}) has values, so that the columns are called x0, "
            "x1, …; header=True says that it has their names."
        )
    return Layout(separator, names, has_names, encoding, bool(said), skip, tuple(notes))


def named_columns(
    source: str, records: Sequence[Sequence[str]], header: bool | None
) -> tuple[tuple[str, ...], bool]:
    """The names of the columns, and whether the first record has them; a name may be empty."""
    first, *rest = records
    has_names = _are_names(source, first, rest) if header is None else header
    if not has_names:
        return checked_names(range(len(first))), False
    # Programs that write the names of rows often have none for the column of these.
    one_more = len(rest) > 0 and all(len(fields) == len(first) + 1 for fields in rest)
    if one_more and len(first) == 1 and header is None and _is_title(rest):
        raise DataError(
            f"{source}: the first line ({_shown(first)}) looks like a title above the names of the columns. "
            "skip=1 leaves it out, header=True says that it has the names."
        )
    ends_in_mark = one_more and not any(fields[-1] for fields in rest)
    names = [*first, ""] if ends_in_mark else ["", *first] if one_more else list(first)
    checked_names(name for name in names if name)
    return tuple(str(name) for name in names), True


def separator_of(path: Path, lines: Sequence[str]) -> str:
    """The mark that cuts all lines into the same number of fields, or else the first in the names."""
    if re.search(r"\.(tsv|tab)(\.gz)?$", path.name.lower()):
        return "\t"
    bare = [_QUOTED.sub("", line) for line in lines if line]
    even = [mark for mark in MARKS if _cuts_evenly([line.count(mark) for line in bare])]
    if even:
        # Commas also stand within numbers, and in names such as "weight, kg".
        return max(
            even,
            key=lambda mark: (_others_are_in_numbers(bare[1:], mark), _share_of_numbers(lines[1:], mark)),
        )
    if not any(mark in bare[0] for mark in MARKS if bare) and _are_columns_of_blanks(lines):
        return BLANK
    return next((mark for mark in MARKS if bare and mark in bare[0]), MARKS[0])


def _others_are_in_numbers(lines: Sequence[str], separator: str) -> bool:
    """Whether other marks stand only within numbers, as the commas of 0,5 between semicolons."""
    fields = (field for line in lines for field in fields_of(line, separator))
    return all(is_numeral(field) for field in fields if any(mark in field for mark in MARKS))


def _share_of_numbers(lines: Sequence[str], separator: str) -> float:
    fields = [field for line in lines for field in fields_of(line, separator)]
    return sum(map(is_numeral, fields)) / max(len(fields), 1)


def _cuts_evenly(n_marks: Sequence[int]) -> bool:
    """Whether all lines have as many marks, or the first one less, for want of a name above those of rows."""
    if not n_marks or n_marks[0] == 0:
        return False
    return len({n_marks[0] + (len(n_marks) > 2 and n_marks[0] < n_marks[1]), *n_marks[1:]}) == 1


def _are_columns_of_blanks(lines: Sequence[str]) -> bool:
    """Whether blanks cut the lines into columns, one of them of numbers: they may also stand in words."""
    records = [fields_of(line, BLANK) for line in lines if line]
    if len(records) < 2 or not _cuts_evenly([len(fields) - 1 for fields in records]):
        return False
    return any(all(map(is_numeral, column)) for column in zip(*records[1:], strict=True))


def _are_names(source: str, first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Whether the first fields are names and not values; where it cannot be told, it is asked."""
    even = [fields[:MOST_COLUMNS] for fields in rest if len(fields) == len(first)]
    below = list(zip(*even, strict=True)) if even else []
    words = first[: len(below)]
    if any(_stands_over_numbers(word, column) for word, column in zip(words, below, strict=True)):
        return True
    numbers = [field for field in first if is_numeral(field)]
    if any(not number.strip().isdigit() for number in numbers) or len(set(numbers)) < len(numbers):
        return False  # nobody calls columns 5.1 or -3, or two of them 1
    again = [word in column for word, column in zip(words, below, strict=True) if not is_numeral(word)]
    come_again = len(even) >= FEWEST_ROWS and bool(again) and all(again)
    if come_again and len(set(words)) < len(words):
        return False
    steps = {int(b) - int(a) for a, b in pairwise(numbers)}
    are_counted = len(numbers) > 1 and len(steps) == 1 and steps != {0}  # or they are years
    if not come_again and (are_counted or not numbers):
        return True
    raise DataError(
        f"{source}: it cannot be told whether the first line ({_shown(first)}) has names or values. "
        "header=False says that it is a row like the others, header=True that it has the names."
    )


def _is_title(below: Sequence[Sequence[str]]) -> bool:
    """Whether names stand below the first line, words over numbers."""
    words, *rows = below
    columns = list(zip(*rows, strict=True))
    return any(_stands_over_numbers(word, column) for word, column in zip(words, columns, strict=False))


def _stands_over_numbers(word: str, column: Sequence[str]) -> bool:
    if not word or is_numeral(word) or is_mark(word):
        return False
    seen = [field for field in column if field and not is_mark(field)]
    return bool(seen) and all(map(is_numeral, seen))


def _shown(fields: Sequence[str]) -> str:
    return ", ".join(fields[:4]) + (", …" if len(fields) > 4 else "")

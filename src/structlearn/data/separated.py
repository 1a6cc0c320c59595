"""Text files of fields between separators, cut into records.

A field in double quotes may hold separators, line ends and, doubled, quotes. Quotes with nothing between them
are the empty text `EMPTY`; a field without them and without anything else is "", which stands for nothing.
Where the separator is a blank, so is any run of blanks, and those at the ends of a line are none.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice, takewhile
from pathlib import Path
from typing import TextIO

from structlearn.data.kinds import is_mark
from structlearn.errors import DataError


class _EmptyText(str):
    """An empty text that somebody has written, unlike a field that was left empty."""

    __slots__ = ()


UTF_8 = "utf-8-sig"  # with or without a byte order mark
BLANK = " "
COMMENT = "#"
EMPTY = _EmptyText()
_FIRST_WORD = re.compile(r"[,;|\s]")
DAMAGED = (gzip.BadGzipFile, EOFError, zlib.error)
BEGINNINGS = {
    b"\x1f\x8b": "packed by gzip. Rename it so that it ends in .csv.gz.",
    b"PK\x03\x04": "a spreadsheet or a zip archive. Rename it so that it ends in .xlsx, or unpack it.",
    b"PAR1": "a Parquet file. Rename it so that it ends in .parquet.",
}
OPEN = re.compile(r' *"[^"]*(?:""[^"]*)*')


def records(
    path: Path, separator: str, *, encoding: str = UTF_8, comments: bool = False, skip: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Each record of a file with the number of its first line; lines may end in any way, or in several.

    Lines without anything in them are records of one empty field; `comments` are none where there are some,
    nor are the first lines that are to `skip`.
    """
    with text_of(path, encoding) as lines:
        n_skipped = sum(1 for _ in islice(lines, skip))
        yield from cut_lines(path, lines, separator, number=1 + n_skipped, comments=comments)


def first_lines(path: Path, n_lines: int, encoding: str = UTF_8, *, skip: int = 0) -> list[str]:
    """The first lines of a file, those of the names with the next ones as far as they run on within quotes.

    Those to `skip` come before them. Where a later line has an odd number of quotes they end before it.
    """
    with text_of(path, encoding) as lines:
        found = [next(islice(lines, skip, None), "")]
        while found[0].count('"') % 2 and (more := next(lines, "")):
            found[0] += more
        found += takewhile(lambda line: line.count('"') % 2 == 0, islice(lines, n_lines - 1))
    return [line.rstrip("\r\n") for line in found]


def is_comment(line: str) -> bool:
    """Whether a line begins with #, and not with one of the marks for missing values that do, as #N/A."""
    return line.startswith(COMMENT) and not is_mark(_FIRST_WORD.split(line, maxsplit=1)[0])


def fields_of(line: str, separator: str) -> list[str]:
    """The fields of a line; a quote without its partner stays in its field."""
    quoted = _cut_quoted(line, separator) if '"' in line else None
    return quoted or _split(line, separator) or [""]


def _split(line: str, separator: str) -> list[str]:
    return line.split(None if separator == BLANK else separator)


class UndecodableError(DataError):
    """A file is no text in the encoding that it was taken to have."""


@contextmanager
def text_of(path: Path, encoding: str) -> Iterator[TextIO]:
    """Open a file of text; what cannot be read in the encoding is an error that says so."""
    try:
        with _opened(path, encoding) as lines:
            yield lines
    except UnicodeError:
        raise not_text(path, encoding) from None
    except DAMAGED:
        raise not_whole(path) from None


def not_text(path: Path, encoding: str = UTF_8) -> UndecodableError:
    """The error for a file that is no text."""
    with path.open("rb") as file:
        start = file.read(4)
    found = next((words for beginning, words in BEGINNINGS.items() if start.startswith(beginning)), None)
    if found and not path.name.lower().endswith(".gz"):
        return UndecodableError(f"{path} is not a text file: by its first bytes it is {found}")
    name = encoding.removesuffix("-sig").upper()
    return UndecodableError(
        f"{path} is not a text file in {name}. Say its encoding, as in encoding='latin-1' or "
        "encoding='utf-16', or save it as CSV in UTF-8, or as Parquet."
    )


def not_whole(path: Path) -> DataError:
    """The error for a file that cannot be unpacked."""
    return DataError(
        f"{path} is not a whole gzip file: it is damaged, cut off, or not packed at all. Fetch or pack it "
        "again; plain text needs a name without .gz."
    )


def _opened(path: Path, encoding: str) -> TextIO:
    is_zipped = path.name.lower().endswith(".gz")
    # Line ends stay as they are, because within quotes they belong to the field.
    return (gzip.open if is_zipped else open)(path, "rt", encoding=encoding, newline="")


def cut_lines(
    path: Path, lines: Iterator[str], separator: str, *, number: int, comments: bool
) -> Iterator[tuple[int, list[str]]]:
    """Each record of the lines, with the number of its first one."""
    mark = None if separator == BLANK else separator  # as str.split has it
    for line in lines:
        if comments and is_comment(line):
            number += 1
            continue
        if '"' not in line:
            yield number, line.rstrip("\r\n").split(mark) or [""]
            number += 1
            continue
        parts = [line]
        while (fields := _cut_quoted("".join(parts), separator)) is None:
            if not _runs_on(lines, parts):
                raise _stray_quote(path, number)
        if not fields:
            raise _stray_quote(path, number)
        yield number, fields
        number += len(parts)


def _runs_on(lines: Iterator[str], parts: list[str]) -> bool:
    """Add lines as far as the next one that may close a quote."""
    for line in lines:
        parts.append(line)
        if '"' in line:
            return True
    return False


def _cut_quoted(text: str, separator: str) -> list[str] | None:
    """The fields of a record, some in quotes; None if a quote is still open, nothing if one is astray."""
    text = text.rstrip("\r\n")
    if separator == BLANK:
        text = text.strip(" \t")
    text += separator  # so that every field ends in one
    pattern = _fields(separator)
    found = pattern.findall(text)
    if any(stray for _, _, stray in found):
        place = next(match.start() for match in pattern.finditer(text) if match[3])
        return None if OPEN.fullmatch(text, place) else []
    return [_without_quotes(quoted) if quoted else plain for quoted, plain, _ in found]


def _without_quotes(field: str) -> str:
    return field.strip(" ")[1:-1].replace('""', '"') or EMPTY


@lru_cache(maxsize=8)
def _fields(separator: str) -> re.Pattern[str]:
    """A field in quotes, one without, or a character that can begin neither."""
    if separator == BLANK:
        return re.compile(rf'(?:({OPEN.pattern}")|((?!")[^ \t]+))[ \t]+|([\s\S])')
    mark = re.escape(separator)
    return re.compile(rf'(?:({OPEN.pattern}" *)|((?! *")[^{mark}]*)){mark}|([\s\S])')


def _stray_quote(path: Path, number: int) -> DataError:
    return DataError(
        f"{path}: line {number} has a double quote without its partner. Correct that line; a quote within "
        "quotes is written twice."
    )

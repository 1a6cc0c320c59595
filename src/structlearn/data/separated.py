"""Text files of fields between separators, cut into records.

A field in double quotes may hold separators, line ends and, doubled, quotes. Quotes with nothing between them
are the empty text `EMPTY`; a field without them and without anything else is "", which stands for nothing.
"""

import gzip
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TextIO

from structlearn.errors import DataError


class _EmptyText(str):
    """An empty text that somebody has written, unlike a field that was left empty."""

    __slots__ = ()


EMPTY = _EmptyText()
OPEN = re.compile(r' *"[^"]*(?:""[^"]*)*')


def records(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Each record of a file with the number of its first line; lines may end in any way, or in several.

    Lines without anything in them are records of one empty field.
    """
    try:
        with _opened(path) as lines:
            yield from _cut(path, lines, separator)
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError):
        raise not_text(path) from None


def first_line(path: Path) -> str:
    """The first line of a file, and the next ones as far as it runs on within quotes."""
    try:
        with _opened(path) as lines:
            found = next(lines, "")
            while found.count('"') % 2 and (more := next(lines, "")):
                found += more
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError):
        raise not_text(path) from None
    return found


def not_text(path: Path) -> DataError:
    """The error for a file that is no text."""
    return DataError(f"{path} is not a text file in UTF-8. Save it as CSV in UTF-8, or as Parquet.")


def _opened(path: Path) -> TextIO:
    is_zipped = path.name.lower().endswith(".gz")
    # Line ends stay as they are, because within quotes they belong to the field.
    return (gzip.open if is_zipped else open)(path, "rt", encoding="utf-8-sig", newline="")


def _cut(path: Path, lines: TextIO, separator: str) -> Iterator[tuple[int, list[str]]]:
    number = 1
    for line in lines:
        if '"' not in line:
            yield number, line.rstrip("\r\n").split(separator)
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


def _runs_on(lines: TextIO, parts: list[str]) -> bool:
    """Add lines as far as the next one that may close a quote."""
    for line in lines:
        parts.append(line)
        if '"' in line:
            return True
    return False


def _cut_quoted(text: str, separator: str) -> list[str] | None:
    """The fields of a record, some in quotes; None if a quote is still open, nothing if one is astray."""
    text = text.rstrip("\r\n") + separator  # so that every field ends in one
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
    mark = re.escape(separator)
    return re.compile(rf'(?:({OPEN.pattern}" *)|((?! *")[^{mark}]*)){mark}|([\s\S])')


def _stray_quote(path: Path, number: int) -> DataError:
    return DataError(
        f"{path}: line {number} has a double quote without its partner. Correct that line; a quote within "
        "quotes is written twice."
    )

"""Files of tables: text in columns, Parquet and spreadsheets.

Only three types are looked for in a text file, over all its rows: whole numbers, numbers and text. So a
label is never taken for a date or a truth value, and 007 stays the text it is. A field that was left empty is
missing. Among words, quotes with nothing between them are a label, the empty text; not so in a file of one
column, where most programs write them for what is missing, so that no line is empty.
"""

import codecs
import gzip
from functools import partial
from pathlib import Path

from structlearn.data.choosing import Choose, all_of
from structlearn.data.columns import RawColumn, RawTable
from structlearn.data.field_blocks import field_blocks
from structlearn.data.layouts import Layout, layout_of
from structlearn.data.separated import COMMENT, DAMAGED, UTF_8, UndecodableError, not_text, not_whole
from structlearn.data.text_numbers import shows_decimal_commas
from structlearn.data.unnamed_columns import without_unnamed
from structlearn.data.written_columns import written_columns
from structlearn.errors import DataError, OptionError, PackageError
from structlearn.reading import Reading

_TEXT = (".csv", ".tsv", ".txt", ".tab", ".dat", ".data")
_SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
ENDINGS = (*_TEXT, *(f"{ending}.gz" for ending in _TEXT), ".parquet", *_SPREADSHEETS)

# DuckDB takes a tenth of a second to start, and memory for each column; long files it reads thrice as fast.
LARGE_BYTES = 1 << 22
MOST_COLUMNS = 200

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_WINDOWS = "cp1252"  # Latin-1 with letters and quotes where that has signs that nobody writes


def read_path(path: Path, reading: Reading, choose: Choose = all_of) -> RawTable:
    """Read a file by its ending."""
    path = path.expanduser()
    ending = next((ending for ending in ENDINGS if path.name.lower().endswith(ending)), None)
    if path.is_dir():
        raise DataError(f"{path} is a folder; pass the path of one file in it.")
    if not path.exists():
        raise DataError(f"{path}: there is no such file. Check the path; it is relative to {Path.cwd()}.")
    if not path.is_file():
        raise DataError(
            f"{path} is no file but a pipe or a device, which cannot be read twice. Save it in a file."
        )
    if ending is None:
        raise DataError(f"{path}: the ending is not one of {', '.join(ENDINGS)}. Convert or rename the file.")
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty. A table needs a line of column names and at least one row.")
    if ending in _SPREADSHEETS:
        from structlearn.data.spreadsheets import read_spreadsheet  # noqa: PLC0415, needs a package

        reading.refuse_of_files(str(path), but=("header", "skip", "sheet"))
        return read_spreadsheet(path, reading, choose)
    if ending == ".parquet":
        from structlearn.data.relations import read_parquet  # noqa: PLC0415, only where DuckDB is needed

        reading.refuse_of_files(str(path))
        return RawTable(read_parquet(path, choose))
    reading.refuse_of_files(str(path), but=("header", "skip", "separator", "encoding"))
    return _read_text(path, reading, choose)


def _read_text(path: Path, reading: Reading, choose: Choose) -> RawTable:
    encoding = _encoding(path, reading.encoding)
    try:
        found = _read_columns(path, reading, choose, encoding)
    except UndecodableError:
        if encoding != UTF_8 or reading.encoding is not None:
            raise
        return _read_windows(path, reading, choose)
    if encoding == UTF_8 or reading.encoding is not None:
        return found
    return found.noted(f"{path} is read as {encoding.upper()}, by the mark of it that it begins with.")


def _read_windows(path: Path, reading: Reading, choose: Choose) -> RawTable:
    """A file that is not in UTF-8, taken to be in western Windows' encoding, of which Latin-1 is a part."""
    try:
        found = _read_columns(path, reading, choose, _WINDOWS)
    except UndecodableError:
        raise not_text(path) from None
    words = (word for column in found.columns for word in (column.name, *(column.words or ())))
    example = next((word for word in words if not str(word).isascii()), None)
    shown = "" if example is None else f", which gives {example!r}"
    return found.noted(
        f"{path} is not in UTF-8 and is read as Latin-1 of Windows{shown}; encoding= says otherwise."
    )


def _encoding(path: Path, given: str | None) -> str:
    """The encoding that was given, or that the first bytes show, or else UTF-8."""
    if given is not None:
        try:
            return UTF_8 if codecs.lookup(given).name == "utf-8" else given
        except LookupError:
            raise OptionError(
                f"encoding={given!r}: there is no such encoding; write one such as 'utf-8', 'utf-16', "
                "'latin-1' or 'cp1252'."
            ) from None
    try:
        with (gzip.open if path.name.lower().endswith(".gz") else open)(path, "rb") as file:
            start = file.read(4)
    except DAMAGED:
        raise not_whole(path) from None
    return next((name for mark, name in _BYTE_ORDER_MARKS.items() if start.startswith(mark)), UTF_8)


def _read_columns(path: Path, reading: Reading, choose: Choose, encoding: str) -> RawTable:
    layout = layout_of(path, reading, encoding)
    comments: dict[int, None] = {}
    found = _columns(path, layout, choose, comments, points=reading.decimal != ",")
    if reading.decimal is None and shows_decimal_commas(found):
        # Once more, because 1.234 may be a thousand and something there.
        found = _columns(path, layout, choose, comments, points=False)
    table = without_unnamed(path, RawTable(found, layout.notes))
    if not comments:
        return table
    return table.noted(
        f"{path}: line {next(iter(comments))} begins with {COMMENT} and has another number of fields. "
        f"{'It is' if len(comments) == 1 else f'It and {len(comments) - 1} more like it are'} left out as "
        "a comment."
    )


def _columns(
    path: Path, layout: Layout, choose: Choose, comments: dict[int, None], *, points: bool
) -> tuple[RawColumn, ...]:
    """The columns of a file; lines that turn out to be comments are added to those."""
    found = _read_large(path, layout, choose, points=points) if _is_large(path, layout) else None
    if found is not None:
        return found
    blocks = partial(field_blocks, path, layout, comments)
    return written_columns(layout.names, blocks, choose, points=points)


def _is_large(path: Path, layout: Layout) -> bool:
    return layout.is_plain and path.stat().st_size > LARGE_BYTES and len(layout.names) <= MOST_COLUMNS


def _read_large(path: Path, layout: Layout, choose: Choose, *, points: bool) -> tuple[RawColumn, ...] | None:
    """What DuckDB makes of a file, or None where it cannot: we may read it, and else know what to say."""
    try:
        from structlearn.data.large_csv import read_large_csv  # noqa: PLC0415, only where DuckDB is needed
    except PackageError:
        return None
    return read_large_csv(path, layout, choose, points=points)

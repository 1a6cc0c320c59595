"""CSV and Parquet files.

Only three types are looked for in a CSV file, over all its rows: whole numbers, numbers and text. So a
label is never taken for a date or a truth value, and 007 stays the text it is. A field that was left empty is
missing. Among words, quotes with nothing between them are a label, the empty text; not so in a file of one
column, where most programs write them for what is missing, so that no line is empty.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from structlearn.data.columns import RawColumn
from structlearn.data.readers import checked_names
from structlearn.data.separated import EMPTY, first_line, not_text, records
from structlearn.data.written_columns import written_columns
from structlearn.errors import DataError, PackageError

ENDINGS = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet")
SEPARATORS = ",;\t|"

# DuckDB takes a tenth of a second to start, and memory for each column; long files it reads thrice as fast.
LARGE_BYTES = 1 << 22
MOST_COLUMNS = 200


def read_path(path: Path) -> tuple[RawColumn, ...]:
    """Read a file by its ending; a .csv may have commas, semicolons, tabs or bars between its fields."""
    path = path.expanduser()
    ending = next((ending for ending in ENDINGS if path.name.lower().endswith(ending)), None)
    if path.is_dir():
        raise DataError(f"{path} is a folder; pass the path of one file in it.")
    if not path.exists():
        raise DataError(f"{path}: there is no such file. Check the path; it is relative to {Path.cwd()}.")
    if ending is None:
        raise DataError(f"{path}: the ending is not one of {', '.join(ENDINGS)}. Convert or rename the file.")
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty. A table needs a line of column names and at least one row.")
    if ending != ".parquet":
        return _read_csv(path)
    from structlearn.data.relations import read_parquet  # noqa: PLC0415, only where DuckDB is needed

    return read_parquet(path)


def _read_csv(path: Path) -> tuple[RawColumn, ...]:
    separator, names = _header(path)
    found = _read_large(path, separator, names) if _is_large(path, names) else None
    return found or written_columns(names, lambda: _rows(path, separator, len(names)))


def _is_large(path: Path, names: tuple[str, ...]) -> bool:
    return path.stat().st_size > LARGE_BYTES and len(names) <= MOST_COLUMNS


def _read_large(path: Path, separator: str, names: tuple[str, ...]) -> tuple[RawColumn, ...] | None:
    """What DuckDB makes of a file, or None where it cannot: we may read it, and else know what to say."""
    try:
        from structlearn.data.large_csv import read_large_csv  # noqa: PLC0415, only where DuckDB is needed
    except PackageError:
        return None
    return read_large_csv(path, separator, names)


def _header(path: Path) -> tuple[str, tuple[str, ...]]:
    """The separator of the fields, and the names in the first line."""
    start = first_line(path)
    if "\0" in start:
        raise not_text(path)
    unquoted = re.sub('"[^"]*"', "", start)
    separator = next((mark for mark in SEPARATORS if mark in unquoted), ",")
    if ".tsv" in path.name.lower():
        separator = "\t"
    _, names = next(records(path, separator))
    if names == [""]:
        raise DataError(f"{path}: the first line is empty. It must have the names of the columns.")
    for position, name in enumerate(names, start=1):
        if not name:
            raise DataError(
                f"{path}: column {position} has no name in the first line. Name it, or leave it out "
                "(from pandas, write with to_csv(path, index=False))."
            )
    return separator, checked_names(names)


def _rows(path: Path, separator: str, n_columns: int) -> Iterator[list[str]]:
    """The fields of each row, as many as there are names; empty lines are rows only of a single column."""
    found = records(path, separator)
    next(found)
    for line, fields in found:
        if len(fields) == n_columns:
            yield fields if n_columns > 1 else [str(fields[0])]
        elif fields != [""] or fields[0] is EMPTY:
            n_fields = f"{len(fields)} field{'' if len(fields) == 1 else 's'}"
            raise DataError(
                f"{path}: line {line} has {n_fields}, but the first line names {n_columns}. Correct that "
                "line; a field with the separator in it needs quotes."
            )

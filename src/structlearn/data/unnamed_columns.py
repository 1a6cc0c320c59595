"""Columns that have no name of their own: empty ones of files, and those that name the rows."""

import re
from pathlib import Path

from structlearn.data.aside import is_aside
from structlearn.data.columns import RawTable
from structlearn.errors import DataError
from structlearn.reading import Reading

_INDEX = re.compile(r"__index_level_\d+__")  # what pandas calls an index without a name in Parquet


def is_index(name: str) -> bool:
    """Whether a column is the index of a pandas frame, which has no name and tells the rows apart."""
    return _INDEX.fullmatch(name) is not None and not is_aside(name)


def said_of_index(name: str) -> str:
    """That it is left out, and how to keep it."""
    return f"{name!r} is the index of a pandas frame and is left out; give it a name to keep it."


def without_index(table: RawTable, reading: Reading | None) -> RawTable:
    """The columns that are no index of a pandas frame, as pandas itself reads them, unless one was named."""
    named = () if reading is None else (*(reading.columns or ()), *reading.drop)
    names = [column.name for column in table.columns if column.name not in named]
    index = [name for name in names if is_index(name)]
    if not index:
        return table
    kept = tuple(column for column in table.columns if column.name not in index)
    return RawTable(kept, (*table.notes, *map(said_of_index, index)))


def without_unnamed(path: Path, table: RawTable) -> RawTable:
    """The columns that have a name; others may only be empty, or name the rows."""
    kept, notes = [], []
    for position, column in enumerate(table.columns, start=1):
        if column.name:
            kept.append(column)
        else:
            tells_apart = len(column.different()) == column.n_rows
            notes.append(left_out(path, position, is_empty=not column.present.size, tells_apart=tells_apart))
    return RawTable(tuple(kept), (*table.notes, *notes))


def left_out(path: Path, position: int, *, is_empty: bool, tells_apart: bool) -> str:
    """Why a column without a name is left out; one that may not be is refused."""
    if is_empty:
        return f"{path}: column {position} has neither a name nor values and is left out."
    if position == 1 and tells_apart:
        return f"{path}: the first column has no name and tells the rows apart. It is left out."
    raise DataError(
        f"{path}: column {position} has no name in the first line. Name it, or leave it out (from pandas, "
        "write with to_csv(path, index=False)); header=False says that the first line has no names."
    )

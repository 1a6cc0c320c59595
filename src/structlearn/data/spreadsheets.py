"""Spreadsheets of Excel and LibreOffice: the first sheet, or another one by name."""

from pathlib import Path
from typing import Any

import numpy as np

from structlearn.data.choosing import Choose, all_of, wanted_of
from structlearn.data.columns import RawTable, unread
from structlearn.data.layouts import LINES, named_columns
from structlearn.data.unnamed_columns import without_unnamed
from structlearn.data.values import settled
from structlearn.errors import DataError, OptionError, needing
from structlearn.naming import listed
from structlearn.reading import Reading

with needing("python-calamine", "A spreadsheet", install="structlearn[excel]"):
    from python_calamine import CalamineError, CalamineWorkbook


def read_spreadsheet(path: Path, reading: Reading, choose: Choose = all_of) -> RawTable:
    """Read a sheet: its first row that has something has the names of the columns."""
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            name, notes = _chosen(path, workbook, reading.sheet)
            rows = workbook.get_sheet_by_name(name).to_python()[reading.skip or 0 :]
    except (CalamineError, OSError) as error:
        raise DataError(f"{path} cannot be read as a spreadsheet: {error}.") from None
    if not rows:
        raise DataError(f"{path}: the sheet {name!r} is empty.")
    as_text = [[_text(cell) for cell in row] for row in rows[:LINES]]
    names, has_names = named_columns(f"{path}, sheet {name!r}", as_text, reading.header)
    if not has_names and reading.header is None:
        notes.append(
            f"{path}: the first row has values, so that the columns are called x0, x1, …; header=True says "
            "that it has their names."
        )
    columns = zip(*rows[has_names:], strict=True) if len(rows) > has_names else ([] for _ in names)
    wanted = wanted_of(names, choose)
    found = [
        settled(each, _cells(column)) if each in wanted else unread(each)
        for each, column in zip(names, columns, strict=True)
    ]
    return without_unnamed(path, RawTable(tuple(found), tuple(notes)))


def _chosen(path: Path, workbook: Any, wanted: str | None) -> tuple[str, list[str]]:
    """The name of the sheet to read, and what to say where it is one of several."""
    names = workbook.sheet_names
    if wanted is not None:
        if wanted not in names:
            raise OptionError(f"sheet={wanted!r}: {path} has the sheets {listed(names)}.")
        return wanted, []
    filled = [name for name in names if workbook.get_sheet_by_name(name).height]
    first = filled[0] if filled else names[0]
    others = [name for name in filled if name != first]
    return first, (
        [f"{path}: the sheet {first!r} is read; sheet= chooses another of {listed(others)}."]
        if others
        else []
    )


def _text(cell: Any) -> str:
    """A cell as it is shown: whole numbers are stored as others are."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _cells(column: Any) -> Any:
    """The values of a column; a cell that is empty or has an error is missing."""
    values = np.empty(len(column), dtype=object)
    values[:] = [None if cell == "" else cell for cell in column]
    return values

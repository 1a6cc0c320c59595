"""Columns of files that have no name: empty ones, and those that name the rows."""

from pathlib import Path

from structlearn.data.columns import RawTable
from structlearn.errors import DataError


def without_unnamed(path: Path, table: RawTable) -> RawTable:
    """The columns that have a name; others may only be empty, or name the rows."""
    kept, notes = [], []
    for position, column in enumerate(table.columns, start=1):
        if column.name:
            kept.append(column)
        elif not column.present.size:
            notes.append(f"{path}: column {position} has neither a name nor values and is left out.")
        elif position == 1 and len(column.different()) == column.n_rows:
            notes.append(f"{path}: the first column has no name and tells the rows apart. It is left out.")
        else:
            raise DataError(
                f"{path}: column {position} has no name in the first line. Name it, or leave it out "
                "(from pandas, write with to_csv(path, index=False)); header=False says that the first line "
                "has no names."
            )
    return RawTable(tuple(kept), (*table.notes, *notes))

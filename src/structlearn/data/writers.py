"""From a data set to a CSV or Parquet file, written whole or not at all."""

import csv
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Column, DiscreteColumn, Label
from structlearn.data.layouts import MARKS
from structlearn.data.separated import COMMENT
from structlearn.errors import DataError, OptionError, needing
from structlearn.whole_files import written_whole

with needing("duckdb", "A file of a table"):
    import duckdb

SEPARATORS = {".csv": ",", ".tsv": "\t"}
PARQUET = ".parquet"
ENDINGS = (*SEPARATORS, PARQUET)

_NUMBER = re.compile(r'"errno":"([0-9]+)"')


def write_table(columns: Sequence[Column], path: Path) -> None:
    """Write columns to a file that ends in .csv, .tsv or .parquet; an earlier one is replaced at the end."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise OptionError(f"{path}: the ending of a table is one of {', '.join(ENDINGS)}.")
    with written_whole(path) as unfinished:
        if ending == PARQUET:
            _write_parquet(columns, unfinished)
        else:
            with unfinished.open("wb") as file:
                write_text(columns, file, separator=SEPARATORS[ending], folder=unfinished.parent)


def write_text(
    columns: Sequence[Column], file: IO[bytes], *, separator: str = ",", folder: Path | None = None
) -> None:
    """Write a line of names and then the rows; what is missing is left empty, the label "" is in quotes.

    The rows pass through a file in a folder, by default in that for temporary files.
    """
    if len(columns) == 1 and isinstance(columns[0], DiscreteColumn) and "" in columns[0].labels:
        raise DataError(
            f'{columns[0].name!r} has the label "", which text files of a single column have for a missing '
            "value. Write a .parquet file, or call the label something."
        )
    names = io.StringIO()
    # Where a name has a mark that could be taken for a separator, a comment or a line end, all are in quotes.
    has_mark = any(mark in column.name for column in columns for mark in (*MARKS, COMMENT, "\r"))
    style: Literal[0, 1] = csv.QUOTE_ALL if has_mark else csv.QUOTE_MINIMAL
    csv.writer(names, delimiter=separator, lineterminator="\n", quoting=style).writerow(
        column.name for column in columns
    )
    file.write(names.getvalue().encode())
    # DuckDB takes A and a for one name, so that it gets numbers instead.
    fields = {f"c{j}": column for j, column in enumerate(columns)}
    with tempfile.TemporaryDirectory(dir=folder) as own:
        rows = str(Path(own) / "rows")
        with _connected() as connection:
            _relation(connection, fields, as_text=True).write_csv(rows, header=False, sep=separator)
        with Path(rows).open("rb") as written:
            shutil.copyfileobj(written, file)


def _write_parquet(columns: Sequence[Column], path: Path) -> None:
    named = {column.name: column for column in columns}
    if "" in named:
        raise DataError("A column has no name, and in Parquet each has one. Give it a name, or write .csv.")
    if len({name.casefold() for name in named}) < len(named):
        raise DataError("Two columns differ in capital letters only, and Parquet is read without them.")
    with _connected() as connection:
        _relation(connection, named, as_text=False).write_parquet(str(path))


@contextmanager
def _connected() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection; an OSError that DuckDB meets, such as that of a full disk, is raised as one."""
    try:
        with duckdb.connect() as connection:
            yield connection
    except duckdb.OperationalError as error:
        number = _NUMBER.search(str(error))
        reason = os.strerror(int(number[1])) if number else str(error).splitlines()[0]
        raise OSError(0, reason) from None


def _relation(
    connection: duckdb.DuckDBPyConnection, columns: Mapping[str, Column], *, as_text: bool
) -> duckdb.DuckDBPyRelation:
    """The rows as DuckDB sees them: codes, and their labels looked up there."""
    stored: dict[str, NDArray[Any]] = {}
    wanted = []
    for j, (name, column) in enumerate(columns.items()):
        value = f"v{j}"
        if isinstance(column, DiscreteColumn):
            stored[value] = column.codes
            value = f"({_labels(column.labels, as_text=as_text)})[{value}::BIGINT + 1]"
        else:
            stored[value] = column.values if column.exact is None else column.exact
        if column.missing is not None:
            stored[f"m{j}"] = column.missing
            value = f"CASE WHEN m{j} THEN NULL ELSE {value} END"
        wanted.append(f"{value} AS {_quoted(name, mark=chr(34))}")
    connection.register("stored", stored)
    return connection.sql(f"SELECT {', '.join(wanted)} FROM stored")  # noqa: S608, all quoted


def _labels(labels: Sequence[Label], *, as_text: bool) -> str:
    """The labels as a list in SQL: of numbers or of booleans where all are, of text otherwise."""
    kinds = {type(label) for label in labels}
    whole = _whole_type(labels) if kinds == {int} else None
    for kind, name in ((bool, "BOOLEAN"), (int, whole), (float, "DOUBLE")):
        if kinds == {kind} and name is not None and not as_text:
            return f"[{', '.join(f'{label!r}::{name}' for label in labels)}]"
    return f"[{', '.join(_quoted(str(label), mark=chr(39)) for label in labels)}]"


def _whole_type(labels: Sequence[Any]) -> str | None:
    """The type that holds all these whole numbers, None if 64 bits do not."""
    types = {"BIGINT": np.iinfo(np.int64), "UBIGINT": np.iinfo(np.uint64)}
    fitting = (name for name, of in types.items() if of.min <= min(labels) and max(labels) <= of.max)
    return next(fitting, None)


def _quoted(text: str, *, mark: str) -> str:
    return mark + text.replace(mark, 2 * mark) + mark

"""CSV and Parquet files and DuckDB relations, read through DuckDB.

Only three types are looked for in a CSV file, over all its rows: whole numbers, numbers and text. So a
label is never taken for a date or a truth value, and 007 stays the text it is. An empty field is missing.
"""

import csv
import glob
import gzip
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structlearn.data.columns import RawColumn
from structlearn.data.readers import checked_names, no_columns
from structlearn.data.values import dates_refused, settled
from structlearn.errors import DataError, needing

with needing("duckdb", "A file of a table"):
    import duckdb

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

ENDINGS = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet")
SEPARATORS = ",;\t|"

GLANCE = 1000  # rows that tell most columns of text from numbers

_SIZES = ("tinyint", "smallint", "integer", "bigint", "hugeint")
_SIMPLE_TYPES = {
    "boolean",
    "varchar",
    "enum",
    "float",
    "double",
    "decimal",
    *_SIZES,
    *(f"u{s}" for s in _SIZES),
}
_TEMPORAL = ("date", "time", "interval")

_IS_NUMBER = "coalesce(bool_and(TRY_CAST({c} AS DOUBLE) IS NOT NULL) FILTER ({c} IS NOT NULL), true)"
# DuckDB would make 0 of 2e-1 if asked for a whole number.
_IS_WHOLE = (
    "bool_and(CASE WHEN contains({c}, '.') OR contains(lower({c}), 'e') THEN false "
    "ELSE TRY_CAST({c} AS BIGINT) IS NOT NULL END) FILTER ({c} IS NOT NULL)"
)
# DuckDB would read 007 and 1_000 as numbers; they are more likely labels.
_IS_LABEL = r"bool_or(regexp_matches({c}, '^\s*[+-]?0[0-9]|_'))"


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
    with duckdb.connect() as connection:
        try:
            return _read_parquet(connection, path) if ending == ".parquet" else _read_csv(connection, path)
        except duckdb.Error as error:
            raise _explained(path, str(error)) from error


def read_relation(relation: "DuckDBPyRelation") -> tuple[RawColumn, ...]:
    """Read all rows of a DuckDB relation."""
    return _fetched(relation, checked_names(relation.columns))


def _read_parquet(connection: "DuckDBPyConnection", path: Path) -> tuple[RawColumn, ...]:
    # Folders named like a=1 hold no columns here: what is read is what is in the file.
    relation = connection.read_parquet(_one_file(path), hive_partitioning=False)
    question = "SELECT name, num_children FROM parquet_schema(?)"
    schema = connection.execute(question, [_one_file(path)]).fetchall()
    # DuckDB renames A beside a; the file's own names are right where there is one for each column.
    own_names = [name for name, n_children in schema if n_children is None]
    same_number = len(own_names) == len(relation.columns)
    return _fetched(relation, checked_names(own_names if same_number else relation.columns))


def _read_csv(connection: "DuckDBPyConnection", path: Path) -> tuple[RawColumn, ...]:
    separator, names = _header(path)
    fields = [f"c{j}" for j in range(len(names))]
    as_text = connection.read_csv(
        _one_file(path),
        auto_detect=False,
        header=True,
        delimiter=separator,
        quotechar='"',
        escapechar='"',
        columns=dict.fromkeys(fields, "VARCHAR"),
    )
    as_text.create("fields")
    types = _csv_types(connection, fields)
    words = _different_words(connection, [field for field, kind in types.items() if kind == "VARCHAR"])
    for field, found in words.items():
        # DuckDB numbers the words, so that no string is made for every field of the file.
        connection.execute(f"CREATE TYPE words_of_{field} AS ENUM (SELECT unnest(?))", [found])
        types[field] = f"words_of_{field}"
    wanted = ", ".join(
        f"enum_code({field}::{kind})" if field in words else f"{field}::{kind}"
        for field, kind in types.items()
    )
    columns = _fetched(connection.sql(f"SELECT {wanted} FROM fields"), names)  # noqa: S608, our own names
    return tuple(
        replace(column, words=tuple(words[field])) if field in words else column
        for field, column in zip(fields, columns, strict=True)
    )


def _different_words(connection: "DuckDBPyConnection", fields: Sequence[str]) -> dict[str, list[str]]:
    """The different words of each column of text, for those that have any."""
    question = "list_sort(list(DISTINCT {c}) FILTER (WHERE {c} IS NOT NULL))"
    return {field: found for field, (found,) in _asked(connection, fields, [question], "fields") if found}


def _one_file(path: Path) -> str:
    """The path so that DuckDB takes no [, * or ? in it for a pattern."""
    return glob.escape(str(path))


def _csv_types(connection: "DuckDBPyConnection", fields: Sequence[str]) -> dict[str, str]:
    """The narrowest of the three types that holds every field of each column."""
    # Most text shows itself in the first rows, and is then not asked about again.
    beginning = f"(FROM fields LIMIT {GLANCE})"
    numbers = [
        field for field, [is_number] in _asked(connection, fields, [_IS_NUMBER], beginning) if is_number
    ]
    questions = [_IS_NUMBER, _IS_WHOLE, _IS_LABEL]
    types = dict.fromkeys(fields, "VARCHAR")
    for field, (is_number, is_whole, is_label) in _asked(connection, numbers, questions, "fields"):
        if is_number and not is_label:
            types[field] = "BIGINT" if is_whole else "DOUBLE"
    return types


def _asked(
    connection: "DuckDBPyConnection", fields: Sequence[str], questions: Sequence[str], source: str
) -> list[tuple[str, tuple[Any, ...]]]:
    """The answers to each question for each field, None where all its rows are empty."""
    if not fields:
        return []
    columns = ", ".join(question.format(c=field) for field in fields for question in questions)
    [row] = connection.execute(f"SELECT {columns} FROM {source}").fetchall()  # noqa: S608, our own names
    width = len(questions)
    return [(field, row[i * width : (i + 1) * width]) for i, field in enumerate(fields)]


def _header(path: Path) -> tuple[str, tuple[str, ...]]:
    """The separator of the fields, and the names in the first line."""
    try:
        start = _first_characters(path)
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError):
        raise _not_text(path) from None
    if "\0" in start:
        raise _not_text(path)
    first_line = start.partition("\n")[0]
    unquoted = re.sub('"[^"]*"', "", first_line)
    separator = next((mark for mark in SEPARATORS if mark in unquoted), ",")
    if ".tsv" in path.name.lower():
        separator = "\t"
    names = next(csv.reader(io.StringIO(start), delimiter=separator), [])
    if not names:
        raise DataError(f"{path}: the first line is empty. It must have the names of the columns.")
    for position, name in enumerate(names, start=1):
        if not name:
            raise DataError(
                f"{path}: column {position} has no name in the first line. Name it, or leave it out "
                "(from pandas, write with to_csv(path, index=False))."
            )
    return separator, checked_names(names)


def _first_characters(path: Path) -> str:
    """The first line, and the next ones as far as it may run on within quotes."""
    opener = gzip.open if path.name.lower().endswith(".gz") else open
    with opener(path, "rb") as file:
        lines = [file.readline()]
        while b"".join(lines).count(b'"') % 2 and lines[-1]:
            lines.append(file.readline())
    return b"".join(lines).decode("utf-8-sig")


def _fetched(relation: "DuckDBPyRelation", names: tuple[str, ...]) -> tuple[RawColumn, ...]:
    for name, kind in zip(names, relation.types, strict=True):
        _refuse_type(name, kind)
    # By position, because DuckDB numbers names that it takes for the same.
    fetched = relation.fetchnumpy().values()
    columns = tuple(
        _column(name, values, kind) for name, values, kind in zip(names, fetched, relation.types, strict=True)
    )
    return columns or no_columns(0)


def _column(name: str, values: Any, kind: Any) -> RawColumn:
    categories = dict(kind.children)["values"] if kind.id == "enum" else None
    return settled(name, values, categories=categories)


def _refuse_type(name: str, kind: Any) -> None:
    if kind.id.startswith(_TEMPORAL):
        raise dates_refused(name)
    if kind.id not in _SIMPLE_TYPES:
        raise DataError(
            f"Column {name!r} holds {kind}; each value must be a string, True or False, or a number. "
            "Split it into columns of such values, or drop it."
        )


def _not_text(path: Path) -> DataError:
    return DataError(f"{path} is not a text file in UTF-8. Save it as CSV in UTF-8, or as Parquet.")


def _explained(path: Path, message: str) -> DataError:
    """What DuckDB says, in our words where the cause is a common one."""
    if "unicode" in message.lower() or "utf-8" in message.lower():
        return _not_text(path)
    line = re.search(r"CSV Error on Line: (\d+)", message)
    ragged = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if line and ragged:
        return DataError(
            f"{path}: line {line[1]} has {ragged[2]} field{'' if ragged[2] == '1' else 's'}, but the "
            f"first line names {ragged[1]}. Correct that line; a field with the separator in it needs quotes."
        )
    if line and "quote" in message:
        return DataError(f"{path}: line {line[1]} has a double quote without its partner. Correct that line.")
    if "state machine" in message:
        return DataError(
            f"{path} is not regular CSV: its lines end in two different ways, or its quotes do not match. "
            "Save it again, with line ends of one kind."
        )
    reason = message.partition("\n")[0].removeprefix("Invalid Input Error: ")
    return DataError(f"{path} cannot be read: {reason}")

"""Large CSV files, read through DuckDB: many rows in little memory, on all cores.

The columns are those that `written_columns` finds, which is quicker for small files and for wide ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from structlearn.data.choosing import Choose, all_of, wanted_of
from structlearn.data.columns import RawColumn
from structlearn.data.layouts import Layout
from structlearn.data.model_columns import is_as_written
from structlearn.data.relations import columns_of, one_file
from structlearn.data.sql_words import quoted
from structlearn.data.unnamed_columns import left_out
from structlearn.errors import DataNote, needing, warn

with needing("duckdb", "A large file"):
    import duckdb

GLANCE = 1000  # rows that tell most columns of text from numbers
FIELDS_AT_ONCE = 50  # the time and the memory of a query grow with the square of its expressions

_IS_NUMBER = "coalesce(bool_and(TRY_CAST({c} AS DOUBLE) IS NOT NULL) FILTER ({c} <> ''), true)"
# DuckDB would make 0 of 2e-1 if asked for a whole number.
_TYPE = (
    "max(CASE WHEN contains({c}, '.') OR contains(lower({c}), 'e') THEN 2 "
    "WHEN TRY_CAST({c} AS BIGINT) IS NULL THEN 1 ELSE 0 END) FILTER ({c} <> '')"
)
# DuckDB would read 007 and 1_000 as numbers; they are more likely labels.
_IS_LABEL = r"bool_or(regexp_matches({c}, '^\s*[+-]?0[0-9]|_'))"
_IS_LABEL_OR_HAS_POINT = _IS_LABEL.replace("|_", "|_|[.]")
_IS_LONG = r"bool_and(regexp_matches({c}, '^\s*[+-]?[0-9]+\s*$')) FILTER ({c} <> '')"


def read_large_csv(
    path: Path, layout: Layout, choose: Choose = all_of, *, points: bool
) -> tuple[RawColumn, ...] | None:
    """The columns of a file, or None if it is not regular; without `points`, what has one is text."""
    with duckdb.connect() as connection:
        try:
            return _read(connection, path, layout, choose, points=points)
        except duckdb.Error:
            return None


def _read(
    connection: duckdb.DuckDBPyConnection, path: Path, layout: Layout, choose: Choose, *, points: bool
) -> tuple[RawColumn, ...]:
    types = _read_fields(connection, [path], layout, points=points)
    named = list(zip(types, layout.names, strict=True))
    types |= {field: "VARCHAR" for field, name in named if is_as_written(name)}
    wanted = wanted_of(layout.names, choose)
    texts = [field for field, name in named if types[field] == "VARCHAR" and name in wanted]
    words = _different_words(connection, texts)
    for field, found in words.items():
        # DuckDB numbers the words, so that no string is made for every field of the file.
        connection.execute(f"CREATE TYPE words_of_{field} AS ENUM (SELECT unnest(?))", [found])
        types[field] = f"words_of_{field}"
    typed = ", ".join(_typed(field, kind) for field, kind in types.items())
    columns = columns_of(connection.sql(f"SELECT {typed} FROM fields"), layout.names, choose)  # noqa: S608, our own names
    return tuple(
        replace(column, words=tuple(words[field])) if field in words else column
        for field, column in zip(types, columns, strict=True)
    )


def stored_csv(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[Path], layout: Layout
) -> duckdb.DuckDBPyRelation:
    """The rows of files of one layout, with their types, as a table of the connection's database.

    Columns without a name are left out; DuckDB renames A beside a.
    """
    types = _read_fields(connection, paths, layout, points=True)
    named = dict(zip(types, layout.names, strict=True))
    for position, (field, name) in enumerate(named.items(), start=1):
        if not name:
            _leave_out(connection, paths[0], field, position)
    wanted = ", ".join(
        f"{_typed(field, types[field])} AS {quoted(name)}" for field, name in named.items() if name
    )
    connection.execute(f"CREATE TABLE typed AS SELECT {wanted} FROM fields")  # noqa: S608, names are quoted
    connection.execute("DROP TABLE fields")
    return connection.table("typed")


def _leave_out(connection: duckdb.DuckDBPyConnection, path: Path, field: str, position: int) -> None:
    asked = f"SELECT count(*), count(nullif({field}, '')), count(DISTINCT {field}) FROM fields"  # noqa: S608, as above
    [[n_rows, n_values, n_different]] = connection.sql(asked).fetchall()
    warn(left_out(path, position, is_empty=not n_values, tells_apart=n_different == n_rows), DataNote)


def _read_fields(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[Path], layout: Layout, *, points: bool
) -> dict[str, str]:
    """Read all fields as text into a table of that name; returns their types."""
    fields = [f"c{j}" for j in range(len(layout.names))]
    as_text = connection.read_csv(
        [one_file(path) for path in paths],  # type: ignore[arg-type]  # it takes several too
        auto_detect=False,
        header=layout.has_names,
        skiprows=layout.skip,
        delimiter=layout.separator,
        quotechar='"',
        escapechar='"',
        columns=dict.fromkeys(fields, "VARCHAR"),
        allow_quoted_nulls=len(fields) == 1,
    )
    as_text.create("fields")
    return _types(connection, fields, points=points)


def _typed(field: str, kind: str) -> str:
    if kind.startswith("words_of_"):
        return f"enum_code({field}::{kind})"
    # Of words, what was left empty is NULL as it was read, and quotes with nothing between them are a label.
    return field if kind == "VARCHAR" else f"nullif({field}, '')::{kind}"


def _different_words(connection: duckdb.DuckDBPyConnection, fields: Sequence[str]) -> dict[str, list[str]]:
    """The different words of each column of text, for those that have any."""
    question = "list_sort(list(DISTINCT {c}) FILTER (WHERE {c} IS NOT NULL))"
    return {field: found for field, (found,) in _asked(connection, fields, [question], "fields") if found}


def _types(connection: duckdb.DuckDBPyConnection, fields: Sequence[str], *, points: bool) -> dict[str, str]:
    """The narrowest of the three types that holds every field of each column."""
    # Most text shows itself in the first rows, and is then not asked about again.
    beginning = f"(FROM fields LIMIT {GLANCE})"
    numbers = [
        field for field, [is_number] in _asked(connection, fields, [_IS_NUMBER], beginning) if is_number
    ]
    types = dict.fromkeys(fields, "VARCHAR")
    unsure = []
    for field, (is_number, kind, is_label) in _asked(
        connection, numbers, [_IS_NUMBER, _TYPE, _IS_LABEL if points else _IS_LABEL_OR_HAS_POINT], "fields"
    ):
        if is_number and not is_label:
            types[field] = "BIGINT" if kind == 0 else "DOUBLE"
            unsure += [field] if kind == 1 else []
    for field, [is_long] in _asked(connection, unsure, [_IS_LONG], "fields"):
        types[field] = "VARCHAR" if is_long else "DOUBLE"
    return types


def _asked(
    connection: duckdb.DuckDBPyConnection, fields: Sequence[str], questions: Sequence[str], source: str
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The answers to each question for each field, None where all its rows are empty."""
    width = len(questions)
    for start in range(0, len(fields), FIELDS_AT_ONCE):
        some = fields[start : start + FIELDS_AT_ONCE]
        columns = ", ".join(question.format(c=field) for field in some for question in questions)
        [row] = connection.execute(f"SELECT {columns} FROM {source}").fetchall()  # noqa: S608, our own names
        for i, field in enumerate(some):
            yield field, row[i * width : (i + 1) * width]

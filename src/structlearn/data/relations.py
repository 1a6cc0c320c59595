"""Relations of DuckDB, and Parquet files, which it reads."""

import glob
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from structlearn.data.choosing import Choose, all_of, wanted_of
from structlearn.data.columns import RawColumn, unread
from structlearn.data.readers import checked_names, no_columns
from structlearn.data.sql_words import literal, quoted
from structlearn.data.values import rounded_refused, settled
from structlearn.errors import DataError, needing
from structlearn.rounding import LARGEST_WHOLE

with needing("duckdb", "A Parquet file"):
    import duckdb

_SIZES = ("tinyint", "smallint", "integer", "bigint", "hugeint")
_SIMPLE_TYPES = {
    "null",  # nothing but missing values, which is refused in better words
    "boolean",
    "varchar",
    "enum",
    "float",
    "double",
    "decimal",
    *_SIZES,
    *(f"u{s}" for s in _SIZES),
}
_LONG_TYPES = {"hugeint", "uhugeint", "decimal"}
_TEMPORAL = ("date", "time", "interval")


def read_parquet(path: Path, choose: Choose = all_of) -> tuple[RawColumn, ...]:
    """Read a file."""
    with duckdb.connect() as connection:
        try:
            # Folders named like a=1 hold no columns here: what is read is what is in the file.
            relation = connection.read_parquet(one_file(path), hive_partitioning=False)
            names = own_names(connection, one_file(path), relation)
            return columns_of(relation, checked_names(names), choose)
        except duckdb.Error as error:
            reason = str(error).partition("\n")[0].removeprefix("Invalid Input Error: ")
            raise DataError(f"{path} cannot be read: {reason}") from error


def own_names(
    connection: duckdb.DuckDBPyConnection, file: str, relation: duckdb.DuckDBPyRelation
) -> list[str]:
    """The names of the columns in a Parquet file, of which DuckDB renames A beside a."""
    [own] = _names_in(connection, [file])
    return own if len(own) == len(relation.columns) else list(relation.columns)


def _names_in(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> list[list[str]]:
    """The names of the columns in each of several Parquet files."""
    question = "SELECT file_name, name, num_children FROM parquet_schema(?)"
    found: list[list[str]] = []
    for _, [_root, *parts] in groupby(connection.execute(question, [files]).fetchall(), key=itemgetter(0)):
        own: list[str] = []
        n_inner = 0  # parts of a list or a structure that come before the next column
        for _, name, n_children in parts:
            own += [] if n_inner else [name]
            n_inner += (n_children or 0) - bool(n_inner)
        found.append(own)
    return found


def united(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str]
) -> tuple[duckdb.DuckDBPyRelation, list[str]]:
    """The rows of Parquet files as one table by the names of their columns, and these names."""
    names = _names_in(connection, files)
    if len(files) == 1 or all(len({name.lower() for name in own}) == len(own) for own in names):
        # By name, since the first file would decide on all columns and round to its types otherwise.
        relation = connection.read_parquet(files, hive_partitioning=False, union_by_name=True)
        return relation, own_names(connection, files[0], relation)
    # DuckDB would take A for a by the order that they have in each file.
    fields = _told_apart(dict.fromkeys(chain.from_iterable(map(checked_names, names))))
    parts = []
    for file, own in zip(files, names, strict=True):
        columns = ", ".join(f"#{i} AS {quoted(fields[name])}" for i, name in enumerate(own, start=1))
        rows = f"read_parquet({literal(file)}, hive_partitioning = false)"
        parts.append(f"SELECT {columns} FROM {rows}")  # noqa: S608, names are quoted
    return connection.sql(" UNION ALL BY NAME ".join(parts)), list(fields)


def _told_apart(names: Iterable[str]) -> dict[str, str]:
    """Names that differ in more than capitals, as DuckDB makes them: A beside a is A_1."""
    fields: dict[str, str] = {}
    used = set[str]()
    for name in names:
        field = name
        while field.lower() in used:
            field += "_1"
        used.add(field.lower())
        fields[name] = field
    return fields


def one_file(path: Path) -> str:
    """The path so that DuckDB takes no [, * or ? in it for a pattern."""
    return glob.escape(str(path))


def read_relation(relation: duckdb.DuckDBPyRelation, choose: Choose = all_of) -> tuple[RawColumn, ...]:
    """Read all rows of a DuckDB relation."""
    return columns_of(relation, checked_names(relation.columns), choose)


def columns_of(
    relation: duckdb.DuckDBPyRelation, names: tuple[str, ...], choose: Choose = all_of
) -> tuple[RawColumn, ...]:
    """The columns of a relation under these names."""
    if not names:
        return no_columns(0)
    chosen = wanted_of(names, choose)
    wanted = [j for j, name in enumerate(names) if name in chosen]
    if len(wanted) < len(names):
        # By position, because DuckDB numbers names that it takes for the same.
        relation = relation.project(", ".join(f"#{j + 1}" for j in wanted))
    read = dict(zip(wanted, _all_columns(relation, [names[j] for j in wanted]), strict=True))
    return tuple(read.get(j) or unread(name) for j, name in enumerate(names))


def _all_columns(relation: duckdb.DuckDBPyRelation, names: Sequence[str]) -> list[RawColumn]:
    for name, kind in zip(names, relation.types, strict=True):
        refuse_type(name, kind)
    refuse_rounding(relation, dict(zip(names, relation.columns, strict=True)))
    fetched = relation.fetchnumpy().values()  # by position, as above
    found = zip(names, fetched, relation.types, strict=True)
    return [_column(name, values, kind) for name, values, kind in found]


def refuse_rounding(relation: duckdb.DuckDBPyRelation, fields: Mapping[str, str]) -> None:
    """Refuse numbers of a type that numpy lacks if they differ only in digits that floats lack.

    `fields` are the columns of the relation by the names that are said.
    """
    types: dict[str, Any] = dict(zip(relation.columns, relation.types, strict=True))
    for name, field in fields.items():
        if types[field].id not in _LONG_TYPES:
            continue
        number = quoted(field)
        scale = dict(types[field].children)["scale"] if types[field].id == "decimal" else 0
        [[least, most]] = relation.aggregate(f"min({number}), max({number})").fetchall()
        if least is None or max(-least, most) * 10**scale <= LARGEST_WHOLE:
            continue  # all digits are in a float
        asked = f"count(DISTINCT {number}) - count(DISTINCT {number}::DOUBLE)"
        [[n_lost]] = relation.aggregate(asked).fetchall()
        if n_lost > 0:
            raise rounded_refused(name)


def _column(name: str, values: Any, kind: Any) -> RawColumn:
    categories = dict(kind.children)["values"] if kind.id == "enum" else None
    return settled(name, values, categories=categories)


def refuse_type(name: str, kind: Any) -> None:
    """Refuse a column of lists, structures or bytes."""
    if kind.id not in _SIMPLE_TYPES and not kind.id.startswith(_TEMPORAL):
        raise DataError(
            f"Column {name!r} holds {kind}; each value must be a string, True or False, or a number. "
            "Split it into columns of such values, or drop it."
        )

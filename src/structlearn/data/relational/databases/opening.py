"""From what a user passes to a database that answers."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from structlearn.data.relational.databases.in_sqlite import SQLiteDatabase
from structlearn.data.relational.databases.protocol import Database
from structlearn.data.relational.databases.through_ibis import IbisDatabase, connected
from structlearn.errors import DataError, DataTypeError

if TYPE_CHECKING:
    from structlearn.data.relational.databases.in_duckdb import DuckDBDatabase

SQLITE_BEGINS = b"SQLite format 3\0"
DUCKDB_HAS = b"DUCK"  # from the ninth byte on


@contextmanager
def opened_database(source: Any) -> Iterator[Database]:
    """Open a database to read it, and close it if it was closed before.

    Parameters
    ----------
    source : path, str, connection of duckdb, sqlite3 or ibis, or mapping of str to data frame
        A DuckDB or SQLite file, the address of a server ("postgresql://…", with the extra `sql`), an open
        connection, or tables by name.
    """
    database = _database_of(source)
    try:
        yield database
    finally:
        database.close()


def is_database(path: Path) -> bool:
    """Whether a file is a database of DuckDB or SQLite."""
    return format_of(path) is not None


def _database_of(source: Any) -> Database:
    if isinstance(source, str) and "://" in source:
        return IbisDatabase(connected(source), is_own=True)
    if isinstance(source, str | PathLike):
        return _from_file(Path(source))
    if type(source).__name__ == "DuckDBPyConnection":
        return _in_duckdb()(source, "the DuckDB connection")
    if isinstance(source, sqlite3.Connection):
        return SQLiteDatabase(source, "the SQLite connection")
    if isinstance(source, Mapping):
        return _in_duckdb().from_tables(source)
    if hasattr(source, "raw_sql") and hasattr(source, "list_tables"):
        return IbisDatabase(source)
    raise DataTypeError(
        f"A {type(source).__name__} is no database. Pass the path of a DuckDB or SQLite file, an open "
        "connection of duckdb, sqlite3 or ibis, an address such as postgresql://user@host/name, or data "
        "frames by table."
    )


def _in_duckdb() -> "type[DuckDBDatabase]":
    from structlearn.data.relational.databases.in_duckdb import (  # noqa: PLC0415, it needs duckdb
        DuckDBDatabase,
    )

    return DuckDBDatabase


def _from_file(path: Path) -> Database:
    kind = format_of(path)
    if kind == "sqlite":
        return SQLiteDatabase.from_file(path)
    if kind == "duckdb":
        return _in_duckdb().from_file(path)
    raise DataError(f"{path} is no DuckDB or SQLite database. A table in a file goes to the other methods.")


def format_of(path: Path) -> Literal["sqlite", "duckdb"] | None:
    """The database that wrote a file, by its first bytes; None for any other file."""
    try:
        with path.open("rb") as file:
            beginning = file.read(16)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from error
    if beginning == SQLITE_BEGINS:
        return "sqlite"
    return "duckdb" if beginning[8:12] == DUCKDB_HAS else None

"""DuckDB: files, connections, and data frames by table."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from structlearn.data.relational.databases.protocol import Reference, TableFacts
from structlearn.data.relational.schema import Stored
from structlearn.data.sql_words import quoted
from structlearn.errors import DataError, needing

with needing("duckdb", "A database"):
    import duckdb

# Joins, sorts and kept codes beyond it go through a temporary file, so that memory stays the same however
# many rows. With a half, four million registrations take a fifth more time.
MEMORY = "256MB"
HERE = "database_name = current_database() AND schema_name = current_schema()"
STORED: dict[str, Stored] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "whole"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "whole"),
    **dict.fromkeys(("FLOAT", "DOUBLE", "DECIMAL"), "number"),
    **dict.fromkeys(("VARCHAR", "ENUM"), "text"),
    **dict.fromkeys(("DATE", "TIME", "TIMESTAMP", "INTERVAL"), "date"),
    "BOOLEAN": "truth",
}


class DuckDBDatabase:
    """The tables of a DuckDB connection's current schema."""

    keeps = True

    def __init__(self, connection: duckdb.DuckDBPyConnection, name: str) -> None:
        # A cursor is a connection of its own to the same database, so that what is kept stays out of sight.
        self._connection = connection.cursor()
        self.name = name

    @classmethod
    def from_file(cls, path: Path) -> "DuckDBDatabase":
        """Open a file to read."""
        config: dict[str, Any] = {"memory_limit": MEMORY, "temp_directory": tempfile.gettempdir()}
        try:
            opened = duckdb.connect(str(path), read_only=True, config=config)
        except duckdb.Error as error:
            reason = str(error).partition("\n")[0]
            raise DataError(
                f"{path} cannot be opened: {reason} If this program has it open already, pass the connection."
            ) from error
        return cls(opened, str(path))

    @classmethod
    def from_tables(cls, tables: Mapping[str, Any]) -> "DuckDBDatabase":
        """Make a database of data frames, or of dicts of columns, by table."""
        connection = duckdb.connect()
        for number, (name, table) in enumerate(tables.items()):
            columns = _arrays(table) if isinstance(table, Mapping) else table
            try:
                connection.register(f"given_{number}", columns)
            except (duckdb.Error, TypeError, ValueError) as error:
                raise DataError(f"Table {name!r} is no data frame that DuckDB reads: {error}") from error
            connection.execute(f"CREATE TABLE {quoted(str(name))} AS FROM given_{number}")
        return cls(connection, "the tables given")

    def tables(self) -> dict[str, TableFacts]:
        """The tables by name; views have neither keys nor a place here."""
        names = self.rows(f"SELECT table_name FROM duckdb_tables() WHERE {HERE} ORDER BY table_oid")
        return {name: TableFacts(self._columns(name), *self._keys(name)) for (name,) in names}

    def references(self) -> list[Reference]:
        """The declared foreign keys."""
        found = self.rows(
            "SELECT table_name, constraint_column_names, referenced_table, referenced_column_names "
            f"FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY' AND {HERE} "
            "ORDER BY table_oid, constraint_index"
        )
        return [Reference(owner, tuple(own), target, tuple(theirs)) for owner, own, target, theirs in found]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The few rows that a query gives."""
        try:
            return self._connection.execute(query).fetchall()
        except duckdb.Error as error:
            raise DataError(f"{self.name} cannot answer: {str(error).partition(chr(10))[0]}") from error

    def keep(self, table: str, query: str) -> None:
        """Keep the result of a query in DuckDB's own temporary space."""
        self.rows(f"CREATE TEMP TABLE {quoted(table)} AS {query}")

    def drop(self, table: str) -> None:
        """Forget what was kept."""
        self.rows(f"DROP TABLE temp.{quoted(table)}")

    def close(self) -> None:
        """End this connection; the one it was made of goes on."""
        self._connection.close()

    def _columns(self, table: str) -> dict[str, Stored]:
        # A table of all columns would list those of DuckDB's own views too, which takes longer than all else.
        return {column: _stored(kind) for column, kind, *_ in self.rows(f"DESCRIBE {quoted(table)}")}

    def _keys(self, table: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        word = table.replace("'", "''")
        found = self.rows(
            "SELECT constraint_type, constraint_column_names FROM duckdb_constraints() WHERE "
            f"constraint_type IN ('PRIMARY KEY', 'UNIQUE') AND table_name = '{word}' AND {HERE} "
            "ORDER BY constraint_index"
        )
        primary = [tuple(columns) for kind, columns in found if kind == "PRIMARY KEY"]
        unique = tuple(tuple(columns) for kind, columns in found if kind == "UNIQUE")
        return (primary[0] if primary else ()), unique


def _arrays(table: Mapping[str, Any]) -> dict[str, Any]:
    """Columns as DuckDB takes them; where one has None its values are objects."""
    arrays = {name: np.asarray(column) for name, column in table.items()}
    return {
        name: array.astype(object) if array.dtype.kind in "US" else array for name, array in arrays.items()
    }


def _stored(kind: str) -> Stored:
    if kind.endswith("]"):
        return "other"
    word = kind.partition("(")[0].partition(" ")[0].partition("_")[0]
    return STORED.get(word, "other")

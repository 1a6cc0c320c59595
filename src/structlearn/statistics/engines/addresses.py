"""Tables named by where they are: the address of a database, or a file of DuckDB or SQLite."""

import sqlite3
import weakref
from collections.abc import Sequence
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from structlearn.data.addresses import hidden, is_address, shown
from structlearn.data.relational.databases.opening import format_of
from structlearn.data.relational.databases.through_ibis import connected
from structlearn.data.sql_words import quoted
from structlearn.errors import DataError, needing
from structlearn.naming import listed, meant

# The two databases in a file that are opened here to read only, by what may stand before their path.
_FILES = ("sqlite", "duckdb")


def is_database_address(data: Any) -> bool:
    """Whether this is the address of a database, or the path of a file that is one."""
    if isinstance(data, str) and is_address(data):
        return True
    return isinstance(data, str | PathLike) and Path(data).is_file() and format_of(Path(data)) is not None


def table_at(address: str | PathLike[str], table: str | None = None) -> Any:
    """A table or view in a database: an ibis table, or a relation of DuckDB, whose rows stay there.

    Parameters
    ----------
    address : str or path
        Such as "postgresql://user@host/name" or "sqlite:///file.db", or the path of a DuckDB or SQLite file.
        A password in it is never shown.
    table : str, optional
        The table's name, or "schema.table"; not needed where there is one only.
    """
    scheme, is_url, rest = fspath(address).partition("://")
    if is_url and scheme not in _FILES:
        return _by_ibis(connected(fspath(address)), fspath(address), table)
    path = _path(rest) if is_url else Path(address)
    kind = format_of(path)
    if kind is None:
        raise DataError(f"{path} is no database of DuckDB or SQLite.")
    return _in_duckdb(path, table) if kind == "duckdb" else _in_sqlite(path, table)


def _path(rest: str) -> Path:
    """What three strokes begin is absolute to some and relative to others: whichever there is."""
    absolute, relative = Path(rest), Path(rest.removeprefix("/"))
    return relative if not absolute.is_file() and relative.is_file() else absolute


def _in_duckdb(path: Path, table: str | None) -> Any:
    with needing("duckdb", f"The database {path}"):
        import duckdb  # noqa: PLC0415, slow to load
    try:
        connection = duckdb.connect(path, read_only=True)
    except duckdb.Error as error:
        raise DataError(
            f"{path} cannot be opened: {str(error).partition(chr(10))[0]} If this program has it open "
            "already, pass a relation of that connection."
        ) from error
    # In the order of the search for a name: what is in other schemas has to be named with theirs.
    found = connection.execute(
        "SELECT schema_name, name FROM (SELECT database_name, schema_name, table_name AS name FROM "
        "duckdb_tables() UNION ALL SELECT database_name, schema_name, view_name FROM duckdb_views() "
        "WHERE NOT internal) WHERE database_name = current_database() ORDER BY ALL"
    ).fetchall()
    names = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in found}
    chosen = names[_chosen(str(path), table, tuple(names))]
    return connection.sql(f"SELECT * FROM {quoted(*chosen)}")  # noqa: S608, the name is quoted


def _in_sqlite(path: Path, table: str | None) -> Any:
    with needing("ibis", f"The database {path}", install="structlearn[sql]"):
        import ibis  # noqa: PLC0415, an extra
    try:
        # Threads take turns with it, which SQLite sees to itself.
        opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        backend = ibis.sqlite.from_connection(opened)
    except sqlite3.Error as error:
        raise DataError(f"{path} cannot be opened: {error}.") from error
    return _by_ibis(backend, str(path), table)


def _by_ibis(backend: Any, address: str, table: str | None) -> Any:
    """A table of a connection of ibis that was opened for it, and ends when nobody has the table any more."""
    try:
        names = backend.list_tables()
        schema, dot, name = (table or "").rpartition(".")
        if dot and table not in names:
            with suppress(Exception):  # of the many that there are; then it is a name like others
                return _ending(backend.table(name, database=schema))
        return _ending(backend.table(_chosen(shown(address), table, names)))
    except DataError:
        backend.disconnect()
        raise
    except Exception as error:  # noqa: BLE001, each driver has errors of its own
        said = hidden(error, address)
    backend.disconnect()
    raise DataError(f"{shown(address)}: the table cannot be looked at: {said}")


def _ending(table: Any) -> Any:
    weakref.finalize(table, table.get_backend().disconnect)
    return table


def _chosen(where: str, table: str | None, names: Sequence[str]) -> str:
    if table is None and len(names) == 1:
        return names[0]
    there = f"{where} has {f'the tables {listed(names)}' if names else 'no tables'}"
    if table is None:
        raise DataError(f"{there}: choose one with table=….")
    if table not in names:
        raise DataError(f"{there}, and no {table!r}{meant(table, names)}.")
    return table

"""PostgreSQL and other servers, through ibis."""

from collections.abc import Iterable
from contextlib import closing
from itertools import groupby
from typing import Any

from structlearn.data.addresses import hidden, shown
from structlearn.data.relational.databases.protocol import Reference, TableFacts
from structlearn.data.relational.schema import Stored
from structlearn.errors import DataError, needing

# Standard views of keys show only those of tables that one may change; this one shows them to readers too.
KEYS_OF_POSTGRES = """
SELECT c.contype::text, own.relname, own_column.attname, other.relname, other_column.attname, c.oid
FROM pg_constraint AS c
CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS part(own_number, other_number, place)
JOIN pg_class AS own ON own.oid = c.conrelid
JOIN pg_attribute AS own_column ON own_column.attrelid = c.conrelid AND own_column.attnum = part.own_number
LEFT JOIN pg_class AS other ON other.oid = c.confrelid
LEFT JOIN pg_attribute AS other_column
  ON other_column.attrelid = c.confrelid AND other_column.attnum = part.other_number
WHERE c.contype IN ('p', 'u', 'f') AND own.relnamespace = current_schema()::regnamespace
ORDER BY c.oid, part.place
"""
KEYS_BY_THE_STANDARD = """
SELECT CASE c.constraint_type WHEN 'PRIMARY KEY' THEN 'p' WHEN 'UNIQUE' THEN 'u' ELSE 'f' END,
  own.table_name, own.column_name, other.table_name, other.column_name, c.constraint_name
FROM information_schema.table_constraints AS c
JOIN information_schema.key_column_usage AS own
  ON own.constraint_schema = c.constraint_schema AND own.constraint_name = c.constraint_name
  AND own.table_name = c.table_name
LEFT JOIN information_schema.referential_constraints AS r
  ON r.constraint_schema = c.constraint_schema AND r.constraint_name = c.constraint_name
LEFT JOIN information_schema.key_column_usage AS other
  ON other.constraint_schema = r.unique_constraint_schema
  AND other.constraint_name = r.unique_constraint_name
  AND other.ordinal_position = own.position_in_unique_constraint
WHERE c.constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY own.table_name, c.constraint_name, own.ordinal_position
"""
OF_FILES = ("http", "https", "ftp", "s3", "gs", "file")
Declared = tuple[str, str, tuple[str, ...], str | None, tuple[str, ...]]


def connected(url: str) -> Any:
    """A connection of ibis to a server."""
    if url.partition("://")[0].lower() in OF_FILES:
        raise DataError(
            f"{shown(url)}: this is the address of a file, and files are read by their path. Fetch it to "
            "this machine first, or pass the path that it has here."
        )
    with needing("ibis", f"A database at {shown(url)}", install="structlearn[sql]"):
        import ibis  # noqa: PLC0415, an extra
    try:
        return ibis.connect(url)
    except Exception as error:  # noqa: BLE001, each driver has errors of its own
        said = hidden(error, url)
    # Outside of the block above, so that no traceback brings what the driver said of the password.
    raise DataError(f"The database at {shown(url)} cannot be opened: {said}")


class IbisDatabase:
    """The tables that an ibis connection sees where it is."""

    keeps = False  # a server's reader may not make even temporary tables

    def __init__(self, backend: Any, *, is_own: bool = False) -> None:
        self._backend = backend
        self._is_own = is_own
        self.name = f"the {backend.name} database"

    def tables(self) -> dict[str, TableFacts]:
        """The tables by name."""
        declared = self._declared()
        found = {}
        for name in sorted(self._backend.list_tables()):
            columns = {column: _stored(kind) for column, kind in self._backend.table(name).schema().items()}
            key = next((own for kind, table, own, _, _ in declared if (kind, table) == ("p", name)), ())
            unique = tuple(own for kind, table, own, _, _ in declared if (kind, table) == ("u", name))
            found[name] = TableFacts(columns, key, unique)
        return found

    def references(self) -> list[Reference]:
        """The declared foreign keys."""
        found = [
            Reference(t, own, other or "", theirs)
            for k, t, own, other, theirs in self._declared()
            if k == "f"
        ]
        return sorted(found, key=lambda each: (each.owner, each.columns))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The few rows that a query gives."""
        try:
            with closing(self._backend.raw_sql(self._in_its_dialect(query))) as cursor:
                return [tuple(row) for row in cursor.fetchall()]
        except Exception as error:  # each driver has errors of its own
            raise DataError(f"{self.name} cannot answer: {str(error).partition(chr(10))[0]}") from error

    def keep(self, table: str, query: str) -> None:
        """Is not asked for here."""
        raise NotImplementedError

    def drop(self, table: str) -> None:
        """Is not asked for here."""
        raise NotImplementedError

    def close(self) -> None:
        """End the connection if it was opened here."""
        if self._is_own:
            self._backend.disconnect()

    def _in_its_dialect(self, query: str) -> str:
        if self._backend.name == "postgres":
            return query
        import sqlglot  # noqa: PLC0415, comes with ibis

        translated = sqlglot.transpile(query, read="postgres", write=self._backend.dialect, identify=True)
        return str(translated[0])

    def _declared(self) -> list[Declared]:
        query = KEYS_OF_POSTGRES if self._backend.name == "postgres" else KEYS_BY_THE_STANDARD
        try:
            found = self.rows(query)
        except DataError:
            return []  # a database without such views: keys can be given
        return [_declared_key(parts) for _, parts in groupby(found, key=lambda row: (row[1], row[5]))]


def _declared_key(parts: Iterable[tuple[Any, ...]]) -> Declared:
    rows = list(parts)
    return rows[0][0], rows[0][1], tuple(row[2] for row in rows), rows[0][3], tuple(row[4] for row in rows)


def _stored(kind: Any) -> Stored:
    """How ibis says a column is stored."""
    if kind.is_boolean():
        return "truth"
    if kind.is_integer():
        return "whole"
    if kind.is_numeric():
        return "number"
    if kind.is_string():
        return "text"
    return "date" if kind.is_temporal() or kind.is_interval() else "other"

"""SQLite: files and connections, by Python's own module."""

import sqlite3
from pathlib import Path
from typing import Any

from structlearn.data.relational.databases.protocol import Reference, TableFacts
from structlearn.data.relational.schema import Stored
from structlearn.data.sql_words import literal, quoted
from structlearn.errors import DataError


class SQLiteDatabase:
    """The tables of an SQLite database; what is stored in a column decides its type, not its declaration."""

    def __init__(self, connection: sqlite3.Connection, name: str, *, is_own: bool = False) -> None:
        self._connection = connection
        self._is_own = is_own
        self.keeps = is_own  # a table of ours would be in the way of somebody else's transaction
        self.name = name
        self._tables: dict[str, TableFacts] = {}

    @classmethod
    def from_file(cls, path: Path) -> "SQLiteDatabase":
        """Open a file to read."""
        try:
            opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
            opened.execute("PRAGMA temp_store = FILE")  # memory stays the same however many rows
        except sqlite3.Error as error:
            raise DataError(f"{path} cannot be opened: {error}.") from error
        return cls(opened, str(path), is_own=True)

    def tables(self) -> dict[str, TableFacts]:
        """The tables by name; views have neither keys nor a place here."""
        if not self._tables:
            is_own = "name LIKE 'sqlite\\_%' ESCAPE '\\'"
            found = self.rows(f"SELECT name FROM sqlite_master WHERE type = 'table' AND NOT {is_own}")
            self._tables = {name: self._facts(name) for (name,) in found}
        return self._tables

    def references(self) -> list[Reference]:
        """The declared foreign keys; one without columns means the other's primary key."""
        tables = self.tables()
        return [made for name in tables for made in self._references_of(name, tables)]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The few rows that a query gives."""
        try:
            return self._connection.execute(query).fetchall()
        except sqlite3.Error as error:
            raise DataError(f"{self.name} cannot answer: {error}.") from error

    def keep(self, table: str, query: str) -> None:
        """Keep the result of a query in a temporary file."""
        self.rows(f"CREATE TEMP TABLE {quoted(table)} AS {query}")

    def drop(self, table: str) -> None:
        """Forget what was kept."""
        self.rows(f"DROP TABLE temp.{quoted(table)}")

    def close(self) -> None:
        """End the connection if it was opened here."""
        if self._is_own:
            self._connection.close()

    def _facts(self, table: str) -> TableFacts:
        info = self.rows(f"SELECT name, pk FROM pragma_table_info({literal(table)}) ORDER BY cid")
        key = tuple(name for name, place in sorted(info, key=lambda row: row[1]) if place)
        indexes = self.rows(
            f'SELECT name FROM pragma_index_list({literal(table)}) WHERE "unique" ORDER BY seq'
        )
        unique = [self.rows(f"SELECT name FROM pragma_index_info({literal(name)})") for (name,) in indexes]
        others = tuple(
            columns for columns in (tuple(name for (name,) in each) for each in unique) if columns != key
        )
        return TableFacts(self._stored(table, [name for name, _ in info]), key, others)

    def _stored(self, table: str, columns: list[str]) -> dict[str, Stored]:
        found: dict[str, Stored] = {}
        for column in columns:
            name = quoted(column)
            types = self.rows(f"SELECT DISTINCT typeof({name}) FROM {quoted(table)} WHERE {name} IS NOT NULL")
            found[column] = _stored_as({kind for (kind,) in types})
        return found

    def _references_of(self, owner: str, tables: dict[str, TableFacts]) -> list[Reference]:
        keys = f"pragma_foreign_key_list({literal(owner)})"
        found = self.rows(f'SELECT id, "table", "from", "to" FROM {keys} ORDER BY id DESC, seq')
        by_name = {name.casefold(): name for name in tables}  # SQLite takes names in any case
        made = []
        for number in dict.fromkeys(row[0] for row in found):
            mine = [row for row in found if row[0] == number]
            target = by_name.get(mine[0][1].casefold(), mine[0][1])
            own = tuple(_as_declared(row[2], tables[owner]) for row in mine)
            facts = tables.get(target, TableFacts({}))
            theirs = facts.key if mine[0][3] is None else tuple(_as_declared(row[3], facts) for row in mine)
            made.append(Reference(owner, own, target, theirs))
        return made


def _as_declared(column: str, facts: TableFacts) -> str:
    return next((name for name in facts.columns if name.casefold() == column.casefold()), column)


def _stored_as(types: set[str]) -> Stored:
    if "blob" in types:
        return "other"
    if "text" in types:
        return "text"
    return "number" if "real" in types else "whole"

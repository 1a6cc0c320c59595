"""What a database is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from structlearn.data.relational.schema import Stored


@dataclass(frozen=True)
class Reference:
    """A foreign key as declared: columns that hold the key of another table."""

    owner: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True)
class TableFacts:
    """What a database says of a table: its columns, its primary key, and other keys that are unique."""

    columns: Mapping[str, Stored]
    key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = field(default=())


class Database(Protocol):
    """Tables that can be asked in SQL, wherever they are; nothing is ever written to them.

    `keeps` says whether the result of a query can be kept beside the database until it is closed, in memory
    or in a temporary file of the program's own.
    """

    name: str
    keeps: bool

    def tables(self) -> dict[str, TableFacts]:
        """The tables by name."""

    def references(self) -> list[Reference]:
        """The declared foreign keys."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The few rows that a query gives."""

    def keep(self, table: str, query: str) -> None:
        """Keep the result of a query under this name, where `keeps`."""

    def drop(self, table: str) -> None:
        """Forget what was kept."""

    def close(self) -> None:
        """End the connection if it was opened for this."""

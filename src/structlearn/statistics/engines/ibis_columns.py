"""The columns of a table of ibis as they are grouped and summed, in the words of its database.

A statement knows them as c0, c1, …, whatever they are called, and their weights as w.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from structlearn.errors import DataError, needing
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.protocol import Holds

with needing("ibis", "A table of ibis", install="structlearn[sql]"):
    import ibis
    import sqlglot

LONGEST_NAME = 63  # bytes that PostgreSQL keeps of a name
_TEXTS = ("BPCHAR", "citext")
_SOURCE, _COLUMN = "structlearn_source", "structlearn_column"


class IbisColumns:
    """The chosen columns of a table: what they hold, and the statement that gives them."""

    def __init__(self, table: Any, choice: Choice) -> None:
        self.backend = backend_of(table)
        self._types = dict(table.schema().items())
        _refuse_cut_names(self.backend.name, choice, tuple(self._types))
        self.names = choice.names(tuple(self._types))
        self.weights = choice.weights
        self.holds = [_holds(name, self._types[name]) for name in self.names]
        if self.weights is not None and _holds(self.weights, self._types[self.weights]) == "text":
            raise DataError(f"weights={self.weights!r}: the column holds text; a weight is a number.")
        self._choice, self._table = choice, table
        self._templates: dict[Any, str] = {}

    def is_whole(self, column: int) -> bool:
        """Whether the column's type holds whole numbers only; to SQLite a type is but a wish."""
        return self.backend.name != "sqlite" and self.is_integer(column)

    def is_integer(self, column: int) -> bool:
        """Whether the column is declared as one of whole numbers."""
        return bool(self._types[self.names[column]].is_integer())

    def is_decimal(self, column: int) -> bool:
        """Whether the column is declared as one of decimals."""
        return bool(self._types[self.names[column]].is_decimal())

    def rows(self, columns: Sequence[int], more: Sequence[str] = ()) -> str:
        """The statement that gives some columns of the chosen rows, the weights if there are, and more.

        Rows of weight 0 are left out; those of a weight that is none are not, so that it can be refused.
        """
        wanted = [f"{self._value(self.names[j])} AS c{j}" for j in columns]
        those_that_count = ""
        if self.weights is not None:
            kind = ibis.dtype("float64") if self._types[self.weights].is_numeric() else None
            weight = self._value(self.weights, kind)
            wanted.append(f"{weight} AS w")
            those_that_count = f" WHERE {weight} <> 0 OR {weight} IS NULL"
        chosen = ", ".join([*wanted, *more]) or "1 AS nothing"
        return f"SELECT {chosen} FROM ({self._inner}) AS t0{those_that_count}"

    def translated(self, statement: str) -> str:
        """A statement of PostgreSQL in the words of the table's database."""
        return str(sqlglot.transpile(statement, read="postgres", write=self.backend.dialect)[0])

    def raw(self, column: int) -> str:
        """A column as it is stored."""
        return self._stored(self.names[column])

    @cached_property
    def _inner(self) -> str:
        """The statement of the rows that pass the filter.

        Shapes on a map are left out, but for those that a condition in SQL names: ibis would ask for them by
        a function that not every database has.
        """
        wanted = self._choice.filter
        shapes = [name for name, kind in self._types.items() if kind.is_geospatial()]
        if not isinstance(wanted, str):
            return str(self.backend.compile(filtered(self._table, wanted).drop(*shapes)))
        try:
            condition = sqlglot.condition(wanted, dialect=self.backend.dialect)
        except sqlglot.errors.SqlglotError as error:
            reason = str(error).partition("\n")[0]
            raise DataError(f"filter={wanted!r}: this is no condition in SQL: {reason}") from error
        written = condition.sql(dialect=self.backend.dialect)
        named = {column.name for column in condition.find_all(sqlglot.exp.Column)}
        table = self._table.drop(*(name for name in shapes if name not in named))
        return f"SELECT * FROM ({self.backend.compile(table)}) AS t0 WHERE {written}"

    def _value(self, name: str, kind: Any = None) -> str:
        """The column as a statement has it: numbers that are no numbers are missing."""
        return self._template(kind or self._types[name]).replace(_COLUMN, self._stored(name))

    def _stored(self, name: str) -> str:
        """The column, as a number where it may be money or an oid: numbers to ibis, not to PostgreSQL."""
        column, kind = f"t0.{self._quoted(name)}", self._types[name]
        if self.backend.name == "postgres" and kind.is_decimal():
            return f"CAST({column} AS NUMERIC)"
        return f"CAST({column} AS BIGINT)" if self.backend.name == "postgres" and kind.is_int64() else column

    def _template(self, kind: Any) -> str:
        """How ibis writes a column of this type for its database, found once for each type."""
        if kind not in self._templates:
            unbound = ibis.table({_COLUMN: kind}, name=_SOURCE)
            made = self._compiled(unbound.select(v=self._cleaned(unbound[_COLUMN])))
            for column in made.find_all(sqlglot.exp.Column):
                column.replace(sqlglot.exp.Identifier(this=_COLUMN, quoted=False))
            self._templates[kind] = made.selects[0].unalias().sql(dialect=self.backend.dialect)
        return self._templates[kind]

    def _cleaned(self, value: Any) -> Any:
        kind, is_sqlite = value.type(), self.backend.name == "sqlite"
        if kind.is_floating() or kind.is_decimal():
            number = value.cast("float64")
            # SQLite stores no such numbers: they are missing there already.
            return number if is_sqlite else ibis.ifelse(number.isnan(), ibis.null("float64"), number)
        # A text of SQLite may be compared without regard to capitals, and be stored as a number.
        return value + "" if is_sqlite and kind.is_string() else value

    def _compiled(self, expression: Any) -> Any:
        return sqlglot.parse_one(self.backend.compile(expression), read=self.backend.dialect)

    def _quoted(self, name: str) -> str:
        return str(sqlglot.to_identifier(name, quoted=True).sql(dialect=self.backend.dialect))


def backend_of(table: Any) -> Any:
    """The open connection that a table belongs to."""
    if not hasattr(table, "schema"):
        raise DataError(f"A {type(table).__name__} of ibis is no table. Pass connection.table('…').")
    try:
        return table.get_backend()
    except ibis.common.exceptions.IbisError as error:
        raise DataError(
            "This table of ibis belongs to no database. Pass connection.table('…') of an open connection."
        ) from error


def filtered(table: Any, wanted: Any) -> Any:
    """The rows that pass a condition: an expression, or a function of the table that gives one."""
    if wanted is None:
        return table
    try:
        return table.filter(wanted)
    except (ibis.common.exceptions.IbisError, AttributeError) as error:
        raise DataError(f"filter: ibis cannot use it: {error}") from error


def _refuse_cut_names(backend: str, choice: Choice, known: Sequence[str]) -> None:
    """Say that PostgreSQL cut a name, rather than that there is none like it."""
    if backend != "postgres":
        return
    for name in (*(choice.columns or ()), *([] if choice.weights is None else [choice.weights])):
        cut = name.encode()[:LONGEST_NAME].decode(errors="ignore")
        if name not in known and cut != name and cut in known:
            raise DataError(
                f"There is no column {name!r}: PostgreSQL keeps {LONGEST_NAME} bytes of a name, and this one "
                f"is called {cut!r} there. Say that, or give it a shorter name in a view."
            )


def _holds(name: str, kind: Any) -> Holds:
    """What a column of this type holds; dates and things of several parts are refused."""
    found: dict[Holds, Callable[[], bool]] = {
        "truth": kind.is_boolean,
        "numbers": kind.is_numeric,
        # To ibis, texts that PostgreSQL fills with blanks or compares without capitals are of no known type.
        "text": lambda: kind.is_string() or kind.is_null() or any(word in str(kind) for word in _TEXTS),
    }
    for holds, is_so in found.items():
        if is_so():
            return holds
    if kind.is_temporal() or kind.is_interval():
        raise DataError(
            f"Column {name!r} holds {kind}: a date or time, which is no number. Make it one in a view of the "
            "database (EXTRACT, CAST), or leave it out with columns=[…]."
        )
    raise DataError(
        f"Column {name!r} holds {kind}; each value must be text, true or false, or a number. Make it one in "
        "a view of the database (CAST), or leave it out with columns=[…]."
    )

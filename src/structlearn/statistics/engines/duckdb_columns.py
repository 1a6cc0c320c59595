"""Columns of DuckDB's types, as they are grouped and summed, and its errors in our words."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from structlearn.data.relations import refuse_type
from structlearn.data.sql_words import quoted
from structlearn.errors import DataError, needing
from structlearn.statistics.engines.protocol import Holds

with needing("duckdb", "A table in DuckDB"):
    import duckdb

MOST_WORDS = 100_000  # a text of more different values names the rows
_ROUNDED = ("float", "double", "decimal", "hugeint", "uhugeint")
_WHOLE = ("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint")


def holds_of(kind: Any) -> Holds:
    """What a column of this type holds; others than these are refused."""
    if kind.id in ("varchar", "enum", "null"):
        return "text"
    return "truth" if kind.id == "boolean" else "numbers"


def is_whole(kind: Any) -> bool:
    """Whether a column of this type holds whole numbers only, and all of them exactly."""
    return kind.id in _WHOLE


def value_in(field: str, kind: Any) -> str:
    """A column as it is grouped and summed: numbers that are no numbers are missing."""
    if kind.id in ("float", "double"):
        return _without_nan(f"{quoted(field)}::DOUBLE")
    if kind.id == "varchar":
        return f"{quoted(field)}::VARCHAR"  # of JSON, which is text that DuckDB casts in its own way
    return quoted(field) if holds_of(kind) != "numbers" or kind.id in _WHOLE else f"{quoted(field)}::DOUBLE"


def weight_in(field: str) -> str:
    """A column of weights as it is summed: what is no number is missing."""
    return _without_nan(f"TRY_CAST({quoted(field)} AS DOUBLE)")


def _without_nan(number: str) -> str:
    # DuckDB takes columns of Parquet files to have no NaN, since their smallest and largest values say
    # nothing of it, and removes other questions for it (isnan, nullif) from a statement.
    return f"CASE WHEN isfinite({number}) OR isinf({number}) THEN {number} END"


def refuse_unusable(name: str, kind: Any) -> None:
    """Refuse a column of a type that can be neither grouped by nor summed."""
    refuse_type(name, kind)
    if holds_of(kind) == "numbers" and kind.id not in (*_WHOLE, *_ROUNDED):
        raise DataError(
            f"Column {name!r} holds {kind}: a date or time, which is no number here. Make it one in a view "
            "(epoch, year, …), leave it out with columns=[…], or read the table with where='memory' and no "
            "filter."
        )


def refuse_many_words(name: str, n_words: int, n_rows: int) -> None:
    """Refuse a column of text of which hardly any comes again."""
    if n_words > MOST_WORDS:
        raise DataError(
            f"Column {name!r} is text of about {n_words:,} different values in {n_rows:,} rows. It looks "
            "like an identifier; leave it out: columns=[…]."
        )


def drop(relation: duckdb.DuckDBPyRelation, table: str) -> None:
    """Drop a table that may be there no more."""
    with suppress(duckdb.Error):  # a connection that is closed has dropped it
        relation.query("structlearn_dropped", f"DROP TABLE IF EXISTS {table}")


@contextmanager
def clear_errors() -> Iterator[None]:
    """Say in one line what DuckDB could not do."""
    try:
        yield
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"DuckDB cannot answer: {reason}") from error

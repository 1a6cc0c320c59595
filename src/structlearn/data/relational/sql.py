"""Words of SQL that DuckDB, SQLite and PostgreSQL read alike."""

from collections.abc import Sequence

from structlearn.data.relational.schema import Attribute, Stored
from structlearn.data.sql_words import literal, quoted


def value_of(alias: str, column: str, stored: Stored) -> str:
    """The value of a column so that it is the same wherever it is asked for."""
    name = quoted(alias, column)
    if stored == "number":
        return f"CAST({name} AS DOUBLE PRECISION)"
    return f"CAST({name} AS TEXT)" if stored == "text" else name


def code_of(alias: str, attribute: Attribute) -> str:
    """The code of an attribute's state; NULL where the object has no value."""
    value = value_of(alias, attribute.name, attribute.stored)
    if attribute.cuts:
        return interval_of(value, attribute.cuts)
    whens = " ".join(f"WHEN {literal(label)} THEN {code}" for code, label in enumerate(attribute.labels))
    return f"CASE {value} {whens} END"


def interval_of(value: str, cuts: Sequence[float]) -> str:
    """The place of a number among intervals that have their upper end."""
    whens = " ".join(f"WHEN {value} <= {literal(float(cut))} THEN {code}" for code, cut in enumerate(cuts))
    return f"CASE {whens} WHEN {value} IS NOT NULL THEN {len(cuts)} END"


def number_of(alias: str, attribute: Attribute) -> str:
    """The number that a mean takes of an attribute."""
    if attribute.cuts or attribute.numbers is None:
        return f"CAST({quoted(alias, attribute.name)} AS DOUBLE PRECISION)"
    whens = " ".join(f"WHEN {i} THEN {literal(float(x))}" for i, x in enumerate(attribute.numbers))
    return f"CASE {code_of(alias, attribute)} {whens} END"


def steps_of(alias: str, attribute: Attribute) -> str:
    """The number that a mean takes of an attribute in whole steps, whose sum no order of the rows changes."""
    return f"ROUND({number_of(alias, attribute)} * {literal(attribute.n_steps)})"


def equal(left: str, columns: Sequence[str], right: str, others: Sequence[str]) -> str:
    """That columns of one table have the values of columns of another."""
    pairs = zip(columns, others, strict=True)
    return " AND ".join(f"{quoted(left, mine)} = {quoted(right, theirs)}" for mine, theirs in pairs)


def all_present(alias: str, columns: Sequence[str]) -> str:
    """That no column of a key is NULL."""
    return " AND ".join(f"{quoted(alias, column)} IS NOT NULL" for column in columns)

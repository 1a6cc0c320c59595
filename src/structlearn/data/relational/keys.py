"""Keys: as people write them, and whether the rows keep what they promise."""

from collections.abc import Mapping
from typing import Literal

from structlearn.data.relational.databases import Database, Reference, TableFacts
from structlearn.data.relational.schema import Slot
from structlearn.data.relational.sql import all_present, equal
from structlearn.data.sql_words import quoted
from structlearn.errors import DataError, OptionError
from structlearn.naming import no_such

ColumnNames = str | tuple[str, ...]
GivenKeys = Mapping[ColumnNames, ColumnNames]
Tables = Mapping[str, TableFacts]


def named(tables: Tables, option: str, text: str) -> tuple[str, str]:
    """The table and the column that a text like "Registration.student" names; either may have dots."""
    parts = ((table, text.removeprefix(f"{table}.")) for table in tables if text.startswith(f"{table}."))
    found = [(table, column) for table, column in parts if column in tables[table].columns]
    if len(found) > 1:
        which = " and ".join(f"{column!r} of {table!r}" for table, column in found)
        raise OptionError(f"{option}: {text!r} may be {which}. Rename one, or choose with tables=.")
    if found:
        return found[0]
    columns = [f"{table}.{column}" for table, facts in tables.items() for column in facts.columns]
    raise OptionError(no_such("column", text, columns, owner=option))


def given_references(tables: Tables, keys: GivenKeys) -> list[Reference]:
    """The references that somebody wrote down: {"Registration.student": "Student.id"}."""
    return [Reference(*_located(tables, own), *_located(tables, theirs)) for own, theirs in keys.items()]


def checked_slot(
    database: Database, tables: Tables, reference: Reference, dangling: Literal["error", "none"]
) -> Slot:
    """The slot of a reference whose key is one, with what the rows lack counted."""
    _check_shape(tables, reference)
    _refuse_repeated_keys(database, tables, reference)
    n_null, n_dangling = _lacking(database, reference)
    if n_dangling and dangling == "error":
        raise DataError(_dangling_refused(database, reference, n_dangling))
    others = [each for each in database.references() if each.owner == reference.owner]
    is_shared = len({each.target for each in others if each.columns == reference.columns}) > 1
    name = "+".join(reference.columns) + (f"→{reference.target}" if is_shared else "")
    return Slot(
        reference.owner,
        name,
        reference.columns,
        reference.target,
        reference.target_columns,
        n_null,
        n_dangling,
    )


def key_text(table: str, columns: tuple[str, ...]) -> str:
    """A key as the option takes it."""
    names = tuple(f"{table}.{column}" for column in columns)
    return repr(names[0]) if len(names) == 1 else repr(names)


def _located(tables: Tables, names: ColumnNames) -> tuple[str, tuple[str, ...]]:
    found = [named(tables, "keys", name) for name in ((names,) if isinstance(names, str) else names)]
    owners = {table for table, _ in found}
    if len(owners) != 1:
        raise OptionError(f"keys: {names!r} should be columns of one table.")
    return owners.pop(), tuple(column for _, column in found)


def _check_shape(tables: Tables, reference: Reference) -> None:
    own, theirs = reference.columns, reference.target_columns
    if not theirs or len(own) != len(theirs):
        raise DataError(
            f"The key {key_text(reference.owner, own)} has {len(own)} columns, and what it refers to in "
            f"{reference.target!r} has {len(theirs)}. Give the columns with keys=."
        )
    lacking = [column for column in theirs if column not in tables[reference.target].columns]
    if lacking:
        raise DataError(
            f"The key {key_text(reference.owner, own)} refers to {reference.target}.{lacking[0]}, which is "
            "not there."
        )


def _refuse_repeated_keys(database: Database, tables: Tables, reference: Reference) -> None:
    target, columns = reference.target, reference.target_columns
    facts = tables[target]
    if set(columns) in [set(facts.key), *map(set, facts.unique)]:
        return
    keys = ", ".join(quoted("t", column) for column in columns)
    repeated = database.rows(
        f"SELECT {keys}, COUNT(*) FROM {quoted(target)} AS t WHERE {all_present('t', columns)} "
        f"GROUP BY {keys} HAVING COUNT(*) > 1 LIMIT 1"
    )
    if repeated:
        *values, n = repeated[0]
        raise DataError(
            f"{key_text(target, columns)} cannot be a key: {n} objects have the value "
            f"{', '.join(map(repr, values))}. {key_text(reference.owner, reference.columns)} must name one."
        )


def _lacking(database: Database, reference: Reference) -> tuple[int, int]:
    own = reference.columns
    table = f"FROM {quoted(reference.owner)} AS o"
    [(n_null,)] = database.rows(f"SELECT COUNT(*) {table} WHERE NOT ({all_present('o', own)})")
    [(n_dangling,)] = database.rows(f"SELECT COUNT(*) {table} {_without_target(reference)}")
    return int(n_null), int(n_dangling)


def _without_target(reference: Reference) -> str:
    own, theirs = reference.columns, reference.target_columns
    return (
        f"LEFT JOIN {quoted(reference.target)} AS t ON {equal('o', own, 't', theirs)} "
        f"WHERE {all_present('o', own)} AND {quoted('t', theirs[0])} IS NULL"
    )


def _dangling_refused(database: Database, reference: Reference, n_dangling: int) -> str:
    keys = ", ".join(quoted("o", column) for column in reference.columns)
    example = database.rows(
        f"SELECT {keys} FROM {quoted(reference.owner)} AS o {_without_target(reference)} LIMIT 1"
    )
    value = ", ".join(map(repr, example[0]))
    return (
        f"{key_text(reference.owner, reference.columns)}: {n_dangling} objects refer to a {reference.target} "
        f'that is not there, as {value}. Correct them, or pass dangling="none" to take them for no reference.'
    )

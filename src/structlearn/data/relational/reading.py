"""From a database to its schema: slots from its keys, attributes from its columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from structlearn.data.columns import KINDS, Kind
from structlearn.data.relational.attributes import Column, Order, read_attribute
from structlearn.data.relational.databases import Database, Reference, TableFacts
from structlearn.data.relational.keys import GivenKeys, checked_slot, given_references, named
from structlearn.data.relational.proposals import proposed_keys, suggestion
from structlearn.data.relational.schema import EntityClass, Schema, Slot
from structlearn.data.sql_words import quoted
from structlearn.errors import DataError, OptionError
from structlearn.naming import listed

Tables = Mapping[str, TableFacts]


@dataclass(frozen=True)
class SchemaOptions:
    """How a schema is read; the options of `sl.RelationalModel` of these names say more."""

    tables: Sequence[str] | None = None
    keys: GivenKeys | Literal["proposed"] | None = None
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    order: Mapping[str, Order] = field(default_factory=dict)
    bins: int = 4
    dangling: Literal["error", "none"] = "error"


def read_schema(database: Database, options: SchemaOptions) -> Schema:
    """The classes, attributes and slots of a database."""
    tables = _chosen(database, options.tables)
    references = _references(database, tables, options)
    slots = [
        checked_slot(database, tables, each, options.dangling) for each in references if each.target in tables
    ]
    _check_columns(tables, "kinds", options.kinds)
    _check_columns(tables, "order", options.order)
    if wrong := [name for name, kind in options.kinds.items() if kind not in KINDS]:
        raise OptionError(
            f'kinds: {wrong[0]!r} is given as {options.kinds[wrong[0]]!r}, not "discrete" or "continuous".'
        )
    strangers = {each: f"refers to {each.target!r}" for each in references if each.target not in tables}
    classes = [_entity(database, name, facts, options, slots, strangers) for name, facts in tables.items()]
    if not any(entity.attributes for entity in classes):
        raise DataError(f"{database.name} has no attribute to learn from: {_reasons(classes)}.")
    schema = Schema(tuple(classes), tuple(slots))
    schema.refuse_other_names()
    return schema


def _reasons(classes: Sequence[EntityClass]) -> str:
    words = [f"{each.name}.{column} ({why})" for each in classes for column, why in each.left_out.items()]
    return "; ".join(words[:8]) or "its columns are all keys"


def _chosen(database: Database, wanted: Sequence[str] | None) -> dict[str, TableFacts]:
    tables = database.tables()
    if not tables:
        raise DataError(f"{database.name} has no tables.")
    unknown = [name for name in wanted or () if name not in tables]
    if unknown:
        raise OptionError(
            f"tables: there is no table {unknown[0]!r}; the tables are {listed(tuple(tables))}."
        )
    # By name, because databases list tables and keys in any order: the model is the same from all of them.
    return {name: tables[name] for name in sorted(tables) if wanted is None or name in wanted}


def _references(database: Database, tables: Tables, options: SchemaOptions) -> list[Reference]:
    declared = [each for each in database.references() if each.owner in tables]
    if isinstance(options.keys, Mapping):
        declared += given_references(tables, options.keys)
    elif options.keys == "proposed":
        declared += [each.reference for each in proposed_keys(database, tables, declared) if each.by_name]
    found = sorted(set(declared), key=lambda each: (each.owner, each.columns, each.target))
    if not found and len(tables) > 1 and not isinstance(options.keys, Mapping):
        raise DataError(
            f"{database.name} declares no foreign keys, so nothing says which objects belong together. "
            f"{suggestion(proposed_keys(database, tables, found))}"
        )
    return found


def _entity(
    database: Database,
    name: str,
    facts: TableFacts,
    options: SchemaOptions,
    slots: Sequence[Slot],
    strangers: Mapping[Reference, str],
) -> EntityClass:
    [(n_objects,)] = database.rows(f"SELECT COUNT(*) FROM {quoted(name)}")
    left_out = {
        column: why for each, why in strangers.items() if each.owner == name for column in each.columns
    }
    keys = {column for slot in slots if slot.owner == name for column in slot.columns} | {*facts.key}
    keys |= {column for slot in slots if slot.target == name for column in slot.target_columns}
    keys |= {columns[0] for columns in facts.unique if len(columns) == 1}
    attributes = []
    for column, stored in facts.columns.items():
        node = f"{name}.{column}"
        if (column in keys or column in left_out) and node not in options.kinds:
            continue
        asked = Column(database, name, column, stored)
        found = read_attribute(
            asked, int(n_objects), options.kinds.get(node), options.order.get(node), options.bins
        )
        if isinstance(found, str):
            left_out[column] = found if n_objects else "the table is empty"
        else:
            attributes.append(found)
    return EntityClass(name, int(n_objects), facts.key, tuple(attributes), left_out)


def _check_columns(tables: Tables, option: str, names: Iterable[str]) -> None:
    for name in names:
        named(tables, option, name)

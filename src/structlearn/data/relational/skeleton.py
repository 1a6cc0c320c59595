"""The objects of a small database in memory: how they refer to each other, and what is known of them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational.chains import Chain, Link
from structlearn.data.relational.databases import Database
from structlearn.data.relational.schema import EntityClass, Schema, Slot, quoted_where
from structlearn.data.relational.sql import code_of, equal, number_of
from structlearn.data.sql_words import quoted
from structlearn.errors import DataError, OptionError
from structlearn.naming import listed

Places = NDArray[np.int64]
MOST_OBJECTS = 1_000_000  # a few hundred bytes each
MOST_WAYS = 20_000_000  # two numbers of eight bytes each
UNKNOWN = -1
NOTHING = "NULL"  # a part of a key without a value, as databases write it


@dataclass(frozen=True)
class Objects:
    """The objects of a class by place.

    `columns` are keys and references as stored; `codes` the states of each attribute, `UNKNOWN` where there
    is no value; `numbers` what a mean takes of attributes with an order.
    """

    entity: EntityClass
    identity: tuple[str, ...]
    columns: Mapping[str, Sequence[Any]]
    codes: Mapping[str, Places]
    numbers: Mapping[str, NDArray[np.float64]]

    @property
    def n(self) -> int:
        """How many there are."""
        return len(self.labels)

    @cached_property
    def labels(self) -> list[str]:
        """What each is called: its key, or its place where nothing else tells it from others."""
        if not self.identity:
            return [f"#{place + 1}" for place in range(self.entity.n_objects)]
        rows = zip(*(self.columns[name] for name in self.identity), strict=True)
        return [_label(row) for row in rows]

    @cached_property
    def places(self) -> dict[str, int]:
        """Where the object with each label is."""
        return {label: place for place, label in enumerate(self.labels)}

    def name(self, place: int, attribute: str) -> str:
        """An attribute of an object, as a node of a network is called."""
        return f"{self.entity.name}[{self.labels[place]}].{attribute}"

    def place_of(self, key: Any) -> int:
        """Where an object is: by its key, a tuple where that has several columns, or by {column: value}."""
        if isinstance(key, Mapping):
            return self._place_with(key)
        label = _label(key if isinstance(key, tuple | list) else (key,))
        if label not in self.places:
            by = " and ".join(self.identity) or "place"
            raise OptionError(
                f"There is no {self.entity.name} {key!r}. They are named by {by}, as {listed(self.labels)}."
            )
        return self.places[label]

    def _place_with(self, wanted: Mapping[str, Any]) -> int:
        if unknown := [name for name in wanted if name not in self.columns]:
            raise OptionError(
                f"{self.entity.name} has no key or reference {unknown[0]!r}; it has "
                f"{listed(tuple(self.columns))}."
            )
        rows = list(zip(*(self.columns[name] for name in wanted), strict=True))
        values = tuple(wanted.values())
        found = [place for place, row in enumerate(rows) if row == values]
        found = found or [place for place, row in enumerate(rows) if _label(row) == _label(values)]
        if len(found) != 1:
            raise OptionError(f"{len(found)} objects of {self.entity.name} have {dict(wanted)!r}; name one.")
        return found[0]


def _label(key: Sequence[Any]) -> str:
    """A key as people read it; parts that could be taken for others are in quotes, so that all differ."""
    marks = ',"' if len(key) > 1 else ""
    return ", ".join(NOTHING if part is None else _in_words(str(part), marks) for part in key)


def _in_words(part: str, marks: str) -> str:
    return f'"{part}"' if part == NOTHING else quoted_where(part, marks)


class Skeleton:
    """All objects of a database and their references."""

    def __init__(self, database: Database, schema: Schema) -> None:
        self.schema = schema
        n = sum(_size(database, entity.name) for entity in schema.classes)
        if n > MOST_OBJECTS:
            raise DataError(
                f"{database.name} has {n:,} objects; networks and samples take {MOST_OBJECTS:,} at most."
            )
        self.objects = {entity.name: _read(database, schema, entity) for entity in schema.classes}
        self._ends = {slot: self._resolved(database, slot) for slot in schema.slots}

    def ways(self, chain: Chain) -> tuple[Places, Places]:
        """Every way along a chain: where it starts and where it ends, ordered by its start."""
        first = self.objects[chain[0].source]
        starts = ends = np.arange(first.n)
        for link in chain:
            chosen, ends = self._followed(ends, link)
            starts = starts[chosen]
        return starts, ends

    def _followed(self, places: Places, link: Link) -> tuple[Places, Places]:
        """Which of some places lead on, each as often as it does, and where to."""
        target = self._ends[link.slot]
        if not link.is_inverse:
            chosen = np.flatnonzero(target[places] >= 0)
            return chosen, target[places[chosen]]
        order = np.argsort(target, kind="stable")
        low = np.searchsorted(target[order], places, side="left")
        n_each = np.searchsorted(target[order], places, side="right") - low
        if n_each.sum() > MOST_WAYS:
            raise DataError(f"There are {n_each.sum():,} ways along {link}; at most {MOST_WAYS:,} are taken.")
        chosen = np.repeat(np.arange(len(places)), n_each)
        step = np.arange(len(chosen)) - np.repeat(np.cumsum(n_each) - n_each, n_each)
        return chosen, order[np.repeat(low, n_each) + step]

    def _resolved(self, database: Database, slot: Slot) -> Places:
        """The place of the object that each refers to, `UNKNOWN` where there is none."""
        own, theirs = self.objects[slot.owner], self.objects[slot.target]
        where = {key: place for place, key in enumerate(_rows(theirs, slot.target_columns))}
        where[None] = UNKNOWN
        keys = _keys_referred_to(database, slot)
        return np.array([where[keys.get(key)] for key in _rows(own, slot.columns)], dtype=np.int64)


def _size(database: Database, name: str) -> int:
    [(n,)] = database.rows(f"SELECT COUNT(*) FROM {quoted(name)}")
    return int(n)


def _keys_referred_to(database: Database, slot: Slot) -> dict[Hashable, Hashable]:
    """The key that each reference means: the database says what equals what, as where it counts."""
    names = [quoted("o", column) for column in slot.columns]
    names += [quoted("t", column) for column in slot.target_columns]
    pairs = database.rows(
        f"SELECT DISTINCT {', '.join(names)} FROM {quoted(slot.owner)} AS o JOIN {quoted(slot.target)} AS t "
        f"ON {equal('o', slot.columns, 't', slot.target_columns)}"
    )
    n = len(slot.columns)
    return {row[:n]: row[n:] for row in pairs}


def _rows(objects: Objects, columns: Sequence[str]) -> list[Hashable]:
    """The values of a key; None where a part is missing."""
    rows = zip(*(objects.columns[column] for column in columns), strict=True)
    return [None if None in row else row for row in rows]


def _read(database: Database, schema: Schema, entity: EntityClass) -> Objects:
    kept = [*entity.key]
    kept += [column for slot in schema.slots_to(entity.name) for column in slot.target_columns]
    kept += [column for slot in schema.slots_of(entity.name) for column in slot.columns]
    columns = list(dict.fromkeys(kept))
    ordered = [attribute for attribute in entity.attributes if attribute.is_ordered]
    values = [quoted("o", column) for column in columns]
    values += [code_of("o", attribute) for attribute in entity.attributes]
    values += [number_of("o", attribute) for attribute in ordered]
    by = ", ".join(str(place + 1) for place in range(len(columns)))
    order = f" ORDER BY {by}" if columns else ""
    rows = database.rows(f"SELECT {', '.join(values or ['1'])} FROM {quoted(entity.name)} AS o{order}")
    found = list(zip(*rows, strict=True)) if rows else [()] * max(len(values), 1)
    names = iter(found)
    stored = {column: next(names) for column in columns}
    codes = {each.node: _as_codes(next(names)) for each in entity.attributes}
    numbers = {each.node: np.array(next(names), dtype=np.float64) for each in ordered}
    counted = EntityClass(entity.name, len(rows), entity.key, entity.attributes, entity.left_out)
    return Objects(counted, _identity(schema, entity, stored), stored, codes, numbers)


def _as_codes(values: Sequence[int | None]) -> Places:
    return np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64)


def _identity(schema: Schema, entity: EntityClass, columns: Mapping[str, Sequence[Any]]) -> tuple[str, ...]:
    """The columns that tell objects apart: the key, what others refer to, or all references together."""
    references = [column for slot in schema.slots_of(entity.name) for column in slot.columns]
    candidates = [entity.key, *(slot.target_columns for slot in schema.slots_to(entity.name))]
    for names in (*candidates, tuple(dict.fromkeys(references))):
        labels = list(map(_label, zip(*(columns[name] for name in names), strict=True)))
        if names and len(set(labels)) == len(labels):
            return names
    return ()

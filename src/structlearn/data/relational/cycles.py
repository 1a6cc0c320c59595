"""Whether references that are said to lead from no object back to itself keep that, asked in the database."""

from collections.abc import Sequence
from itertools import groupby, pairwise

from structlearn.data.relational.databases import Database
from structlearn.data.relational.schema import Slot
from structlearn.data.relational.sql import equal
from structlearn.data.sql_words import quoted
from structlearn.errors import DataError, OptionError

FIRST_STEPS = 16  # more generations than most tables have; doubled while more are needed
MOST_STEPS = 1024  # a row for each object and step: longer chains of several references are taken on trust


def refuse_cycles(database: Database, slots: Sequence[Slot]) -> list[Slot]:
    """Refuse slots that lead from an object back to itself, each alone or those of a class together.

    Gives those of classes whose chains along several slots are too long to be followed to their end.
    """
    on_trust: list[Slot] = []
    for slot in slots:
        _refuse_other_class(slot)
        _refuse(database, [slot], _n_behind_cycles(database, slot))
    for _, group in groupby(sorted(set(slots), key=lambda slot: slot.full_name), lambda slot: slot.owner):
        together = list(group)
        if len(together) > 1:
            n_endless = _n_endless(database, together)
            _refuse(database, together, n_endless or 0)
            on_trust += together if n_endless is None else []
    return on_trust


def _refuse_other_class(slot: Slot) -> None:
    if slot.owner != slot.target:
        raise OptionError(
            f"acyclic: {slot.full_name!r} leads to another class, {slot.target!r}, so it makes no cycle by "
            f"itself. Name references of a class to itself, as a person's mother."
        )


def _refuse(database: Database, slots: Sequence[Slot], n_wrong: int) -> None:
    if n_wrong:
        names = " and ".join(repr(slot.full_name) for slot in slots)
        lead = "together lead" if len(slots) > 1 else "leads"
        raise DataError(
            f"acyclic: {names} {lead} back to the same object in {n_wrong} of "
            f"{_n_objects(database, slots[0])} cases, on a cycle or behind one. Correct the references, or "
            f"do not declare {'them' if len(slots) > 1 else 'it'}."
        )


def _n_objects(database: Database, slot: Slot) -> int:
    [(n,)] = database.rows(f"SELECT COUNT(*) FROM {quoted(slot.owner)}")
    return int(n)


def _n_behind_cycles(database: Database, slot: Slot) -> int:
    """How many objects of one slot are never reached from those that refer to nobody, each in one row."""
    table = quoted(slot.owner)
    keys = ", ".join(f"{quoted('o', column)} AS k{i}" for i, column in enumerate(slot.target_columns))
    places = [f"k{i}" for i in range(len(slot.target_columns))]
    refers = equal("o", slot.columns, "t", slot.target_columns)
    is_nobody = f"{quoted('t', slot.target_columns[0])} IS NULL"
    roots = f"SELECT {keys} FROM {table} AS o LEFT JOIN {table} AS t ON {refers} WHERE {is_nobody}"
    steps = f"SELECT {keys} FROM {table} AS o JOIN reached AS t ON {equal('o', slot.columns, 't', places)}"
    [(n_reached,)] = database.rows(
        f"WITH RECURSIVE reached AS ({roots} UNION ALL {steps}) SELECT COUNT(*) FROM reached"
    )
    return _n_objects(database, slot) - int(n_reached)


def _n_endless(database: Database, slots: Sequence[Slot]) -> int | None:
    """How many objects have chains of several slots without an end; None where it takes too many steps.

    Who has a chain of so many steps has one of fewer. So the objects become fewer with each step until there
    are none, or until as many are left after a step as before: then each of them leads to another of them.
    """
    n_steps = FIRST_STEPS
    while True:
        n_left = _n_with_chains(database, slots, n_steps)
        endless = [after for before, after in pairwise(n_left) if before == after]
        if endless:
            return endless[0]
        if len(n_left) <= n_steps:
            return 0
        if n_steps >= MOST_STEPS:
            return None
        n_steps *= 2


def _n_with_chains(database: Database, slots: Sequence[Slot], n_steps: int) -> list[int]:
    """How many objects have chains of 0, 1, 2, … steps along any of the slots, while some have."""
    table = quoted(slots[0].owner)
    columns = list(dict.fromkeys(column for slot in slots for column in slot.target_columns))
    own = ", ".join(f"{quoted('o', column)} AS k{i}" for i, column in enumerate(columns))
    theirs = ", ".join(f"{quoted('t', column)} AS t{i}" for i, column in enumerate(columns))
    places = [f"k{i}" for i in range(len(columns))]
    pairs = " UNION ALL ".join(
        f"SELECT {own}, {theirs} FROM {table} AS o JOIN {table} AS t "
        f"ON {equal('o', slot.columns, 't', slot.target_columns)}"
        for slot in slots
    )
    mine = ", ".join(quoted("p", place) for place in places)
    leads = equal("p", [f"t{i}" for i in range(len(columns))], "c", places)
    found = database.rows(
        f"WITH RECURSIVE pairs AS ({pairs}), chains AS (SELECT {own}, 0 AS n_steps FROM {table} AS o "
        f"UNION SELECT {mine}, c.n_steps + 1 FROM pairs AS p JOIN chains AS c ON {leads} "
        f"WHERE c.n_steps < {n_steps}) "
        "SELECT n_steps, COUNT(*) FROM chains GROUP BY n_steps ORDER BY n_steps"
    )
    return [int(n) for _, n in found]

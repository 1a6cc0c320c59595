"""Keys that nobody declared, proposed from the names of columns and from their values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from structlearn.data.relational.databases import Database, Reference, TableFacts
from structlearn.data.relational.keys import key_text
from structlearn.data.sql_words import quoted

Tables = Mapping[str, TableFacts]
AS_KEY = re.compile(r"(^(id|key|fk|ref)_?)|(_?(id|key|fk|ref|no|nr|code)$)")
MOST_SHOWN = 8


@dataclass(frozen=True)
class Proposal:
    """A reference that may be meant: all values of a column are among another table's keys.

    `by_name` says whether the names speak for it too; values alone may agree by chance.
    """

    reference: Reference
    by_name: bool


def proposed_keys(database: Database, tables: Tables, known: Sequence[Reference] = ()) -> list[Proposal]:
    """References that names and values suggest, those with both first; columns with a known one have none."""
    taken = {(each.owner, column) for each in known for column in each.columns}
    keys = {name: key for name, facts in tables.items() if (key := _key_of(database, name, facts))}
    found = [
        made
        for owner, facts in tables.items()
        for column in facts.columns
        if (owner, column) not in taken
        for made in _proposals_for(database, tables, keys, owner, column)
    ]
    return sorted(found, key=lambda each: not each.by_name)


def suggestion(proposals: Sequence[Proposal]) -> str:
    """What to do about keys, in words, with those that may be meant."""
    if not proposals:
        return 'Give them: keys={"Owner.column": "Target.key"}.'
    words = [
        f"{key_text(each.owner, each.columns)}: {key_text(each.target, each.target_columns)}"
        for each in (proposal.reference for proposal in proposals[:MOST_SHOWN])
    ]
    by_name = any(proposal.by_name for proposal in proposals)
    offer = ', or take those whose names agree too with keys="proposed"' if by_name else ""
    return f"Names and values suggest keys={{{', '.join(words)}}}; give those that are meant{offer}."


def _proposals_for(
    database: Database, tables: Tables, keys: Mapping[str, str], owner: str, column: str
) -> list[Proposal]:
    stored = tables[owner].columns[column]
    if stored not in {"whole", "text"}:
        return []
    others = [
        target
        for target, key in keys.items()
        if (target, key) != (owner, column) and tables[target].columns[key] == stored
    ]
    by_name = [target for target in others if _names_agree(column, target, keys[target])]
    # Small numbers are among almost any keys, so that values alone say something only of text.
    by_value = [target for target in others if stored == "text" and keys.get(owner) != column]
    return [
        Proposal(Reference(owner, (column,), target, (keys[target],)), by_name=target in by_name)
        for target in by_name or by_value
        if _is_included(database, owner, column, target, keys[target])
    ]


def _names_agree(column: str, table: str, key: str) -> bool:
    if column.casefold() == key.casefold() and _stem(key) != "":
        return True
    stem = _stem(column)
    return stem != "" and stem in {_stem(table), _stem(key)}


def _stem(name: str) -> str:
    """A name without what marks keys and plurals."""
    bare = AS_KEY.sub("", name.casefold().replace(" ", "_")).strip("_")
    return bare.removesuffix("s")


def _key_of(database: Database, table: str, facts: TableFacts) -> str | None:
    """The one column that is the key of a table: declared, or the first whose values all differ."""
    if facts.key:
        return facts.key[0] if len(facts.key) == 1 else None
    candidates = [columns[0] for columns in facts.unique if len(columns) == 1]
    candidates += [column for column, stored in facts.columns.items() if stored in {"whole", "text"}][:1]
    return next((column for column in candidates if _all_differ(database, table, column)), None)


def _all_differ(database: Database, table: str, column: str) -> bool:
    name = quoted("t", column)
    [(n, n_different)] = database.rows(f"SELECT COUNT(*), COUNT(DISTINCT {name}) FROM {quoted(table)} AS t")
    return bool(n == n_different and n > 0)


def _is_included(database: Database, owner: str, column: str, target: str, key: str) -> bool:
    own, theirs = quoted("o", column), quoted("t", key)
    [(n_present, n_found)] = database.rows(
        f"SELECT COUNT({own}), COUNT({theirs}) FROM {quoted(owner)} AS o "
        f"LEFT JOIN {quoted(target)} AS t ON {own} = {theirs}"
    )
    return bool(n_present and n_present == n_found)

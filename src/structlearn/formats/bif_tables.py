"""The tables of a BIF file, from its probability blocks."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.formats.bif_scanner import BifScanner
from structlearn.formats.tables import Rows, Shorthand, first_wrong, normalised
from structlearn.models import TableCPD
from structlearn.models.cpds.table import refuse_large_table

NOWHERE = -1


@dataclass(frozen=True)
class Entry:
    """Numbers as they were read, where they stood, and behind which states of the parents."""

    place: int
    numbers: list[float]
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Block:
    """A probability block as it was read, before its variables need be known."""

    place: int
    child: str
    parents: tuple[str, ...]
    rows: list[Entry]
    table: Entry | None
    default: Entry | None


def refuse_large_tables(
    scanner: BifScanner, blocks: Iterable[Block], states: Mapping[str, tuple[str, ...]]
) -> None:
    """Refuse tables with too many cells, each or together, before the first of them is made."""
    shorthand = Shorthand()
    for block in blocks:
        shape = _shape(block, states)
        try:
            refuse_large_table(block.child, shape)
            if block.table is None and len(block.rows) < math.prod(shape[:-1]):
                shorthand.add(block.child, shape)
        except DataError as error:
            raise scanner.error(str(error), place=block.place) from None


def table_of(scanner: BifScanner, block: Block, states: Mapping[str, tuple[str, ...]]) -> TableCPD:
    """Make the table of a block; the scanner is asked for the line where it is wrong."""
    shape = _shape(block, states)
    if block.table is not None:
        table = _whole_table(scanner, block, block.table, shape)
    else:
        table = _listed_table(scanner, block, shape, [states[parent] for parent in block.parents])
    return TableCPD(table.reshape(shape), labels=states[block.child], parents=block.parents)


def _shape(block: Block, states: Mapping[str, tuple[str, ...]]) -> list[int]:
    return [len(states[name]) for name in (*block.parents, block.child)]


def _whole_table(scanner: BifScanner, block: Block, entry: Entry, shape: Sequence[int]) -> Rows:
    if block.rows or block.default:
        raise scanner.error(
            f"{block.child!r} has a table and rows; one of them is enough.", place=entry.place
        )
    _check_length(scanner, entry, math.prod(shape))
    rows = np.ascontiguousarray(np.array(entry.numbers).reshape(shape[-1], -1).T)
    return _checked(scanner, rows, np.full(len(rows), entry.place))


def _listed_table(
    scanner: BifScanner, block: Block, shape: Sequence[int], parent_states: Sequence[tuple[str, ...]]
) -> Rows:
    table = np.zeros((math.prod(shape[:-1]), shape[-1]))
    places = np.full(len(table), NOWHERE)
    codes = [{state: code for code, state in enumerate(states)} for states in parent_states]
    for entry in block.rows:
        row = _row_number(scanner, block, entry, codes)
        if places[row] != NOWHERE:
            raise scanner.error(f"{block.child!r} has a second row for {entry.given}.", place=entry.place)
        _check_length(scanner, entry, shape[-1])
        table[row] = entry.numbers
        places[row] = entry.place
    is_missing = places == NOWHERE
    if is_missing.any():
        default = _default(scanner, block, parent_states, int(is_missing.argmax()))
        _check_length(scanner, default, shape[-1])
        table[is_missing] = default.numbers
        places[is_missing] = default.place
    return _checked(scanner, table, places)


def _checked(scanner: BifScanner, rows: Rows, places: NDArray[np.int64]) -> Rows:
    wrong = first_wrong(rows)
    if wrong is not None:
        raise scanner.error(wrong[1], place=int(places[wrong[0]]))
    return normalised(rows)


def _default(
    scanner: BifScanner, block: Block, parent_states: Sequence[tuple[str, ...]], missing_row: int
) -> Entry:
    if block.default is not None:
        return block.default
    codes = np.unravel_index(missing_row, [len(states) for states in parent_states])
    given = tuple(states[code] for states, code in zip(parent_states, codes, strict=True))
    raise scanner.error(f"{block.child!r} has no row for {given} and no default.", place=block.place)


def _row_number(scanner: BifScanner, block: Block, entry: Entry, codes: Sequence[Mapping[str, int]]) -> int:
    n_given, n_parents = len(entry.given), len(block.parents)
    if n_given != n_parents:
        reason = f"a row of {block.child!r} names {n_given} states for {n_parents} parents."
        raise scanner.error(reason, place=entry.place)
    row = 0
    for state, code_of, parent in zip(entry.given, codes, block.parents, strict=True):
        if state not in code_of:
            raise scanner.error(f"{state!r} is no state of {parent!r}.", place=entry.place)
        row = row * len(code_of) + code_of[state]
    return row


def _check_length(scanner: BifScanner, entry: Entry, wanted: int) -> None:
    if len(entry.numbers) != wanted:
        reason = f"expected {wanted} probabilities, found {len(entry.numbers)}."
        raise scanner.error(reason, place=entry.place)

"""The tables of a BIF file, from its probability blocks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.formats.bif_scanner import Scanner
from structlearn.models import TableCPD
from structlearn.models.cpds.table import refuse_large_table

# Published networks have rows rounded to a few digits; what is further off is a mistake.
LARGEST_SUM_ERROR = 1e-3
IGNORED_SUM_ERROR = 1e-9


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


def table_of(scanner: Scanner, block: Block, states: Mapping[str, tuple[str, ...]]) -> TableCPD:
    """Make the table of a block; the scanner is asked for the line where it is wrong."""
    shape = [len(states[name]) for name in (*block.parents, block.child)]
    try:
        refuse_large_table(block.child, shape)
    except DataError as error:
        raise scanner.error(str(error), place=block.place) from None
    if block.table is not None:
        table = _whole_table(scanner, block, block.table, shape)
    else:
        table = _listed_table(scanner, block, shape, [states[parent] for parent in block.parents])
    return TableCPD(table.reshape(shape), labels=states[block.child], parents=block.parents)


def _whole_table(scanner: Scanner, block: Block, entry: Entry, shape: Sequence[int]) -> NDArray[np.float64]:
    if block.rows or block.default:
        raise scanner.error(
            f"{block.child!r} has a table and rows; one of them is enough.", place=entry.place
        )
    _check_length(scanner, entry, math.prod(shape))
    columns = np.array(entry.numbers).reshape(shape[-1], -1)
    return np.array([_normalised(scanner, Entry(entry.place, row)) for row in columns.T.tolist()])


def _listed_table(
    scanner: Scanner, block: Block, shape: Sequence[int], parent_states: Sequence[tuple[str, ...]]
) -> NDArray[np.float64]:
    table = np.zeros((math.prod(shape[:-1]), shape[-1]))
    is_filled = np.zeros(len(table), dtype=bool)
    codes = [{state: code for code, state in enumerate(states)} for states in parent_states]
    for entry in block.rows:
        row = _row_number(scanner, block, entry, codes)
        if is_filled[row]:
            raise scanner.error(f"{block.child!r} has a second row for {entry.given}.", place=entry.place)
        _check_length(scanner, entry, shape[-1])
        table[row] = _normalised(scanner, entry)
        is_filled[row] = True
    if not is_filled.all():
        default = _default(scanner, block, parent_states, int(is_filled.argmin()))
        _check_length(scanner, default, shape[-1])
        table[~is_filled] = _normalised(scanner, default)
    return table


def _default(
    scanner: Scanner, block: Block, parent_states: Sequence[tuple[str, ...]], missing_row: int
) -> Entry:
    if block.default is not None:
        return block.default
    codes = np.unravel_index(missing_row, [len(states) for states in parent_states])
    given = tuple(states[code] for states, code in zip(parent_states, codes, strict=True))
    raise scanner.error(f"{block.child!r} has no row for {given} and no default.", place=block.place)


def _row_number(scanner: Scanner, block: Block, entry: Entry, codes: Sequence[Mapping[str, int]]) -> int:
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


def _check_length(scanner: Scanner, entry: Entry, wanted: int) -> None:
    if len(entry.numbers) != wanted:
        reason = f"expected {wanted} probabilities, found {len(entry.numbers)}."
        raise scanner.error(reason, place=entry.place)


def _normalised(scanner: Scanner, entry: Entry) -> list[float]:
    """Give the numbers of a row, divided by their sum if that is visibly not 1."""
    total = sum(entry.numbers)
    # Written so that NaN fails too.
    if not (min(entry.numbers) >= 0 and abs(total - 1) <= LARGEST_SUM_ERROR):
        reason = f"the probabilities of a row must be from 0 to 1 and sum to 1; these sum to {total:g}."
        raise scanner.error(reason, place=entry.place)
    if abs(total - 1) <= IGNORED_SUM_ERROR:
        return entry.numbers
    return [number / total for number in entry.numbers]

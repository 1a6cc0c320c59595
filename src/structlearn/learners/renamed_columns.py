"""Discrete columns that say the same under different labels."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import Counts, HasRows, Statistics

PAIRS_AT_ONCE = 4096  # so that the tables of many columns that look alike never fill the memory
FIRST_ROWS = 32  # in which hardly two columns agree that do not mean the same
COLUMNS_AT_ONCE = 256  # of rows handed out as numbers of eight bytes


def renamed_columns(statistics: Statistics, margins: dict[int, Counts]) -> Iterator[list[int]]:
    """The groups of columns of which each tells the others.

    Only columns whose states are equally frequent can be such; where levels were cut at quantiles all are.
    """
    by_margin: dict[bytes, list[int]] = {}
    frequencies = _frequencies(margins)
    for j in margins:
        by_margin.setdefault(frequencies[j], []).append(j)
    alike = [columns for columns in by_margin.values() if len(columns) > 1]
    if alike and isinstance(statistics, HasRows) and statistics.is_complete:
        alike = list(_alike_at_first(statistics, alike))
    for columns in alike:
        # In a table with gaps, columns that count all its rows have none.
        has_gaps = not statistics.is_complete and margins[columns[0]].sum() < statistics.size
        if isinstance(statistics, HasRows) and not has_gaps:
            yield from _with_equal_rows(statistics, columns)
        else:
            yield from _joined(_pairs_by_tables(statistics, columns))


def _frequencies(margins: dict[int, Counts]) -> dict[int, bytes]:
    """How often the states of each column occur, in order; columns of as many levels are sorted at once."""
    by_length: dict[int, list[int]] = {}
    for j, margin in margins.items():
        by_length.setdefault(len(margin), []).append(j)
    found: dict[int, bytes] = {}
    for columns in by_length.values():
        ordered = np.sort([margins[j] for j in columns], axis=1)
        n_unseen = np.count_nonzero(ordered == 0, axis=1).tolist()
        found |= {j: counts[n:].tobytes() for j, counts, n in zip(columns, ordered, n_unseen, strict=True)}
    return found


def _alike_at_first(statistics: HasRows, groups: list[list[int]]) -> Iterator[list[int]]:
    """The groups, parted by which of the first rows have the same state: many columns at once."""
    group_of = {j: number for number, columns in enumerate(groups) for j in columns}
    found: dict[tuple[int, bytes], list[int]] = {}
    every = list(group_of)
    for start in range(0, len(every), COLUMNS_AT_ONCE):
        some = every[start : start + COLUMNS_AT_ONCE]
        rows = statistics.rows(some)
        counts = slice(None) if rows.weights is None else rows.weights > 0.0
        codes = rows.values[counts][:FIRST_ROWS].T
        first = (codes[:, :, None] == codes[:, None, :]).argmax(axis=2).astype(np.uint8)
        for j, same in zip(some, first, strict=True):
            found.setdefault((group_of[j], same.tobytes()), []).append(j)
    return (columns for columns in found.values() if len(columns) > 1)


def _with_equal_rows(statistics: HasRows, columns: list[int]) -> Iterator[list[int]]:
    """Columns that are the same once their states are numbered as they come."""
    found: dict[bytes, list[int]] = {}
    for start in range(0, len(columns), COLUMNS_AT_ONCE):
        some = columns[start : start + COLUMNS_AT_ONCE]
        rows = statistics.rows(some)
        counts = slice(None) if rows.weights is None else rows.weights > 0.0
        for j, codes in zip(some, rows.values[counts].T.astype(np.int64), strict=True):
            numbers = np.ascontiguousarray(in_order_of_appearance(codes))
            found.setdefault(hashlib.blake2b(numbers.data, digest_size=16).digest(), []).append(j)
    return (group for group in found.values() if len(group) > 1)


def in_order_of_appearance(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The codes renumbered: that of the first row is 0, the next that is new is 1, and so on."""
    first = np.full(int(codes.max(initial=0)) + 1, codes.size, dtype=np.int64)
    first[codes[::-1]] = np.arange(codes.size)[::-1]  # of several rows the last one written, the first, stays
    number = np.empty_like(first)
    number[np.argsort(first, kind="stable")] = np.arange(first.size)
    return number[codes]


def _pairs_by_tables(statistics: Statistics, columns: list[int]) -> Iterator[tuple[int, int]]:
    """The pairs of which each tells the other, where only tables can be had; asked for in batches."""
    pairs = combinations(columns, 2)
    while batch := list(islice(pairs, PAIRS_AT_ONCE)):
        found = statistics.tables(np.array(batch, dtype=np.int64))
        for pair, start in zip(batch, found.starts.tolist(), strict=True):
            shape = statistics.levels[list(pair)]
            occurs = found.counts[start : start + int(shape.prod())].reshape(shape) > 0
            if (occurs.sum(axis=0) <= 1).all() and (occurs.sum(axis=1) <= 1).all():
                yield pair


def _joined(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The groups that pairs in order form, each in order."""
    group_of: dict[int, list[int]] = {}
    for one, other in pairs:
        group = group_of.setdefault(one, [one])
        if other not in group_of:
            group.append(other)
            group_of[other] = group
    return list({id(group): group for group in group_of.values()}.values())

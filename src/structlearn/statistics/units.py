"""Columns measured so that neither they nor their squares are too large or too small for a number.

A covariance of columns of the size 1e155 is more than a number can be, one of columns of 1e-165 is less. Such
columns are divided by a power of two, which changes no digit. Whole numbers beyond 2^53 are counted from
the smallest of them: rounded to 53 bits, some would be the same.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset
from structlearn.data.columns import Column
from structlearn.errors import DataError
from structlearn.statistics.protocol import Statistics

# Products of four columns in range, as in the square of a covariance, are numbers with all their digits.
MOST_BITS = 200
PLAIN = 2.0 ** (MOST_BITS - 1)
VALUES_AT_ONCE = 2**15  # 256 KiB, which stay in a cache


def in_fair_units(dataset: Dataset) -> tuple[Dataset, NDArray[np.float64]]:
    """The same table with columns in range, and the natural logarithm of each column's unit."""
    columns = list(dataset.columns)
    log_units = np.zeros(len(columns))
    is_plain = _are_plain(columns)
    for j, column in enumerate(columns):
        if isinstance(column, ContinuousColumn) and not is_plain[j]:
            values = _from_the_smallest(column)
            bits = _bits(values if column.missing is None else values[~column.missing])
            log_units[j] = bits * math.log(2.0)
            if bits or values is not column.values:
                columns[j] = replace(column, values=np.ldexp(values, -bits), exact=None)
    if all(new is old for new, old in zip(columns, dataset.columns, strict=True)):
        return dataset, log_units
    found = Dataset.from_columns(columns, weights=dataset.weights, inferred=dataset.inferred)
    return found, log_units


def smallest_of(dataset: Dataset) -> NDArray[np.float64]:
    """Where the whole numbers of each column are counted from by `in_fair_units`; 0 for other columns."""
    found = np.zeros(len(dataset.columns))
    for j, column in enumerate(dataset.columns):
        if isinstance(column, ContinuousColumn) and column.exact is not None:
            present = column.exact if column.missing is None else column.exact[~column.missing]
            found[j] = float(present.min())
    return found


def origins(statistics: Statistics) -> NDArray[np.float64]:
    """Where each column is counted from, in its own unit: 0 for all but very large whole numbers."""
    found = getattr(statistics, "origins", None)
    return np.zeros(len(statistics.names)) if found is None else np.asarray(found)


def log_units(statistics: Statistics) -> NDArray[np.float64]:
    """The natural logarithm of the unit that each column is measured in: 0 for all but extreme ones."""
    found = getattr(statistics, "log_units", None)
    return np.zeros(len(statistics.names)) if found is None else np.asarray(found)


def refuse_other_units(owner: str, statistics: Statistics, why: str) -> None:
    """Refuse columns that had to be measured in other units, where units matter."""
    extreme = np.flatnonzero(log_units(statistics))
    if extreme.size:
        name, exponent = statistics.names[extreme[0]], log_units(statistics)[extreme[0]] / math.log(10.0)
        raise DataError(
            f"{owner}: {why}, and column {name!r} varies by about 1e{exponent:.0f}, too far from 1. Divide "
            "it by its standard deviation first."
        )


def _are_plain(columns: Sequence[Column]) -> NDArray[np.bool_]:
    """Which columns are in range beyond doubt: all at once, as tables can be wide and columns short."""
    is_plain = np.zeros(len(columns), dtype=np.bool_)
    whole = [
        (j, column.values)
        for j, column in enumerate(columns)
        if isinstance(column, ContinuousColumn) and column.exact is None and column.missing is None
    ]
    width = max(VALUES_AT_ONCE // columns[0].n_rows, 1)
    for start in range(0, len(whole), width):
        places, some = zip(*whole[start : start + width], strict=True)
        values = np.array(some)
        spread = values.max(axis=1) / 2.0 - values.min(axis=1) / 2.0
        is_plain[list(places)] = (spread < PLAIN) & (spread > 1.0 / PLAIN)
    return is_plain


def _from_the_smallest(column: ContinuousColumn) -> NDArray[np.float64]:
    if column.exact is None:
        return column.values
    present = column.exact if column.missing is None else column.exact[~column.missing]
    # Without a sign nothing overflows: a difference of 64 bits comes out right whatever was carried over.
    away = column.exact.astype(np.uint64) - present.min().astype(np.uint64)
    values = away.astype(np.float64)
    return values if column.missing is None else np.where(column.missing, 0.0, values)


def _bits(values: NDArray[np.float64]) -> int:
    """The power of two that the values spread over, or 0 where that is within range."""
    if not values.size:
        return 0
    smallest, largest = float(values.min()), float(values.max())
    # Halves, because the distance of the ends may be more than a number can be.
    spread = largest / 2.0 - smallest / 2.0 or abs(largest)
    bits = math.frexp(spread)[1]
    return bits if abs(bits) > MOST_BITS and spread > 0.0 else 0

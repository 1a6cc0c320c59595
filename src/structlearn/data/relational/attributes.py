"""Which columns are attributes, and what their states are.

The rule is that of tables (`structlearn.data.kinds`): whole numbers are states where there are at most two
different ones, or at most twenty that occur twice or more on average; other numbers are cut into intervals.
Text is held to the same limits, because a database has names, addresses and remarks; in a table of a few rows
one repeated value is enough. Text that reads as numbers has their order. Truth values are states. A kind that
was given wins.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from structlearn.data.columns import Kind, Label
from structlearn.data.kinds import FEWEST_IDENTIFIERS, MOST_LEVELS
from structlearn.data.relational.cuts import intervals
from structlearn.data.relational.databases import Database
from structlearn.data.relational.schema import Attribute, Stored
from structlearn.data.relational.sql import value_of
from structlearn.data.sql_words import quoted
from structlearn.data.values import sorted_labels
from structlearn.errors import DataError, OptionError
from structlearn.naming import listed

Order = Sequence[Label] | Mapping[Label, float]
MOST_STATES = 250  # a byte holds each code, and the one for none
DIGITS_OF_MEANS = 11  # of a usual number; a double holds the sum of ninety thousand such without rounding
MOST_DECIMALS = 290  # a double ends at 1e308, and sums have some room below


@dataclass(frozen=True)
class Column:
    """A column of a table, and how to ask for it."""

    database: Database
    table: str
    name: str
    stored: Stored

    @property
    def node(self) -> str:
        """Its name in graphs."""
        return f"{self.table}.{self.name}"

    @property
    def values(self) -> str:
        """A query for the values that are there, as `v`."""
        value = value_of("t", self.name, self.stored)
        return (
            f"SELECT {value} AS v FROM {quoted(self.table)} AS t WHERE {quoted('t', self.name)} IS NOT NULL"
        )

    def different(self, most: int) -> list[Label] | None:
        """The different values, None where there are more than `most`."""
        # A glance at the first rows spares most measurements and texts the look at all of them.
        for part in (f"{self.values} LIMIT 1000", self.values):
            found = self.database.rows(f"SELECT DISTINCT v FROM ({part}) AS part LIMIT {most + 1}")
            if len(found) > most:
                return None
        return [_plain(value) for (value,) in found]


def read_attribute(
    column: Column, n_objects: int, kind: Kind | None, order: Order | None, n_intervals: int
) -> Attribute | str:
    """The attribute that a column is, or why it is none."""
    if column.stored in {"date", "other"}:
        return "dates are no states" if column.stored == "date" else "neither text, numbers nor truth values"
    [(n_present,)] = column.database.rows(f"SELECT COUNT(*) FROM ({column.values}) AS present")
    if not n_present:
        return "no values"
    n_missing = n_objects - int(n_present)
    if kind != "continuous":
        states = _states(column, int(n_present), is_given=kind == "discrete" or order is not None)
        if states is not None:
            return _discrete(column, states, order, n_missing)
    if column.stored in {"text", "truth"}:
        return _refused_as_numbers(column) if kind == "continuous" else "text with many different values"
    if kind is None and _numbers_objects(column, int(n_present)):
        return "an identifier: all numbers differ and follow each other"
    return _continuous(column, n_intervals, n_missing)


def _states(column: Column, n_present: int, *, is_given: bool) -> list[Label] | None:
    if column.stored == "number" and not is_given and not _are_whole(column):
        return None
    found = column.different(MOST_STATES if is_given else MOST_LEVELS)
    if found is None and is_given:
        raise OptionError(
            f"kinds: {column.node!r} has more than {MOST_STATES} different values; leave it out."
        )
    if found is None or is_given or len(found) <= 2 or 2 * len(found) <= n_present:
        return found
    is_small_table = column.stored == "text" and n_present < FEWEST_IDENTIFIERS
    return found if is_small_table and len(found) < n_present else None


def _discrete(column: Column, states: list[Label], order: Order | None, n_missing: int) -> Attribute:
    labels, numbers = sorted_labels(set(states)), None
    written = _as_written(labels)
    if order is not None:
        labels, numbers = _in_order(column, labels, order)
    elif written is not None:
        labels, numbers = _in_order(column, labels, written)
    sizes = [abs(number) for number in numbers or () if number] or [1.0]
    decimals = _decimals(statistics.median_low(sizes), max(sizes))
    return Attribute(column.table, column.name, column.stored, labels, (), numbers, n_missing, decimals)


def _as_written(labels: tuple[Label, ...]) -> dict[Label, float] | None:
    """The number that each label is, or is in writing; None where one is not."""
    try:
        numbers = {label: float(label) for label in labels}
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers.values())) else None


def _in_order(
    column: Column, labels: tuple[Label, ...], order: Order
) -> tuple[tuple[Label, ...], tuple[float, ...]]:
    numbers = dict(order) if isinstance(order, Mapping) else {label: i for i, label in enumerate(order)}
    unknown = [label for label in labels if label not in numbers]
    if unknown:
        raise OptionError(
            f"order: {column.node!r} has the states {listed(labels)}, and {listed(unknown)} has no place."
        )
    known = sorted(numbers, key=lambda label: numbers[label])
    return tuple(known), tuple(float(numbers[label]) for label in known)


def _continuous(column: Column, n_intervals: int, n_missing: int) -> Attribute:
    [(low, high)] = column.database.rows(f"SELECT MIN(v), MAX(v) FROM ({column.values}) AS numbers")
    if not (math.isfinite(low) and math.isfinite(high)):
        raise DataError(
            f"Column {column.node!r} has values that are no finite numbers. Make them NULL, or leave it out."
        )
    cuts, labels = intervals(column.database, column.values, n_intervals)
    decimals = _decimals(_usual_size(column), max(abs(float(low)), abs(float(high))))
    return Attribute(column.table, column.name, column.stored, labels, cuts, None, n_missing, decimals)


def _usual_size(column: Column) -> float:
    """The size in the middle of those of all numbers but 0; the largest may be a mark for none."""
    sizes = f"SELECT ABS(CAST(v AS DOUBLE PRECISION)) AS v FROM ({column.values}) AS numbers WHERE v <> 0"
    cuts, labels = intervals(column.database, sizes, 2)
    return float([*cuts, *labels, 1.0][0])


def _decimals(size: float, largest: float) -> int:
    """To how many decimals numbers of about this size count in a mean."""
    most = MOST_DECIMALS - math.ceil(math.log10(max(1.0, largest)))
    return min(most, DIGITS_OF_MEANS - math.ceil(math.log10(size)))


def _are_whole(column: Column) -> bool:
    fractions = f"SELECT 1 FROM ({column.values}) AS numbers WHERE v <> ROUND(v) LIMIT 1"
    return not column.database.rows(fractions)


def _numbers_objects(column: Column, n_present: int) -> bool:
    [(low, high)] = column.database.rows(f"SELECT MIN(v), MAX(v) FROM ({column.values}) AS numbers")
    if n_present < FEWEST_IDENTIFIERS or high - low != n_present - 1:
        return False
    [(n_different,)] = column.database.rows(f"SELECT COUNT(DISTINCT v) FROM ({column.values}) AS numbers")
    return bool(n_different == n_present)


def _refused_as_numbers(column: Column) -> str:
    raise OptionError(f'kinds: {column.node!r} holds {column.stored}, so it cannot be "continuous".')


def _plain(value: Any) -> Label:
    """A value as labels are: decimals as numbers, whole ones as integers."""
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    label: Label = value
    return label

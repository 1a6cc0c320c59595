"""Rows in which columns were set from outside: what they say of these columns is left out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.data.columns import Column, ContinuousColumn, DiscreteColumn
from structlearn.data.targets import Rows, Targets, rows_set
from structlearn.errors import DataError
from structlearn.graphs.names import counted
from structlearn.statistics.protocol import FOR_ROWS, Statistics
from structlearn.statistics.weightless import have_weight, total_weight, without_weightless_rows

Pairs = NDArray[np.bool_]
FEWEST_ROWS = 2  # that continuous columns need for a variance


class Experiments:
    """Which columns were set in which rows of a table.

    Parameters
    ----------
    dataset : Dataset
        The table.
    names : sequence of str
        The columns that are asked about, by position.
    is_set : mapping of int to array of bool
        By column the rows in which it was set; columns that never were are left out.
    answering : callable
        What makes statistics of some rows and columns of the table.
    sharing : callable, optional
        What makes those of some rows without a copy of them.
    """

    def __init__(
        self,
        dataset: Dataset,
        names: Sequence[str],
        is_set: Mapping[int, Rows],
        answering: Callable[[Dataset, Sequence[str]], Statistics],
        sharing: Callable[[Rows], Statistics] | None = None,
    ) -> None:
        self._dataset = dataset
        self._names = tuple(names)
        self._answering, self._sharing = answering, sharing
        self._known: dict[frozenset[int], Statistics | None] = {}
        self._conditions: dict[int, list[Statistics]] = {}
        self.is_set = dict(is_set)

    def __repr__(self) -> str:
        return f"Experiments({ {column: int(rows.sum()) for column, rows in self.is_set.items()} })"

    def without(self, *columns: int) -> Statistics | None:
        """The rows in which none of these columns was set; None where there are none."""
        touched = frozenset(column for column in columns if column in self.is_set)
        if touched not in self._known:
            is_left = self._left(touched)
            self._known[touched] = (
                self._sharing(is_left)
                if self._sharing is not None and is_left.any()
                else self.without_among(range(len(self._names)), touched)
            )
        return self._known[touched]

    def without_among(self, asked: Iterable[int], touched: Iterable[int]) -> Statistics | None:
        """The same of some columns alone, counted anew: pairs are too many to keep all of each."""
        is_left = self._left(touched)
        if not is_left.any():
            return None
        names = [self._names[column] for column in asked]
        return self._answering(self._dataset.select(names).take(is_left), names)

    def _left(self, touched: Iterable[int]) -> Rows:
        is_left = np.ones(self._dataset.n_rows, dtype=np.bool_)
        for column in touched:
            is_left &= ~self.is_set[column]
        return is_left

    def conditions_of(self, column: int, *, fewest: int) -> list[Statistics]:
        """Of each set of targets with a column the rows, if so many and the column not constant in them."""
        if column not in self._conditions:
            sets = [columns for columns in self.sets if column in columns]
            parts = [self._dataset.take(self._were_set(columns)) for columns in sets]
            self._conditions[column] = [
                self._answering(rows, self._names)
                for rows in parts
                if total_weight(rows) >= fewest and _varies(rows, self._names[column])
            ]
        return self._conditions[column]

    def _were_set(self, columns: Sequence[int]) -> Rows:
        """The rows in which just these columns were set."""
        is_all: list[Rows] = [rows == (column in columns) for column, rows in self.is_set.items()]
        found: Rows = np.logical_and.reduce(is_all)
        return found

    def n_set_alone(self, column: int, other: int) -> float:
        """In how many rows, as their weights count them, a column was set and another was not."""
        return self._n_rows(self._was_set(column) & ~self._was_set(other))

    def n_not_set(self, column: int) -> float:
        """In how many rows, as their weights count them, a column was not set."""
        return self._n_rows(~self._was_set(column))

    def _n_rows(self, which: Rows) -> float:
        weights = self._dataset.weights
        return float(which.sum() if weights is None else weights[which].sum())

    def where_set(self, column: int, other: int) -> Statistics | None:
        """The rows in which a column was set to more than one value, and another was not set."""
        rows = self._dataset.take(self.is_set[column] & ~self._was_set(other))
        return self._answering(rows, self._names) if _varies(rows, self._names[column]) else None

    def with_sign(self, column: int, other: int, *, at: int) -> Statistics:
        """The rows in which `other` was not set; in the place of `at` is whether `column` was."""
        is_left, name = ~self._was_set(other), self._names[at]
        rows, was_set = self._dataset.take(is_left), self.is_set[column][is_left]
        sign: Column = (
            DiscreteColumn(name, was_set.astype(np.uint8), (0, 1))
            if rows.column(name).kind == "discrete"
            else ContinuousColumn(name, was_set.astype(np.float64))
        )
        columns = [sign if each.name == name else each for each in rows.columns]
        made = Dataset.from_columns(columns, weights=rows.weights, inferred=rows.inferred, rows=rows.rows)
        return self._answering(made, self._names)

    def says_nothing(self, column: int) -> str:
        """Why nothing is known of what acts on a column; empty where something may be."""
        name, is_left = self._names[column], ~self._was_set(column)
        if not is_left.any():
            return f"{name!r} was set in every row"
        rows = self._dataset.select([name]).take(is_left)
        if rows.column(name).kind == "discrete":
            return ""
        where = f"in the {counted(rows.n_rows, 'row')} in which it was not set"
        if not _varies(rows, name):
            return f"{name!r} has a single value {where}"
        size = total_weight(rows)
        return "" if size >= FEWEST_ROWS else f"{name!r} has weights that sum to {size:.3g} {where}"

    def _was_set(self, column: int) -> Rows:
        return self.is_set.get(column, np.zeros(self._dataset.n_rows, dtype=np.bool_))

    def refuse_unknown(self, owner: str) -> None:
        """Refuse a column of whose parents nothing is known: DAGs with any of them would be equivalent."""
        for column in self.is_set:
            if why := self.says_nothing(column):
                raise DataError(
                    f"{owner}: {why}, so that nothing is known of its parents. Add rows in which it was not "
                    "set, or leave it out."
                )

    @cached_property
    def sets(self) -> dict[tuple[int, ...], int]:
        """The columns that were set together in some row, none among them, and in how many rows."""
        columns = np.array(sorted(self.is_set), dtype=np.int64)
        is_set = [self.is_set[column] for column in columns.tolist()]
        together, n_rows = np.unique(is_set, axis=1, return_counts=True)
        found = [tuple(columns[is_in].tolist()) for is_in in together.T]
        return dict(zip(found, n_rows.tolist(), strict=True))

    def by_names(self, names: Sequence[str]) -> dict[tuple[str, ...], int]:
        """The same by the names of the columns."""
        return {tuple(names[column] for column in columns): n for columns, n in self.sets.items()}

    def told_apart(self, n_columns: int) -> Pairs:
        """Of which pairs of columns just one was set in some row, so that the rows tell their direction."""
        found = np.zeros((n_columns, n_columns), dtype=np.bool_)
        for columns in self.sets:
            is_in = np.isin(np.arange(n_columns), list(columns))
            found |= is_in[:, None] != is_in
        return found


def _varies(rows: Dataset, name: str) -> bool:
    return len(set(rows.column(name).decoded().tolist()) - {None}) > 1


def experiments_of(statistics: Statistics | None) -> Experiments | None:
    """What was set in the rows that answer; None where nothing was."""
    return getattr(statistics, "experiments", None)


def rows_and_targets(
    owner: str,
    source: object,
    targets: Targets,
    *,
    nodes: Sequence[str] | None = None,
    missing: str = "error",
) -> tuple[Dataset, dict[str, Rows]]:
    """The columns that are nodes, by default all but that of the targets, and the rows in which each was set.

    Rows of weight 0 are gone from both, and with `missing="drop"` those that miss a value in one of these
    columns.
    """
    if not isinstance(source, Dataset):
        raise DataError(f"{owner}(targets=…) needs the rows themselves, in memory. {FOR_ROWS}")
    if nodes is None:
        nodes = [name for name in source.names if not isinstance(targets, str) or name != targets]
    found, table = rows_set(owner, source, targets, nodes), source.select(nodes)
    counts, table = have_weight(table), without_weightless_rows(table)
    is_left = np.ones(table.n_rows, dtype=np.bool_)
    for column in table.columns:
        if missing == "drop" and column.missing is not None:
            is_left &= ~column.missing
    if counts.all() and is_left.all():
        return table, found
    left = {name: rows[counts][is_left] for name, rows in found.items()}
    return table.take(is_left), {name: rows for name, rows in left.items() if rows.any()}

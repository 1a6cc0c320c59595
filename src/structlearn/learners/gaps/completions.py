"""The ways in which rows that miss values may go on, and how likely each is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn
from structlearn.data.coding import smallest
from structlearn.errors import DataError
from structlearn.run import Run

if TYPE_CHECKING:
    from structlearn.models import BayesianNetwork

MOST_WAYS = 2**12  # of one row; a row that may go on in more says little about any one of them
MOST_CELLS = 2**26  # of all completed rows together: half a gigabyte of codes

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Completions:
    """A table without gaps: each row of another one in every way in which it may go on.

    The completed rows of one row stand together; `starts` says where they begin, and `weights` for how many
    rows they count in all.
    """

    table: Dataset
    starts: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, dataset: Dataset, run: Run) -> Self:
        """Complete every row of a table of discrete columns, but for rows that miss very much."""
        columns = _discrete(dataset, run.owner)
        codes = np.column_stack([_with_gaps(column) for column in columns])
        rows, weights = _distinct(codes, dataset.weights)
        levels = np.array([column.levels for column in columns])
        ways = np.where(rows < 0, levels, 1).prod(axis=1, dtype=np.float64)
        kept = _affordable(ways, len(levels))
        if not kept.any():
            raise DataError(
                f"{run.owner}: every row misses so many values that they cannot be estimated. Leave out the "
                "columns with most gaps."
            )
        if not kept.all():
            left = weights[~kept].sum()
            run.note(f"{left:,.0f} rows miss very much and have a say in the distributions only.")
        n_ways = ways[kept].astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(n_ways)[:-1]])
        completed = _in_every_way(rows[kept], levels, n_ways, starts)
        return cls(_table(columns, completed), starts, weights[kept])

    def weighted_by(self, model: "BayesianNetwork") -> Dataset:
        """The completed rows, each with the share that it is worth if the model is right."""
        logs = model.log_likelihood_rows(self.table)
        n_ways = np.diff([*self.starts, self.table.n_rows])
        likely = np.exp(logs - np.repeat(np.maximum.reduceat(logs, self.starts), n_ways))
        shares = likely / np.repeat(np.add.reduceat(likely, self.starts), n_ways)
        weights = shares * np.repeat(self.weights, n_ways)
        # A state that the model does not expect in any row is one of the table nevertheless.
        return Dataset(self.table, weights=weights).take(weights > 0.0)


def _discrete(dataset: Dataset, owner: str) -> list[DiscreteColumn]:
    found = [column for column in dataset.columns if isinstance(column, DiscreteColumn)]
    if len(found) < len(dataset.columns):
        other = next(name for name, kind in dataset.kinds.items() if kind == "continuous")
        raise DataError(
            f"{owner}(missing='em'): only discrete columns can be estimated together with the graph, and "
            f"{other!r} is continuous. Use missing='drop', fill the gaps in, or cut the columns into bins."
        )
    return found


def _with_gaps(column: DiscreteColumn) -> Codes:
    codes = column.codes.astype(np.int64)
    return codes if column.missing is None else np.where(column.missing, -1, codes)


def _distinct(codes: Codes, weights: NDArray[np.float64] | None) -> tuple[Codes, NDArray[np.float64]]:
    """Each different row once, and how many rows it stands for."""
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    return rows, np.bincount(place.ravel(), weights=weights, minlength=len(rows)).astype(np.float64)


def _affordable(ways: NDArray[np.float64], n_columns: int) -> NDArray[np.bool_]:
    """Which rows to complete: as many as memory has room for, those first that miss least."""
    order = np.argsort(ways, kind="stable")
    fits = (np.cumsum(ways[order]) * n_columns <= MOST_CELLS) & (ways[order] <= MOST_WAYS)
    kept = np.zeros(len(ways), dtype=bool)
    kept[order[fits]] = True
    return kept


def _in_every_way(rows: Codes, levels: Codes, n_ways: Codes, starts: Codes) -> Codes:
    completed = np.repeat(rows, n_ways, axis=0)
    number = np.arange(len(completed)) - np.repeat(starts, n_ways)
    for column, n_levels in enumerate(levels):
        gap = completed[:, column] < 0
        completed[gap, column] = number[gap] % n_levels
        number[gap] //= n_levels
    return completed


def _table(columns: Sequence[DiscreteColumn], codes: Codes) -> Dataset:
    return Dataset.from_columns(
        [
            DiscreteColumn(column.name, smallest(filled, column.levels), column.labels)
            for column, filled in zip(columns, codes.T, strict=True)
        ]
    )

"""The distinct states of a node's parents in the data, and how often each state of the node is with them."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.models.cpds.family import Family
from structlearn.models.cpds.protocol import Rows

MOST_COUNTED_CELLS = 2**20  # 8 MiB of counts; beyond, most cells are empty and rows are quicker


@dataclass(frozen=True, slots=True)
class ObservedCells:
    """Values of the parents, one array for each, and `counts`, (cells, states of the node).

    With a continuous parent each row is a cell of its own.
    """

    parents: tuple[Rows, ...]
    counts: NDArray[np.float64]

    @property
    def sizes(self) -> NDArray[np.float64]:
        """How often each cell occurs."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def size(self) -> float:
        """How many rows there are, or the sum of their weights."""
        return float(self.counts.sum())

    def smoothed(self, pseudo_rows: float) -> "ObservedCells":
        """Add pseudo-rows, spread over the cells as the rows are and evenly over the node's states."""
        if not pseudo_rows:
            return self
        shares = self.sizes / self.size
        counts = self.counts + pseudo_rows / self.counts.shape[1] * shares[:, None]
        return ObservedCells(self.parents, counts)


def observed_cells(family: Family) -> ObservedCells:
    """Count the cells of a family that occur, from tables where they are small and from rows elsewhere."""
    levels = family.parent_levels
    is_discrete = "continuous" not in family.parent_kinds
    if is_discrete and math.prod(levels) * len(family.labels) <= MOST_COUNTED_CELLS:
        return _from_counts(family.counts())
    return _from_rows(family, grouped=is_discrete)


def _from_counts(counts: NDArray[np.float64]) -> ObservedCells:
    flat = counts.reshape(-1, counts.shape[-1])
    occurs = np.flatnonzero(flat.any(axis=1))
    parents = np.unravel_index(occurs, counts.shape[:-1]) if counts.ndim > 1 else ()
    return ObservedCells(tuple(parents), flat[occurs])


def _from_rows(family: Family, *, grouped: bool) -> ObservedCells:
    rows = family.rows()
    n, levels = len(rows.values), family.parent_levels
    cells, cell_of = rows.values[:, :-1], np.arange(n)
    if grouped:
        cells, cell_of = np.unique(cells, axis=0, return_inverse=True)
    counts = np.zeros((len(cells), len(family.labels)))
    weights = np.ones(n) if rows.weights is None else rows.weights
    np.add.at(counts, (cell_of.ravel(), rows.values[:, -1].astype(np.int64)), weights)
    parents = (c.astype(np.int64) if r else c for c, r in zip(cells.T, levels, strict=True))
    return ObservedCells(tuple(parents), counts)

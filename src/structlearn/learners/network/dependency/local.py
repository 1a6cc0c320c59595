"""What is learnt of one column: its distribution given others, and what each of these is worth to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge, Label
from structlearn.statistics import Statistics, rows_of
from structlearn.statistics.units import log_units, origins

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Local:
    """The distribution of a column as plain parameters, the gain in nats of each parent, and its score."""

    conditional: Mapping[str, Any]
    gains: Mapping[int, float]
    score: float


@dataclass(frozen=True, eq=False, slots=True)
class Columns:
    """The rows of a table by column, (columns, rows), and which columns may and must explain which.

    `is_allowed` and `is_required` are [child, parent]. Extreme numbers of the table are `units` · values +
    `origins`.
    """

    names: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    levels: NDArray[np.int64]
    values: Floats
    weights: Floats
    is_allowed: Flags
    is_required: Flags
    units: Floats
    origins: Floats

    @classmethod
    def of(cls, owner: str, statistics: Statistics, knowledge: Knowledge) -> "Columns":
        """Read the rows, and what knowledge says about the parents of each column."""
        stored = rows_of(owner, statistics, range(len(statistics.names)))
        weights = np.ones(statistics.n_rows) if stored.weights is None else stored.weights
        counted = weights > 0.0
        values = np.ascontiguousarray(stored.values[counted].T, dtype=np.float64)
        varies = (values != values[:, :1]).any(axis=1)
        required, forbidden = knowledge.matrices(statistics.names)
        is_allowed = ~forbidden.T & varies & ~np.eye(len(varies), dtype=np.bool_)
        return cls(
            statistics.names,
            statistics.labels,
            statistics.levels,
            values,
            weights[counted],
            is_allowed,
            required.T & is_allowed,
            np.exp2(np.rint(log_units(statistics) / np.log(2.0))),
            origins(statistics),
        )

    @property
    def size(self) -> float:
        """The number of rows, or the sum of their weights."""
        return float(self.weights.sum())

    def scale(self, column: int) -> tuple[float, float]:
        """The unit of a column, and where it is counted from, in the table."""
        return float(self.units[column]), float(self.origins[column])

    def mean_and_variance(self, column: int) -> tuple[float, float]:
        """Those of a continuous column."""
        values = self.values[column]
        if (values == values[0]).all():
            return float(values[0]), 0.0
        mean = float(np.average(values, weights=self.weights))
        return mean, float(np.average((values - mean) ** 2, weights=self.weights))

    def states_of(self, columns: list[int]) -> dict[str, list[Label]]:
        """The states of some columns by name; none for a continuous one."""
        return {self.names[j]: list(self.labels[j]) for j in columns}

"""A discrete network with probabilities fitted to data, and rows drawn from it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn
from structlearn.errors import OptionError
from structlearn.search.dags import Parents, parents_first
from structlearn.statistics import Statistics

MOST_CELLS = 2**26  # 512 MiB of probabilities


@dataclass(frozen=True, slots=True)
class Factor:
    """A table with an axis for each of these columns."""

    columns: tuple[int, ...]
    table: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FittedNetwork:
    """The probabilities of each column given its parents: the last axis is the column itself.

    `order` has parents before their children.
    """

    names: tuple[str, ...]
    levels: NDArray[np.int64]
    parents: Parents
    factors: list[Factor]
    order: tuple[int, ...]

    @classmethod
    def of(cls, statistics: Statistics, parents: Parents) -> Self:
        """Fit by maximum likelihood; states of the parents that do not occur get equal probabilities."""
        factors = [_fitted(statistics, child, members) for child, members in enumerate(parents)]
        order = parents_first(parents)
        return cls(statistics.names, statistics.levels, parents, factors, order)

    def draw(self, n_rows: int, rng: np.random.Generator) -> Dataset:
        """Rows drawn column by column, parents first."""
        kind = np.min_scalar_type(int(self.levels.max()) - 1)
        codes = np.zeros((len(self.names), n_rows), dtype=kind)
        for column in self.order:
            given = np.zeros(n_rows, dtype=np.int64)
            for parent in self.parents[column]:
                given = given * self.levels[parent] + codes[parent]
            reached = self.factors[column].table.reshape(-1, self.levels[column]).cumsum(axis=1)
            uniforms = rng.random(n_rows)
            for up_to_level in np.ascontiguousarray(reached.T[:-1]):
                codes[column] += uniforms >= up_to_level[given]
        labels = [tuple(range(n_levels)) for n_levels in self.levels.tolist()]
        return Dataset.from_columns(
            DiscreteColumn(name, codes[j], labels[j], None) for j, name in enumerate(self.names)
        )


def _fitted(statistics: Statistics, child: int, parents: Sequence[int]) -> Factor:
    family = [*parents, child]
    n_cells = math.prod(statistics.levels[family].tolist())
    if n_cells > MOST_CELLS:
        raise OptionError(
            f"The table of {statistics.names[child]!r} and its {len(parents)} parents has {n_cells:,} cells, "
            "too many to draw from. Use max_parents, fewer candidates or measure='shield'."
        )
    counts = statistics.counts(family).astype(np.float64)
    totals = counts.sum(axis=-1, keepdims=True)
    equal = np.full(counts.shape, 1.0 / counts.shape[-1])
    return Factor(tuple(family), np.divide(counts, totals, out=equal, where=totals > 0.0))

"""Discrete rows as indicators of their states, and conjunctions of those as features."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import Statistics, rows_of

Features = NDArray[np.int64]
"""A feature per row: the indicators that must all be 1, ascending, and then the constant one."""

CELLS_AT_ONCE = 2**22  # 32 MiB of numbers


@dataclass(frozen=True, eq=False)
class Indicators:
    """The distinct rows of discrete columns: an indicator for each state of a column.

    Of two states the second is enough. With three or more each has its own, so that a feature may
    ask for any of them and no state is special.

    `rows` is (distinct rows, indicators + 1) of zeros and ones; the last indicator is constant, so
    that features of few indicators can be filled up with it. `shares` are the shares of the rows,
    which sum to 1. States that no row has are left out, and a column with a single one has no
    indicator. Indicator `k` says that column `column[k]` is in its state `state[k]`, counted among
    the seen ones; `code[k]` is that state's code in the data. The constant one has column -1.
    Row `i` of the table is the distinct row `place[i]`, and counts `row_weights[i]` times.
    """

    rows: NDArray[np.float64]
    shares: NDArray[np.float64]
    size: float
    place: NDArray[np.int64]
    row_weights: NDArray[np.float64]
    levels: NDArray[np.int64]
    column: NDArray[np.int64]
    state: NDArray[np.int64]
    code: NDArray[np.int64]

    @classmethod
    def of(cls, statistics: Statistics) -> Self:
        """Read the rows of a table without continuous columns."""
        found = rows_of("A log-linear model", statistics, range(len(statistics.names)))
        codes, place = np.unique(found.values.astype(np.int64), axis=0, return_inverse=True)
        row_weights = np.ones(len(found.values)) if found.weights is None else found.weights
        sizes = np.bincount(place.ravel(), row_weights)
        seen = [np.unique(column) for column in codes[sizes > 0].T]
        kept = [
            (j, k, code)
            for j, states in enumerate(seen)
            for k, code in enumerate(states.tolist())
            if len(states) > 2 or k == 1
        ]
        column, state, code = np.array([*kept, (-1, 0, 0)], dtype=np.int64).T
        rows = codes[:, column] == code
        rows[:, -1] = True
        return cls(
            rows=rows.astype(np.float64),
            shares=sizes / sizes.sum(),
            size=float(sizes.sum()),
            place=place.ravel(),
            row_weights=row_weights,
            levels=np.array([len(states) for states in seen], dtype=np.int64),
            column=column,
            state=state,
            code=code,
        )

    def part(self, rows: NDArray[np.int64]) -> Self:
        """The same states, counted in some rows of the table only."""
        sizes = np.bincount(self.place[rows], self.row_weights[rows], minlength=len(self.rows))
        return replace(self, shares=sizes / sizes.sum(), size=float(sizes.sum()))

    @property
    def constant(self) -> int:
        """The indicator that is always 1."""
        return len(self.column) - 1

    def scope(self, feature: Features) -> tuple[int, ...]:
        """The columns of one feature."""
        return tuple(self.column[feature[feature < self.constant]].tolist())

    def states(self, feature: Features) -> tuple[int, ...]:
        """The states of its columns, counted among the seen ones."""
        return tuple(self.state[feature[feature < self.constant]].tolist())

    def singletons(self, width: int = 1) -> Features:
        """Each state but the first of a column as a feature, filled up to a width."""
        alone = np.flatnonzero(self.state > 0)
        return np.pad(alone[:, None], ((0, 0), (0, width - 1)), constant_values=self.constant)

    def means(self, features: Features) -> NDArray[np.float64]:
        """The share of the rows that have each feature."""
        means = np.empty(len(features))
        for block, prefixes, place in self.prefixes(features, n_cells=len(self.rows)):
            joint = self.together(prefixes).T @ (self.rows * self.shares[:, None])
            means[block] = joint[place, features[block, -1]]
        return means

    def prefixes(
        self, features: Features, *, n_cells: int
    ) -> Iterator[tuple[slice, Features, NDArray[np.int64]]]:
        """Blocks of features, with what comes before their last members: each once, and where it is.

        The prefixes of a block have at most about `CELLS_AT_ONCE` cells, `n_cells` for each.
        """
        n_at_once = max(CELLS_AT_ONCE // max(n_cells, 1), 1)
        distinct, place = self.distinct(features[:, :-1])
        if len(distinct) <= n_at_once:
            yield slice(0, len(features)), distinct, place
            return
        for start in range(0, len(features), n_at_once):
            block = slice(start, start + n_at_once)
            yield block, *self.distinct(features[block, :-1])

    def distinct(self, features: Features) -> tuple[Features, NDArray[np.int64]]:
        """Each feature once, in order, and where each of those given is."""
        _, first, place = np.unique(self.numbers(features), return_index=True, return_inverse=True)
        return features[first], place.ravel()

    def numbers(self, features: Features) -> NDArray[np.int64]:
        """A number for each feature, the same for the same members, in their order."""
        numbers = np.zeros(len(features), dtype=np.int64)
        for members in features.T:
            numbers = numbers * (self.constant + 1) + members
        return numbers

    def together(self, features: Features) -> NDArray[np.float64]:
        """Which rows have each feature, (rows, features); without any indicators, all rows have it."""
        found = np.ones((len(self.rows), len(features)))
        for members in features.T:
            found *= self.rows[:, members]
        return found

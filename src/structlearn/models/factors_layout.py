"""Where the tables of a product of factors lie, and exact inference in it by a junction tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.numerics.junction_tree import Calibrated, JunctionTree, Scope

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """The scopes of factors, ascending columns each; their tables lie one behind the other."""

    levels: tuple[int, ...]
    scopes: tuple[Scope, ...]

    def shape(self, scope: Scope) -> tuple[int, ...]:
        """The shape of a table over some columns."""
        return tuple(self.levels[column] for column in scope)

    @cached_property
    def starts(self) -> Integers:
        """Where each table begins, and where the last one ends."""
        sizes = [prod(self.shape(scope)) for scope in self.scopes]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @property
    def n_cells(self) -> int:
        """The cells of all tables."""
        return int(self.starts[-1])

    def tables(self, cells: Floats) -> list[Floats]:
        """The table of each factor, as views of their cells."""
        return [
            cells[self.starts[i] : self.starts[i + 1]].reshape(self.shape(scope))
            for i, scope in enumerate(self.scopes)
        ]

    def cells(self, codes: Integers) -> Integers:
        """The cell of each factor, a column each, that each row of codes is in."""
        found = np.empty((len(codes), len(self.scopes)), dtype=np.int64)
        for i, scope in enumerate(self.scopes):
            found[:, i] = self.starts[i] + numbered(codes, scope, self.levels)
        return found

    @cached_property
    def tree(self) -> JunctionTree:
        """The junction tree; a TooWideError where its tables would not fit."""
        return JunctionTree(np.array(self.levels), self.scopes)

    @cached_property
    def homes(self) -> tuple[int, ...]:
        """The clique of the tree that each factor is multiplied into."""
        return tuple(self.tree.home(scope) for scope in self.scopes)

    def entered(self, logs: Floats) -> Floats:
        """The logarithms of the tree's tables, each the sum of those that it is home to."""
        tree = self.tree
        cells = np.zeros(tree.n_cells)
        for scope, home, table in zip(self.scopes, self.homes, self.tables(logs), strict=True):
            clique = tree.cliques[home]
            whole = cells[tree.starts[home] : tree.starts[home + 1]].reshape(self.shape(clique))
            whole += laid_out(table, scope, clique)
        return cells

    def calibrated(self, logs: Floats) -> Calibrated:
        """The probabilities of the product whose tables have these logarithms."""
        # Where all is impossible there is a 0 / 0, and log_z is no number.
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self.tree.calibrate(self.entered(logs))
        if np.isfinite(found.log_z[0]):
            return found
        raise DataError(
            "The factors leave no joint state that is possible: their product is 0 everywhere. Look at their "
            "zeros."
        )

    def marginals(self, found: Calibrated) -> Floats:
        """The probabilities of each factor's states, as the tables lie."""
        tables = [
            summed_onto(found.beliefs[home][0], self.tree.cliques[home], scope).ravel()
            for home, scope in zip(self.homes, self.scopes, strict=True)
        ]
        return np.concatenate([*tables, np.zeros(0)])

    @cached_property
    def neighborhoods(self) -> tuple[Integers, Integers, Integers]:
        """`starts`, `touches` and `others` of the kernels."""
        touches: list[list[tuple[int, int, int, int]]] = [[] for _ in self.levels]
        others: list[tuple[int, int]] = []
        for first, scope in zip(self.starts[:-1].tolist(), self.scopes, strict=True):
            strides = [prod(self.shape(scope[i + 1 :])) for i in range(len(scope))]
            for node, stride in zip(scope, strides, strict=True):
                around = [pair for pair in zip(scope, strides, strict=True) if pair[0] != node]
                touches[node].append((first, stride, len(others), len(others) + len(around)))
                others += around
        starts = np.cumsum([0, *map(len, touches)]).astype(np.int64)
        rows = [row for of_node in touches for row in of_node]
        return (
            starts,
            np.array(rows, dtype=np.int64).reshape(-1, 4),
            np.array(others, dtype=np.int64).reshape(-1, 2),
        )


def numbered(codes: Integers, columns: Scope, levels: Sequence[int]) -> Integers:
    """The number of each row's joint state of some columns, in row-major order."""
    number = np.zeros(len(codes), dtype=np.int64)
    for column in columns:
        number = number * levels[column] + codes[:, column]
    return number


def summed_onto(table: Floats, columns: Scope, scope: Scope) -> Floats:
    """Sum a table over all of its columns that are not in a scope."""
    summed: Floats = table.sum(axis=tuple(i for i, column in enumerate(columns) if column not in scope))
    return summed


def laid_out(table: Floats, scope: Scope, columns: Scope) -> Floats:
    """A table over a scope with an axis for each of several columns; both ascend."""
    sizes = iter(table.shape)
    return table.reshape([next(sizes) if column in scope else 1 for column in columns])

"""What rows with missing values say about each family: the counts that are expected of them."""

from dataclasses import dataclass
from math import prod
from typing import Protocol, Self

import numpy as np

from structlearn.models.factors_layout import Floats, Integers, Layout, numbered, summed_onto
from structlearn.models.kernels.hidden_states import count_states, expect_counts, list_groups
from structlearn.numerics.junction_tree import TooWideError

MOST_STATES = 2**12  # of values that hang together, up to which each joint state may have its turn
FEW_STATES = 2**6  # up to which that is quicker than any tree
CELLS_PER_STATE = 5  # of a tree, that take as long as a joint state
BATCH_CELLS = 2**23  # 64 MiB of a tree's tables at once

Groups = tuple[Integers, Integers, Integers, Integers]
"""`hidden`, `families`, `cells` and `ends` of the kernels."""


class Rows(Protocol):
    """Rows of codes, -1 where a value is missing, with how much each counts."""

    @property
    def weights(self) -> Floats:
        """How much each log probability counts."""

    def expect(self, logs: Floats, expected: Floats) -> Floats:
        """Add the expected counts, given the logarithms of all cells, and give log probabilities.

        Their weighted sum is the log-likelihood of the rows, but for the families that `split_rows`
        counted.
        """


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Rows whose missing values fall into small groups, each given what is known around it."""

    levels: Integers
    places: tuple[Integers, Integers, Integers]
    groups: Groups
    weights: Floats

    @classmethod
    def of(cls, layout: Layout, codes: Integers, weights: Floats) -> Self:
        """Find the groups of each row."""
        lacks = codes < 0
        n_touched = sum(int(lacks[:, scope].any(axis=1).sum()) for scope in layout.scopes)
        hidden, families, cells = (np.empty(n, dtype=np.int64) for n in (lacks.sum(), n_touched, n_touched))
        places = _places(layout)
        ends = list_groups(codes, *places, layout.starts[:-1], hidden, families, cells)
        groups, weights = _merged((hidden, families, cells, ends), weights[ends[:, 0]])
        return cls(np.array(layout.levels), places, groups, weights)

    def expect(self, logs: Floats, expected: Floats) -> Floats:
        """Give each joint state of each group its turn."""
        found: Floats = expect_counts(logs, self.levels, *self.places, *self.groups, self.weights, expected)
        return found


@dataclass(frozen=True, eq=False)
class TreeRows:
    """Rows whose missing values hang together too widely, along a junction tree of all families."""

    layout: Layout
    codes: Integers
    weights: Floats

    def expect(self, logs: Floats, expected: Floats) -> Floats:
        """Calibrate the tree for as many rows at a time as fit; a TooWideError where none does."""
        tree, entered = self.layout.tree, self.layout.entered(logs)
        size = max(1, BATCH_CELLS // tree.n_cells)
        totals = [np.zeros(0)]
        for start in range(0, len(self.codes), size):
            batch = slice(start, start + size)
            with np.errstate(divide="ignore", invalid="ignore"):  # an impossible row has a total of -inf
                found = tree.calibrate(entered, self.codes[batch])
            tables = self.layout.tables(expected)
            for home, scope, table in zip(self.layout.homes, self.layout.scopes, tables, strict=True):
                belief = np.tensordot(self.weights[batch], found.beliefs[home], axes=1)
                table[...] += summed_onto(belief, tree.cliques[home], scope)
            totals.append(found.log_z)
        return np.concatenate(totals)


def split_rows(layout: Layout, codes: Integers, weights: Floats) -> tuple[Floats, list[Rows]]:
    """The counts of what no row lacks, and the rows that lack something, by how they are best summed."""
    codes, weights = codes[weights > 0.0], weights[weights > 0.0]
    n_states = count_states(codes, np.array(layout.levels), *_places(layout)[:2], MOST_STATES)
    is_wide = n_states > _most_states(layout, int(n_states.max()))
    is_grouped = (codes < 0).any(axis=1) & ~is_wide
    parts: list[Rows] = []
    if is_grouped.any():
        parts.append(GroupedRows.of(layout, codes[is_grouped], weights[is_grouped]))
    if is_wide.any():
        parts.append(TreeRows(layout, *_different(codes[is_wide], weights[is_wide])))
    return _counted(layout, codes[~is_wide], weights[~is_wide]), parts


def _most_states(layout: Layout, largest: int) -> int:
    """How many joint states a group may have before its row goes along the tree."""
    few = min(FEW_STATES, MOST_STATES)
    if largest <= few:
        return few
    try:
        return min(max(few, layout.tree.n_cells // CELLS_PER_STATE), MOST_STATES)
    except TooWideError:
        return MOST_STATES


def _different(codes: Integers, weights: Floats) -> tuple[Integers, Floats]:
    """Each different row once, with the weight of all that are like it."""
    found, number = np.unique(codes, axis=0, return_inverse=True)
    return found, np.bincount(number.ravel(), weights, len(found)).astype(np.float64)


def _merged(groups: Groups, weights: Floats) -> tuple[Groups, Floats]:
    """Each different group once, with the weight of all that are like it.

    Groups are alike that have the same columns and cells; their families then are the same.
    """
    hidden, families, cells, ends = groups
    sizes = np.diff(ends[:, 1:], axis=0, prepend=0)
    firsts = ends[:, 1:] - sizes
    likes = np.empty(len(ends), dtype=np.int64)
    for n_hidden, n_families in np.unique(sizes, axis=0).tolist():
        (own,) = np.nonzero((sizes == (n_hidden, n_families)).all(axis=1))
        columns = hidden[firsts[own, :1] + np.arange(n_hidden)]
        keys = np.hstack([columns, cells[firsts[own, 1:] + np.arange(n_families)]])
        _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        likes[own] = own[first][number.ravel()]
    totals = np.bincount(likes, weights, len(ends)).astype(np.float64)
    kept = likes == np.arange(len(ends))
    of_hidden, of_families = (np.repeat(kept, n) for n in sizes.T)
    kept_ends = np.column_stack([ends[kept, 0], np.cumsum(sizes[kept], axis=0)])
    return (hidden[of_hidden], families[of_families], cells[of_families], kept_ends), totals[kept]


def _counted(layout: Layout, codes: Integers, weights: Floats) -> Floats:
    """How often each cell occurs among the rows that lack no value of its family."""
    counts = np.zeros(layout.n_cells)
    for scope, table in zip(layout.scopes, layout.tables(counts), strict=True):
        is_known = (codes[:, scope] >= 0).all(axis=1)
        cells = numbered(codes[is_known], scope, layout.levels)
        table[...] = np.bincount(cells, weights[is_known], table.size).reshape(table.shape)
    return counts


def _places(layout: Layout) -> tuple[Integers, Integers, Integers]:
    """`bounds`, `columns` and `strides` of the kernels."""
    scopes = layout.scopes
    strides = [prod(layout.shape(scope[i + 1 :])) for scope in scopes for i in range(len(scope))]
    columns = [column for scope in scopes for column in scope]
    bounds = np.cumsum([0, *map(len, scopes)])
    return bounds.astype(np.int64), np.array(columns, dtype=np.int64), np.array(strides, dtype=np.int64)

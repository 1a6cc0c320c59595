"""Tiers and separating sets: what comes later is no cause of two columns, and need not separate them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs.links import Positions
from structlearn.independence.asking import (
    Asker,
    ConditionLists,
    SeparatedPairs,
    Show,
    Subsets,
    separate_pairs,
)


@dataclass(frozen=True)
class Lists:
    """What pairs may be conditioned on, by node, as sorted lists one after the other."""

    neighbor_rows: tuple[Positions, Positions]

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> "Lists":
        """The lists of all nodes, one after the other."""
        starts = np.cumsum([0, *map(len, lists)])
        return cls((starts, np.array([node for each in lists for node in each], dtype=np.int64)))

    @classmethod
    def within(cls, conditions: ConditionLists, is_allowed: NDArray[np.bool_]) -> "Lists":
        """The lists without the nodes that are not allowed."""
        starts, nodes = conditions.neighbor_rows
        is_kept = is_allowed[nodes]
        n_kept = np.concatenate([[0], np.cumsum(is_kept)])
        return cls((n_kept[starts], nodes[is_kept]))

    def neighbors(self, node: int) -> Positions:
        """The list of one node."""
        starts, nodes = self.neighbor_rows
        return nodes[starts[node] : starts[node + 1]]


class Tiers:
    """The tier of each column; those in none are free.

    If two columns can be separated, their causes can do it: no column of a later tier is one. With selected
    rows that is not so, since the causes of what decided may be needed, of any tier.
    """

    def __init__(self, names: tuple[str, ...], knowledge: Knowledge) -> None:
        tier_of = {name: i for i, tier in enumerate(knowledge.tiers) for name in tier}
        self._tier = np.array([tier_of.get(name, -1) for name in names], dtype=np.int64)

    def groups(self, pairs: Positions) -> Iterator[tuple[Positions, NDArray[np.bool_]]]:
        """Pairs that end in the same tier, and the columns that are not later; a free column ends last."""
        tier = self._tier[pairs]
        last = np.where((tier < 0).any(axis=1), self._tier.max(initial=-1), tier.max(axis=1, initial=-1))
        for latest in np.unique(last):
            yield np.flatnonzero(last == latest), self._tier <= latest

    def in_turn(self, pairs: Positions) -> Positions:
        """The places of pairs as they come in these groups."""
        return np.concatenate([np.zeros(0, np.int64), *(places for places, _ in self.groups(pairs))])


def separate_level(
    asker: Asker,
    pairs: Positions,
    conditions: ConditionLists,
    size: int | None,
    *,
    tiers: Tiers | None,
    show: Show,
    both_ends: bool = True,
    n_first: int = 1,
) -> SeparatedPairs:
    """Find for each pair the first set of one size that separates it, or ask a test that knows one (None).

    Sets are taken from the list of the first end, and then, with `both_ends`, from that of the second; the
    `n_first` of them are asked about together.
    """
    if tiers is None:
        if size is None:
            return asker.separate(pairs, conditions)
        subsets = Subsets(pairs, conditions, size, both_ends=both_ends)
        return separate_pairs(asker, subsets, show, n_first=n_first)
    levels = []
    for places, is_allowed in tiers.groups(pairs):
        found = separate_level(
            asker,
            pairs[places],
            Lists.within(conditions, is_allowed),
            size,
            tiers=None,
            show=show,
            both_ends=both_ends,
            n_first=n_first,
        )
        levels.append((places, found))
    largest_p = np.zeros(len(pairs))
    for places, level in levels:
        largest_p[places] = level.largest_p
    width = max((level.given.shape[1] for _, level in levels), default=0)
    given = [_widened(level.given, width) for _, level in levels]
    return SeparatedPairs(
        np.concatenate([np.zeros(0, np.int64), *(places[level.separated] for places, level in levels)]),
        np.concatenate([np.zeros((0, width), np.int64), *given]),
        np.concatenate([np.zeros(0), *(level.p_value for _, level in levels)]),
        largest_p,
    )


def _widened(given: Positions, width: int) -> Positions:
    return np.pad(given, ((0, 0), (0, width - given.shape[1])), constant_values=-1)

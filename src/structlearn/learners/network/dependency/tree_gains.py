"""What each test of a tree gains, and tests that have to be there."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.kernels.leaves import Rule, is_enough, worth
from structlearn.scores.kernels.trees import midpoint
from structlearn.scores.tree_growth import GrownTree, Items

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def gains_by_parent(grown: GrownTree, items: Items, levels: Integers, rule: Rule) -> dict[int, float]:
    """What the tests of each parent add to the score, in nats, all of them together."""
    gains: dict[int, float] = {}
    for vertex, members in enumerate(_members(grown, items, levels)):
        parent = int(grown.parents[vertex])
        if parent < 0:
            continue
        first = int(grown.first[vertex])
        before, *after = (
            worth(grown.tallies[v], float(grown.shares[v]), rule) for v in (vertex, first, first + 1)
        )
        price = _price(items.points[parent, members], int(levels[parent]))
        gains[parent] = gains.get(parent, 0.0) + sum(after) - before - price
    return dict(sorted(gains.items()))


def with_required_tests(
    grown: GrownTree, items: Items, levels: Integers, required: list[int], rule: Rule
) -> GrownTree:
    """The tree with a test of each required parent: where it has none, at the leaf where it costs least."""
    for parent in required:
        if parent not in grown.parents:
            grown = _with_test(grown, items, levels, parent, rule)
    return grown


def _with_test(grown: GrownTree, items: Items, levels: Integers, parent: int, rule: Rule) -> GrownTree:
    members = _members(grown, items, levels)
    found = []
    for vertex in np.flatnonzero(grown.parents < 0).tolist():
        now = worth(grown.tallies[vertex], float(grown.shares[vertex]), rule)
        values = items.points[parent, members[vertex]]
        price = _price(values, int(levels[parent]))
        for at in _tests(values, int(levels[parent])):
            goes_first = _goes_first(values, at, int(levels[parent]))
            sides = [items.tallies[members[vertex][side]].sum(axis=0) for side in (goes_first, ~goes_first)]
            share = 0.5 * float(grown.shares[vertex])
            after = [worth(side, share, rule) for side in sides if is_enough(side, rule)]
            if len(after) == 2 and min(after) > -math.inf:
                found.append((sum(after) - now - price, -vertex, -at, sides))
    if not found:
        return grown
    gain, vertex, at, sides = max(found, key=lambda each: each[:3])
    return _split(grown, -vertex, (parent, -at, gain), sides)


def _split(grown: GrownTree, leaf: int, test: tuple[int, float, float], sides: list[Floats]) -> GrownTree:
    parents, at, first = grown.parents.copy(), grown.at.copy(), grown.first.copy()
    parents[leaf], at[leaf], gain = test
    first[leaf] = len(parents)
    half = 0.5 * grown.shares[leaf]
    return GrownTree(
        np.append(parents, [-1, -1]),
        np.append(at, [0.0, 0.0]),
        np.append(first, [0, 0]),
        np.vstack([grown.tallies, *sides]),
        np.append(grown.shares, [half, half]),
        grown.score + gain,
    )


def _members(grown: GrownTree, items: Items, levels: Integers) -> list[Integers]:
    """The items that come to each vertex; branches stand behind their test."""
    members = [np.arange(items.points.shape[1])] * len(grown.parents)
    for vertex, parent in enumerate(grown.parents.tolist()):
        if parent >= 0:
            here, first = members[vertex], int(grown.first[vertex])
            goes_first = _goes_first(items.points[parent, here], float(grown.at[vertex]), int(levels[parent]))
            members[first], members[first + 1] = here[goes_first], here[~goes_first]
    return members


def _goes_first(values: Floats, at: float, n_levels: int) -> NDArray[np.bool_]:
    return values == at if n_levels else values <= at


def _tests(values: Floats, n_levels: int) -> list[float]:
    present: list[float] = np.unique(values).tolist()
    if n_levels:
        return present
    return [midpoint(low, high) for low, high in pairwise(present)]


def _price(values: Floats, n_levels: int) -> float:
    """What it costs to say which threshold it is; one of a few states costs nothing."""
    return 0.0 if n_levels else math.log(max(len(np.unique(values)) - 1, 1))

"""The parents that nodes choose among those before them in an order."""

import math
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.families.family_rows import refuse_too_many
from structlearn.options import Configured, one_of, option, result
from structlearn.rounding import ENOUGH
from structlearn.search.orders.random_orders import Order
from structlearn.search.parent_sets import ParentSets
from structlearn.search.ranking import first_best
from structlearn.search.space import Space

Choosing = Literal["greedy", "exhaustive"]


class ParentChoice(Configured):
    """How a node chooses its parents along an order."""

    parents: Choosing = option(
        one_of(Choosing),
        "How each node chooses its parents among the nodes before it. It adds the best parent as long as one "
        "raises the score, or takes the best of all sets of at most `max_parents`, which gives the best DAG "
        "of the order.",
        default="greedy",
    )
    order_: tuple[str, ...] = result()


class Family(NamedTuple):
    """The parents of a node, and their score."""

    parents: list[int]
    score: float


class ParentChooser(Protocol):
    """A way to choose the parents of a node."""

    def choose(self, child: int, may_be_parent: NDArray[np.bool_]) -> Family:
        """The parents of a child, the required ones and some of those that may be."""


class GreedyParents:
    """Adds the best parent as long as one raises the score (Cooper and Herskovits)."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def choose(self, child: int, may_be_parent: NDArray[np.bool_]) -> Family:
        """The parents that one step after the other leads to."""
        limits, scores = self._space.limits, self._space.scores
        parents = np.flatnonzero(limits.frozen[child]).tolist()
        others = np.flatnonzero(may_be_parent & ~limits.closed[child] & ~limits.frozen[child])
        while len(others) and len(parents) < limits.most_parents[child]:
            gains = scores.gains_of(child, parents, others)
            best = first_best(gains)
            if gains[best] <= ENOUGH:
                break
            parents = sorted([*parents, int(others[best])])
            others = np.delete(others, best)
        return Family(parents, scores.local(child, parents))


class BestParents:
    """Takes the best of all sets that the limits allow."""

    def __init__(self, sets: ParentSets) -> None:
        self._sets = sets

    def choose(self, child: int, may_be_parent: NDArray[np.bool_]) -> Family:
        """The best parents; small sets, then first columns, win ties."""
        sets = self._sets.of(child)
        row = sets.best_within(may_be_parent)
        return Family(sets.parents(row), float(sets.scores[row]))


def chooser_for(space: Space, choosing: Choosing) -> ParentChooser:
    """The chooser of that name."""
    if choosing == "greedy":
        return GreedyParents(space)
    refuse_too_many(space)
    return BestParents(ParentSets(space))


class OrderFamilies:
    """The families of whole orders; what a node chooses among the same nodes is remembered."""

    def __init__(self, space: Space, choosing: Choosing) -> None:
        self._space = space
        self._chooser = chooser_for(space, choosing)
        self._known: dict[tuple[int, bytes], Family] = {}

    def of(self, order: Order) -> list[Family]:
        """The family of every node; once the run must stop, only what is required."""
        families: dict[int, Family] = {}
        is_before = np.zeros(len(order), dtype=np.bool_)
        for node in order.tolist():
            families[node] = self._family(node, is_before)
            is_before[node] = True
        return [families[node] for node in range(len(order))]

    def _family(self, node: int, is_before: NDArray[np.bool_]) -> Family:
        key = node, np.packbits(is_before).tobytes()
        if key not in self._known:
            if self._space.run.must_stop():
                required = np.flatnonzero(self._space.limits.frozen[node]).tolist()
                return Family(required, self._space.scores.local(node, required))
            self._known[key] = self._chooser.choose(node, is_before)
        return self._known[key]


def total(families: list[Family]) -> float:
    """The score of a DAG."""
    return math.fsum(family.score for family in families)

"""The parents that nodes choose among those before them in an order."""

import math
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.families.family_lists import best_row, members_of
from structlearn.learners.order.families.family_rows import refuse_too_many
from structlearn.learners.order.permutations.node_orders import Order
from structlearn.learners.score.climb import Limits
from structlearn.learners.score.parent_sets import ParentSets
from structlearn.learners.score.ranking import first_best
from structlearn.options import OneOf
from structlearn.rounding import ENOUGH
from structlearn.run import Run
from structlearn.scores import FamilyScores, Score
from structlearn.statistics import Statistics

Choosing = Literal["greedy", "exhaustive"]
CHOOSING = OneOf(("greedy", "exhaustive"), "how each node chooses its parents among the nodes before it")


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

    def __init__(self, scores: FamilyScores, limits: Limits) -> None:
        self._scores = scores
        self._limits = limits

    def choose(self, child: int, may_be_parent: NDArray[np.bool_]) -> Family:
        """The parents that one step after the other leads to."""
        limits, scores = self._limits, self._scores
        parents = np.flatnonzero(limits.frozen[child]).tolist()
        others = np.flatnonzero(may_be_parent & ~limits.closed[child] & ~limits.frozen[child])
        while len(others) and len(parents) < limits.max_parents:
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
        row = best_row(sets, may_be_parent)
        return Family(members_of(sets, row), float(sets.scores[row]))


def chooser_for(
    owner: str,
    choosing: Choosing,
    score: Score,
    scores: FamilyScores,
    statistics: Statistics,
    limits: Limits,
) -> ParentChooser:
    """The chooser of that name."""
    if choosing == "greedy":
        return GreedyParents(scores, limits)
    refuse_too_many(owner, limits)
    set_size = min(limits.max_parents, len(statistics.names))
    return BestParents(ParentSets(score, statistics, limits, set_size=set_size, candidates=None))


class OrderFamilies:
    """The families of whole orders; what a node chooses among the same nodes is remembered."""

    def __init__(self, chooser: ParentChooser, scores: FamilyScores, limits: Limits, run: Run) -> None:
        self._chooser = chooser
        self._scores = scores
        self._limits = limits
        self._run = run
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
            if self._run.must_stop():
                required = np.flatnonzero(self._limits.frozen[node]).tolist()
                return Family(required, self._scores.local(node, required))
            self._known[key] = self._chooser.choose(node, is_before)
        return self._known[key]


def total(families: list[Family]) -> float:
    """The score of a DAG."""
    return math.fsum(family.score for family in families)

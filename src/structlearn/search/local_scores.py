"""The parent sets of every node that a best DAG can be made of, as exact solvers take them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.naming import listed
from structlearn.search.limits import Limits
from structlearn.search.parent_sets import ParentSets, ScoredSets
from structlearn.search.space import Space


@dataclass(frozen=True, slots=True, eq=False)
class LocalScores:
    """For every node its parent sets with their scores, the best first.

    A set that scores no more than one of its subsets is left out: a DAG with the subset is as good.

    Attributes
    ----------
    names : tuple of str
        The nodes.
    sets : tuple of ScoredSets
        For each node `members`, a row of node numbers per set, filled up with −1, and `scores`, which
        fall from row to row. Every set has the required parents and none that is forbidden.
    """

    names: tuple[str, ...]
    sets: tuple[ScoredSets, ...]

    @property
    def n_families(self) -> int:
        """How many parent sets there are, of all nodes."""
        return sum(len(of_node.scores) for of_node in self.sets)

    @property
    def bound(self) -> float:
        """What no DAG scores more than: every node with its best parents, cycles or not."""
        return float(sum(of_node.scores[0] for of_node in self.sets))

    def parents(self, rows: list[int]) -> list[list[int]]:
        """The parents of every node, given the row of its set."""
        return [of_node.parents(row) for of_node, row in zip(self.sets, rows, strict=True)]

    def total(self, rows: list[int]) -> float:
        """The score of the DAG in which every node has the parents of its row."""
        return math.fsum(of_node.scores[row] for of_node, row in zip(self.sets, rows, strict=True))

    def score_of(self, parents: list[list[int]]) -> float:
        """The score of a DAG whose families are in the lists."""
        rows = []
        for of_node, members in zip(self.sets, parents, strict=True):
            is_parent = np.zeros(len(self.names), dtype=np.bool_)
            is_parent[members] = True
            rows.append(of_node.best_within(is_parent))
        return self.total(rows)

    def rows_along(self, order: Sequence[int]) -> list[int]:
        """The row of every node's best set among the nodes before it in an order; −1 where it has none."""
        rows = [-1] * len(order)
        is_before = np.zeros(len(order), dtype=np.bool_)
        for node in order:
            rows[node] = self.sets[node].best_within(is_before)
            is_before[node] = True
        return rows

    def among(self, nodes: NDArray[np.int64]) -> "LocalScores":
        """The sets of some nodes, without the members that are others."""
        names = tuple(self.names[node] for node in nodes.tolist())
        return LocalScores(
            names, tuple(self.sets[node].among(nodes, len(self.names)) for node in nodes.tolist())
        )

    def within(self, limits: Limits) -> "LocalScores":
        """The sets that limits without required arcs leave."""
        return LocalScores(self.names, tuple(_within(*node, limits) for node in enumerate(self.sets)))


@dataclass(slots=True)
class Branch:
    """What is paid for each of the first cuts, round by round; where that is not enough, two branches more.

    The first of the `parts` has the DAGs with an arc (parent, child), the second those without it.
    """

    rounds: list[NDArray[np.float64]] = field(default_factory=list)
    arc: tuple[int, int] | None = None
    parts: tuple["Branch", ...] = ()

    def all_rounds(self) -> Iterator[NDArray[np.float64]]:
        """Those of this branch, and of all that it has."""
        yield from self.rounds
        for part in self.parts:
            yield from part.all_rounds()


class PricedCuts(NamedTuple):
    """What proves a bound: cuts, and what is paid for them, branch by branch.

    A cut has the class of each node, −1 outside it, and a rank (see `rank_cuts.RankCut`).
    """

    classes: NDArray[np.int64]
    ranks: NDArray[np.int64]
    root: Branch


class Solution(NamedTuple):
    """A DAG, its score, what no DAG scores more than, and the cuts that prove it where a solver has them."""

    parents: list[list[int]]
    score: float
    bound: float
    cuts: PricedCuts | None = None


def score_all_families(space: Space) -> LocalScores | None:
    """Score every parent set that the limits allow; None where the run must stop before all are."""
    sets = ParentSets(space)
    lists = []
    for child, name in enumerate(space.names):
        if space.run.must_stop():
            return None
        space.run.show(f"families of {name}", child, space.n_nodes)
        of_child = sets.of(child)
        lists.append(of_child.where(of_child.scores > -math.inf))
    if space.run.must_stop():
        return None
    return LocalScores(space.names, tuple(lists))


def greedy_rows(lists: LocalScores) -> list[int]:
    """The rows of a DAG along an order in which the node that loses least comes next."""
    order: list[int] = []
    is_before = np.zeros(len(lists.names), dtype=np.bool_)
    while len(order) < len(lists.names):
        left = np.flatnonzero(~is_before).tolist()
        node = max(left, key=lambda node: _gain_within(lists.sets[node], is_before))
        if _gain_within(lists.sets[node], is_before) == -math.inf:
            raise DataError(
                "No DAG has a finite score: each of the columns "
                f"{listed([lists.names[other] for other in left])} has another of them in every parent set."
            )
        order.append(node)
        is_before[node] = True
    return lists.rows_along(order)


def _gain_within(of_node: ScoredSets, may_be_parent: NDArray[np.bool_]) -> float:
    row = of_node.best_within(may_be_parent)
    return -math.inf if row < 0 else float(of_node.scores[row] - of_node.scores[0])


def _within(node: int, of_node: ScoredSets, limits: Limits) -> ScoredSets:
    is_allowed = of_node.are_within(~limits.closed[node])
    return of_node.where(is_allowed & (of_node.sizes() <= limits.most_parents[node]))

"""The best DAG of given families, by integer linear programming."""

import heapq
import itertools
import math

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.exact.family_programme import Families, FamilyProgramme, Relaxation
from structlearn.learners.order.exact.rank_cuts import WHOLE, CutSearch, Mixture
from structlearn.rounding import slack
from structlearn.run import Run
from structlearn.search.local_scores import Branch, LocalScores, Solution

PATIENCE = 10  # rounds of cuts
LEAST_PROGRESS = 0.02  # of the gap, within that many rounds
Rows = NDArray[np.int64]


def solve(lists: LocalScores, initial: list[list[int]], run: Run) -> Solution:
    """The best DAG, or the best one found with a bound where the run must stop.

    A linear programme mixes the families of each node. What the mixture loses against the best families,
    every DAG loses too; so cuts that all DAGs keep are added where the mixture breaks them [1]_ [2]_, and
    families that cannot be in a DAG better than the best known one are left out. Where no more cuts are
    found, the search goes on with an arc and without it.

    References
    ----------
    .. [1] Jaakkola, Sontag, Globerson and Meila (2010), Learning Bayesian network structure using LP
       relaxations, AISTATS.
    .. [2] Bartlett and Cussens (2017), Integer linear programming for the Bayesian network structure
       learning problem, Artificial Intelligence 244.
    """
    best = _Best(lists, initial)
    if best.loss <= best.enough:
        return Solution(best.parents, best.score, best.score)
    return _Branches(lists, best, run).explore()


class _Best:
    """The best DAG known."""

    def __init__(self, lists: LocalScores, parents: list[list[int]]) -> None:
        self._lists = lists
        self.parents = parents
        self.score = lists.score_of(parents)
        self.loss = lists.bound - self.score
        self.enough = slack(abs(lists.bound) + self.loss)

    @property
    def enough_loss(self) -> float:
        """What a DAG that is better loses at most."""
        return self.loss - self.enough

    def learn_from(self, mixture: Mixture) -> None:
        """Try the best DAG along the order that a mixture suggests."""
        rows = self._lists.rows_along(_order_of(mixture.arc_weights(len(self._lists.names))))
        if -1 in rows or self._lists.total(rows) <= self.score:
            return
        self.parents, self.score = self._lists.parents(rows), self._lists.total(rows)
        self.loss = self._lists.bound - self.score


class _Branches:
    """Branch and bound over the DAGs of the lists, the branch with the least bound first."""

    def __init__(self, lists: LocalScores, best: _Best, run: Run) -> None:
        self._lists = lists
        self._best = best
        self._run = run
        self._n_nodes = len(lists.names)
        self._families = Families.of(lists)
        self._programme = FamilyProgramme(self._families, self._n_nodes, best.loss, run.must_stop)
        self._cuts = CutSearch(self._n_nodes)
        self._numbers = itertools.count()
        self._open: list[tuple[float, int, Rows, Branch]] = []
        self._leaves = math.inf
        self._root = Branch()

    def explore(self) -> Solution:
        """Follow the branches until none can be better than the best, or the run must stop."""
        self._push(0.0, np.arange(len(self._families.child)), self._root)
        while self._open and not self._run.must_stop():
            bound, _, rows, branch = heapq.heappop(self._open)
            if bound < self._best.enough_loss:
                self._follow(bound, rows, branch)
        return self._solution()

    def _follow(self, bound: float, rows: Rows, branch: Branch) -> None:
        """Close a branch, or part it in two."""
        found, bound, rows = self._tighten(bound, rows, branch)
        if bound >= self._best.enough_loss:
            return
        if self._run.must_stop():
            self._push(bound, rows, branch)
            return
        arcs = found.mixture.arc_weights(self._n_nodes)
        if _are_whole(arcs):  # a DAG, tried already
            self._leaves = min(self._leaves, bound)
            return
        arc = _most_in_doubt(arcs)
        branch.arc, branch.parts = arc, (Branch(), Branch())
        for part, rows_of_part in zip(branch.parts, self._parts(rows, *arc), strict=True):
            self._push(bound, rows_of_part, part)

    def _tighten(self, bound: float, rows: Rows, branch: Branch) -> tuple[Relaxation, float, Rows]:
        """Add cuts while they bring the bound nearer to the best DAG."""
        gaps: list[float] = []
        while True:
            found = self._programme.solve(rows)
            branch.rounds.append(found.prices)
            bound = max(bound, found.bound)
            self._best.learn_from(found.mixture)
            gaps.append(self._best.loss - bound)
            self._run.show(f"gap {self._best.loss - min(bound, self._least_open()):.6g}")
            if bound >= self._best.enough_loss or self._run.must_stop():
                return found, bound, rows
            rows = rows[found.bound + found.extra < self._best.enough_loss]
            can_part = not _are_whole(found.mixture.arc_weights(self._n_nodes))
            cuts = [] if can_part and _is_stuck(gaps) else self._cuts.broken_by(found.mixture)
            if not cuts:
                return found, bound, rows
            self._programme.add_cuts(cuts)

    def _parts(self, rows: Rows, parent: int, child: int) -> list[Rows]:
        """The families of DAGs with an arc, and of those without it."""
        families = self._families.take(rows)
        has_arc = (families.child == child) & np.any(families.members == parent, axis=1)
        is_against = (families.child == child) & ~has_arc
        is_against |= (families.child == parent) & np.any(families.members == child, axis=1)
        return [rows[~is_against], rows[~has_arc]]

    def _push(self, bound: float, rows: Rows, branch: Branch) -> None:
        if len(np.unique(self._families.child[rows])) == self._n_nodes:
            heapq.heappush(self._open, (bound, next(self._numbers), rows, branch))

    def _least_open(self) -> float:
        return min(self._leaves, self._open[0][0] if self._open else math.inf)

    def _solution(self) -> Solution:
        best = self._best
        is_closed = self._least_open() >= best.enough_loss
        bound = best.score if is_closed else self._lists.bound - self._least_open()
        return Solution(best.parents, best.score, bound, self._programme.priced_cuts(self._root))


def _are_whole(arcs: NDArray[np.float64]) -> bool:
    return bool(np.minimum(arcs, 1.0 - arcs).max() < WHOLE)


def _most_in_doubt(arcs: NDArray[np.float64]) -> tuple[int, int]:
    parent, child = divmod(int(np.abs(arcs - 0.5).argmin()), len(arcs))
    return parent, child


def _is_stuck(gaps: list[float]) -> bool:
    return len(gaps) > PATIENCE and gaps[-1] > (1.0 - LEAST_PROGRESS) * gaps[-1 - PATIENCE]


def _order_of(arcs: NDArray[np.float64]) -> list[int]:
    """An order with as little weight as can be seen on arcs against it."""
    order: list[int] = []
    left = arcs.sum(axis=0)
    while len(order) < len(arcs):
        node = int(left.argmin())
        order.append(node)
        left -= arcs[node]
        left[node] = math.inf
    return order

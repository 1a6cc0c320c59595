"""From a soft order to a DAG: an order, then the best parents of each column before it."""

from collections.abc import Iterator
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np

from structlearn.learners.regression.soft_order.children import Floats, SquaredChild
from structlearn.learners.regression.soft_order.relaxation import Mask, Relaxation, SoftProblem
from structlearn.numerics.best_subset import best_subsets
from structlearn.outcome import Outcome
from structlearn.rounding import slack
from structlearn.run import Run
from structlearn.search.space import Space

MOST_EXACT = 12  # candidates of which all subsets are ruled in or out: a noisy child takes 10 ms
MOST_TRIED = 4  # candidates of which all subsets are tried, where each takes a fit of its own
SAME_MASS = 6  # decimals: beyond, the solver's accuracy would order columns that are tied

Order = tuple[int, ...]


class Rounding:
    """The best DAGs along orders; what a column costs with given predecessors is remembered."""

    def __init__(self, problem: SoftProblem, run: Run) -> None:
        self._problem, self._run = problem, run
        self._known: dict[tuple[int, bytes], tuple[float, tuple[int, ...]]] = {}

    def cost(self, order: Order, before: Order = ()) -> float:
        """What the best DAG along an order costs, or a part of it after the columns before."""
        return sum(cost for cost, _ in self._along(order, before))

    def parents(self, order: Order) -> list[list[int]]:
        """The parents of each column in the best DAG along an order."""
        chosen = dict(zip(order, self._along(order), strict=True))
        return [sorted(chosen[child][1]) for child in range(len(order))]

    def swapped(self, order: Order) -> Order:
        """Swap neighbours of the order as long as that makes the DAG cheaper."""
        enough, improved = slack(self.cost(order)), True
        while improved and not self._run.must_stop():
            improved = False
            for place in range(len(order) - 1):
                before, (a, b), after = order[:place], order[place : place + 2], order[place + 2 :]
                if self._problem.is_required[a, b] or self._run.must_stop():
                    continue
                if self.cost((b, a), before) < self.cost((a, b), before) - enough:
                    order, improved = (*before, b, a, *after), True
        return order

    def _along(self, order: Order, before: Order = ()) -> Iterator[tuple[float, tuple[int, ...]]]:
        """What each column of an order costs, and its parents among those before it."""
        is_before = np.zeros(self._problem.n_columns, dtype=np.bool_)
        is_before[list(before)] = True
        for child in order:
            yield self._best(child, is_before)
            is_before[child] = True

    def _best(self, child: int, is_before: Mask) -> tuple[float, tuple[int, ...]]:
        key = child, is_before.tobytes()
        if key not in self._known:
            self._run.show(f"best parents along orders, {len(self._known):,} families")
            self._known[key] = self._selected(child, is_before)
        return self._known[key]

    def _selected(self, child: int, is_before: Mask) -> tuple[float, tuple[int, ...]]:
        problem = self._problem
        is_required = problem.is_required[:, child]
        always = tuple(np.flatnonzero(is_required).tolist())
        free = np.flatnonzero(is_before & problem.is_open[:, child] & ~is_required).tolist()
        if not free or self._run.must_stop():
            return self._cost_of(child, always), always
        regression = problem.children[child]
        if (
            isinstance(regression, SquaredChild)
            and regression.is_plain
            and not always
            and len(free) <= MOST_EXACT
        ):
            chosen = self._best_subset(regression, child, free)
            return self._cost_of(child, chosen), chosen
        if len(free) <= MOST_TRIED:
            sizes = range(len(free) + 1)
            sets = [always + more for n in sizes for more in combinations(free, n)]
            return min((self._cost_of(child, each), each) for each in sets)
        return self._grown(child, always, free)

    def _best_subset(self, regression: SquaredChild, child: int, free: list[int]) -> tuple[int, ...]:
        """A ridge is a larger Gram matrix, so the best columns are those of least squares."""
        problem = self._problem
        places = np.flatnonzero(np.isin(regression.group, free))
        gram = regression.gram[np.ix_(places, places)] + problem.ridge * np.eye(len(places))
        found = best_subsets(gram, regression.target[places], total=regression.total)
        chosen = found.penalised(float(problem.prices[free[0], child]))  # all are single numbers
        return tuple(int(regression.group[places[i]]) for i in chosen)

    def _grown(self, child: int, always: tuple[int, ...], free: list[int]) -> tuple[float, tuple[int, ...]]:
        """Add or drop the parent that helps most, as long as one does."""
        chosen, cost = always, self._cost_of(child, always)
        while True:
            others = [(*chosen, i) for i in free if i not in chosen]
            others += [tuple(i for i in chosen if i != out) for out in chosen if out not in always]
            costs = ((self._cost_of(child, each), each) for each in others if not self._run.must_stop())
            best = min(costs, default=(np.inf, chosen))
            if best[0] >= cost - slack(cost):
                return cost, chosen
            cost, chosen = best

    def _cost_of(self, child: int, parents: tuple[int, ...]) -> float:
        shares, chosen = np.zeros(self._problem.n_columns), list(parents)
        shares[chosen] = 1.0
        loss = self._problem.children[child].at(shares, self._run.must_stop)[0]
        return loss + float(self._problem.prices[chosen, child].sum())


def order_of(relaxation: Relaxation, problem: SoftProblem, noise: Floats | None = None) -> Order:
    """Columns with less before them first, ties by position; what is required comes first in any case."""
    off_diagonal = relaxation.precedence * (1.0 - np.eye(problem.n_columns))
    mass = off_diagonal.sum(axis=0).round(SAME_MASS) + (0.0 if noise is None else noise)
    n_required = problem.is_required.sum(axis=0)  # of those that are left
    ready, order = [(mass[j], j) for j in np.flatnonzero(n_required == 0).tolist()], list[int]()
    heapify(ready)
    while ready:
        _, chosen = heappop(ready)
        order.append(chosen)
        for child in np.flatnonzero(problem.is_required[chosen]).tolist():
            n_required[child] -= 1
            if not n_required[child]:
                heappush(ready, (mass[child], child))
    return tuple(order)


def without_choice(space: Space) -> Outcome:
    """The arcs that knowledge asks for, where there was no time for others."""
    parents = [np.flatnonzero(required).tolist() for required in space.limits.frozen]
    outcome = space.outcome(parents, {"cost": np.zeros(0)}, bound=0.0, cost=np.inf, gap=np.inf)
    nothing = np.zeros((space.n_nodes,) * 2)
    return replace(outcome, by_pair={"shares": nothing, "precedence": nothing})

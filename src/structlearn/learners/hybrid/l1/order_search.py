"""Search over orders in which each column chooses its parents, by an L1 path, from those before it."""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.hybrid.l1.families import L1Families, Members, Regressions
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.rounding import ENOUGH, is_better, slack
from structlearn.search.dags import graph_of
from structlearn.search.space import Space

Order = tuple[int, ...]


class L1OrderSearch:
    """Swaps neighbours in an order as long as the whole description gets shorter.

    `families` is what each column chooses from those before it.
    """

    def __init__(self, families: L1Families) -> None:
        self._families = families
        self._required = families.limits.frozen
        self._run = families.run
        self.trace: list[float] = []

    def parents(self, order: Order) -> list[Members]:
        """The parents of every node in an order."""
        chosen: list[Members] = [()] * len(order)
        for place, child in enumerate(order):
            chosen[child] = self._families.best(child, self._before(order, place)).members
        return chosen

    def cost(self, order: Order) -> float:
        """The length of the whole description."""
        return sum(self._cost_at(order, place) for place in range(len(order)))

    def improve(self, order: Order, *, tabu: int, patience: int) -> Order:
        """The best order met, by the best swap to an order that is not among the last `tabu`.

        KnownPairs after `patience` swaps in a row without a new best order; with no tabu list, where no swap
        is better.
        """
        best, cost = order, self.cost(order)
        least, n_idle = cost, 0
        visited: deque[Order] = deque(maxlen=tabu)
        self.trace.append(-cost)
        while n_idle < patience and not self._run.must_stop():
            visited.append(order)
            change, swapped = self._best_swap(order, visited)
            if swapped is None or (not tabu and change >= -slack(cost)):
                break
            order, cost = swapped, self.cost(swapped)
            self.trace.append(-cost)
            self._run.show(f"score {-least:.1f} after {len(self.trace)} orders")
            n_idle += 1
            if is_better(-cost, -least):
                best, least, n_idle = order, cost, 0
        return best

    def _best_swap(self, order: Order, visited: deque[Order]) -> tuple[float, Order | None]:
        """The swap after which the description is shortest, the first of several; by how much it changes."""
        change, found = np.inf, None
        for place in range(len(order) - 1):
            a, b = order[place], order[place + 1]
            swapped = (*order[:place], b, a, *order[place + 2 :])
            if self._required[b, a] or swapped in visited or self._run.must_stop():
                continue
            now = self._cost_at(swapped, place) + self._cost_at(swapped, place + 1)
            difference = now - self._cost_at(order, place) - self._cost_at(order, place + 1)
            if difference < change - ENOUGH:
                change, found = difference, swapped
        return change, found

    def _cost_at(self, order: Order, place: int) -> float:
        return self._families.best(order[place], self._before(order, place)).cost

    def _before(self, order: Order, place: int) -> NDArray[np.bool_]:
        before = np.zeros(len(order), dtype=np.bool_)
        before[list(order[:place])] = True
        return before


def search_orders(
    regressions: Regressions, space: Space, order: Order, *, tabu: int, patience: int
) -> Outcome:
    """The best DAG along the orders around another one."""
    families = L1Families(regressions, space.limits, space.run)
    search = L1OrderSearch(families)
    parents = search.parents(search.improve(order, tabu=tabu, patience=patience))
    costs = [families.cost(child, members) for child, members in enumerate(parents)]
    names = space.names
    return Outcome(
        graph=graph_of(names, parents),
        status=space.run.status,
        score=-float(sum(costs)),
        trace={"score": np.array(search.trace)},
        evidence={
            (names[parent], names[child]): EdgeEvidence(families.gain(child, members, parent))
            for child, members in enumerate(parents)
            for parent in members
        },
    )

"""The orders that a genetic search keeps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.families.order_families import OrderFamilies, total
from structlearn.rounding import is_better, slack
from structlearn.search.orders.random_orders import Order


class Individual(NamedTuple):
    """An order and the score of its DAG."""

    order: Order
    score: float


class OrderPopulation:
    """Distinct orders from the best to the worst, at most `size` of them."""

    def __init__(self, families: OrderFamilies, size: int) -> None:
        self.ranked: list[Individual] = []
        self._families = families
        self._size = size
        self._keys: set[bytes] = set()
        self._steps: list[tuple[float, float, float]] = []

    @property
    def n_added(self) -> int:
        """How many orders were scored."""
        return len(self._steps)

    @property
    def is_full(self) -> bool:
        """Whether a new order has to be better than the worst to stay."""
        return len(self.ranked) == self._size

    @property
    def is_level(self) -> bool:
        """Whether all orders score the same: nothing is left to select."""
        best, worst = self.ranked[0].score, self.ranked[-1].score
        return self.is_full and best - worst <= slack(best)

    def add(self, order: Order) -> bool:
        """Score an order and keep it if it is among the best; False if it was there already."""
        if order.tobytes() in self._keys:
            return False
        found = Individual(order, total(self._families.of(order)))
        if not self.is_full or is_better(found.score, self.ranked[-1].score):
            self._keep(found)
        scores = [one.score for one in self.ranked]
        self._steps.append((found.score, scores[0], sum(scores) / len(scores)))
        return True

    def trace(self) -> dict[str, NDArray[np.float64]]:
        """Of every order scored its "score", and the "best" and the "mean" of the population then."""
        columns = zip(*self._steps, strict=True)
        return {
            name: np.array(column) for name, column in zip(("score", "best", "mean"), columns, strict=True)
        }

    def _keep(self, found: Individual) -> None:
        if self.is_full:
            self._keys.remove(self.ranked.pop().order.tobytes())
        self._keys.add(found.order.tobytes())
        # Behind those that tie with it, up to rounding: which that favours depends on the order of the rows.
        place = sum(not is_better(found.score, one.score) for one in self.ranked)
        self.ranked.insert(place, found)

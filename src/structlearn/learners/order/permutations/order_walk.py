"""One walk over orders, from a start until it brings nothing better."""

from typing import NamedTuple

import numpy as np

from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.learners.order.kernels.order_walks import Walk, choose_all, go_on, refresh_swaps
from structlearn.run import Run
from structlearn.search.orders.random_orders import Order

FITS_PER_CALL = 200_000  # between two looks at the clock: too short to notice


class WalkRule(NamedTuple):
    """How to walk: by adjacent swaps or by insertions, how long a pair is tabu, when to give up."""

    only_swaps: bool
    tabu: int
    patience: int


def start_walk(rows: FamilyRows, order: Order) -> Walk:
    """A walk that has not left its start."""
    n = len(order)
    walk = Walk(
        order=order.copy(),
        position=np.empty(n, dtype=np.int64),
        chosen=np.empty(n, dtype=np.int64),
        swap_gains=np.empty(max(n - 1, 0)),
        tabu_until=np.zeros((n, n), dtype=np.int64),
        best_order=order.copy(),
        best_score=np.empty(1),
        counters=np.zeros(2, dtype=np.int64),
    )
    walk.best_score[0] = choose_all(rows, walk.order, walk.position, walk.chosen)
    refresh_swaps(rows, walk, 0, n)
    return walk


def best_order_from(rows: FamilyRows, start: Order, rule: WalkRule, run: Run) -> tuple[Order, float]:
    """The best order on a walk, and its score."""
    walk = start_walk(rows, start)
    fits_per_step = 4 if rule.only_swaps else max(len(start) ** 2, 1)
    n_steps = max(FITS_PER_CALL // fits_per_step, 1)
    while not run.must_stop() and go_on(rows, walk, *rule, n_steps):
        pass
    return walk.best_order, float(walk.best_score[0])


def best_rows(rows: FamilyRows, order: Order) -> list[int]:
    """The row of every node's best parents in an order; −1 where none fits."""
    position, chosen = np.empty((2, len(order)), dtype=np.int64)
    choose_all(rows, order, position, chosen)
    found: list[int] = chosen.tolist()
    return found

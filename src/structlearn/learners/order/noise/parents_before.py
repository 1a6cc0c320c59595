"""The parents of each column among those before it in an order."""

import numpy as np

from structlearn.learners.order.families.order_families import GreedyParents
from structlearn.numerics.lingam.linear import Order
from structlearn.rounding import ENOUGH
from structlearn.search.space import Space


def parents_before(space: Space, order: Order, n_placed: int) -> list[list[int]]:
    """Add the parent that raises the score most while one does, then drop what has become needless.

    Columns behind the first `n_placed` have no place of their own, and get only what is required. Once the
    run must stop, so do all that are left.
    """
    required = [np.flatnonzero(row).tolist() for row in space.limits.frozen]
    found, chooser = [*required], GreedyParents(space)
    is_before = np.zeros(len(order), dtype=np.bool_)
    for n_done, node in enumerate(order[:n_placed].tolist()):
        if space.run.must_stop():
            space.run.note(f"Parents were chosen for {n_done:,} of {len(order):,} columns.")
            break
        parents = chooser.choose(node, is_before).parents
        found[node] = needed(space, node, parents, required[node])
        is_before[node] = True
    return found


def needed(space: Space, child: int, parents: list[int], required: list[int]) -> list[int]:
    """Drop the parent that costs most while one costs more than it brings, but none that is required."""
    while True:
        losses = space.scores.losses(child, parents)
        free = [parent for parent in parents if parent not in required]
        least = min(free, key=lambda parent: losses[parent], default=None)
        if least is None or losses[least] > -ENOUGH:
            return parents
        parents = [parent for parent in parents if parent != least]

"""Orders of the nodes in which required parents come first."""

from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from structlearn.search.limits import Limits

Order = NDArray[np.int64]
Random = np.random.Generator


def parents_first(order: Order, required: NDArray[np.bool_]) -> Order:
    """The order, with nodes put off until the parents that they require have come.

    `required` has a row per child.
    """
    if not required.any():
        return order
    place = np.argsort(order)
    n_missing = required.sum(axis=1)
    ready = place[n_missing == 0].tolist()
    heapify(ready)
    found = []
    while ready:
        node = int(order[heappop(ready)])
        found.append(node)
        children = np.flatnonzero(required[:, node])
        n_missing[children] -= 1
        for child in children[n_missing[children] == 0]:
            heappush(ready, int(place[child]))
    return np.array(found, dtype=np.int64)


def random_order(limits: Limits, rng: Random) -> Order:
    """A random order with required parents first."""
    return parents_first(rng.permutation(len(limits.frozen)), limits.frozen)

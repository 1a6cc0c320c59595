"""Orders of the nodes in which required parents come first."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.options import Configured, Instance, OrNone, option
from structlearn.search.limits import Limits
from structlearn.search.space import Space

Order = NDArray[np.int64]
Random = np.random.Generator


class OrderStarted(Configured):
    """Where a search over orders begins."""

    initial: Graph | None = option(
        OrNone(Instance(Graph), "a random order"), "A DAG whose order is the first start.", default=None
    )


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


def order_of_graph(space: Space, initial: Graph) -> Order:
    """The nodes of a start graph, parents first."""
    names = space.names
    if set(initial.nodes) != set(names) or not initial.is_dag:
        raise OptionError(f"{space.owner}(initial=…): initial is a DAG over the columns, {', '.join(names)}.")
    return parents_first(_places(names, initial.topological_order()), space.limits.frozen)


def named_order(space: Space, order: Sequence[str]) -> Order:
    """The order that a person gave, if it names all nodes and has required parents first."""
    owner, names = space.owner, space.names
    if sorted(order) != sorted(names):
        raise OptionError(f"{owner}(order=…): the order names every column once: {', '.join(names)}.")
    found = _places(names, order)
    place = np.argsort(found)
    for child, parent in np.argwhere(space.limits.frozen):
        if place[parent] > place[child]:
            raise OptionError(
                f"{owner}(order=…): {names[parent]} → {names[child]} is required, but "
                f"{names[parent]!r} comes after {names[child]!r}. Put it before, or drop the required edge."
            )
    return found


def _places(names: Sequence[str], order: Sequence[str]) -> Order:
    column = {name: j for j, name in enumerate(names)}
    return np.array([column[name] for name in order], dtype=np.int64)

"""Orders of the nodes that a person gives."""

from collections.abc import Sequence

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.options import Configured, Instance, OrNone, option
from structlearn.search.orders.random_orders import Order, parents_first
from structlearn.search.space import Space


class OrderStarted(Configured):
    """Where a search over orders begins."""

    initial: Graph | None = option(
        OrNone(Instance(Graph), "a random order"), "A DAG whose order is the first start.", default=None
    )


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

"""Orders of the nodes that a person gives."""

from collections.abc import Sequence

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.options import Configured, Instance, OrNone, option
from structlearn.search.orders.random_orders import Order, parents_first
from structlearn.search.space import Space
from structlearn.search.starts import refuse_other_columns


class OrderStarted(Configured):
    """Where a search over orders begins."""

    initial: Graph | None = option(
        OrNone(Instance(Graph), "a random order"), "A DAG whose order is the first start.", default=None
    )


def order_of_graph(space: Space, initial: Graph) -> Order:
    """The nodes of a start graph, parents first."""
    refuse_other_columns(space, initial)
    return parents_first(_places(space, initial.topological_order()), space.limits.frozen)


def order_of_columns(space: Space, initial: Graph) -> Order:
    """The same, less contexts, as places among the columns."""
    columns, nodes = space.limits.columns, order_of_graph(space, initial)
    return np.searchsorted(columns, nodes[np.isin(nodes, columns)])


def named_order(space: Space, order: Sequence[str]) -> Order:
    """The order that a person gave, if it names all nodes and has required parents first."""
    owner, names, columns = space.owner, space.names, space.columns
    if sorted(order) != sorted(columns):
        raise OptionError(f"{owner}(order=…): the order names every column once: {', '.join(columns)}.")
    found = _places(space, order)
    place = np.argsort(found)
    for child, parent in np.argwhere(space.limits.frozen):
        if place[parent] > place[child]:
            raise OptionError(
                f"{owner}(order=…): {names[parent]} → {names[child]} is required, but "
                f"{names[parent]!r} comes after {names[child]!r}. Put it before, or drop the required edge."
            )
    return found


def _places(space: Space, order: Sequence[str]) -> Order:
    """Where the nodes of an order are, after the contexts, which act on them."""
    column = {name: j for j, name in enumerate(space.names)}
    return np.array([*space.limits.contexts, *(column[name] for name in order)], dtype=np.int64)

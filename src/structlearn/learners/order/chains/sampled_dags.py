"""DAGs drawn from a posterior distribution."""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.order.kernels.linear_extensions import count_orders_of_all
from structlearn.outcome import Pair
from structlearn.search.dags import graph_of

MOST_NODES_TO_COUNT = 20  # the orders of a DAG are counted subset by subset of its nodes


def refuse_to_count_orders(n_columns: int) -> None:
    """Refuse a table with more columns than the orders of a DAG are counted for."""
    if n_columns > MOST_NODES_TO_COUNT:
        raise OptionError(
            f"OrderMCMC(uniform_over='graphs'): the orders of a DAG are counted for at most "
            f"{MOST_NODES_TO_COUNT} columns, and there are {n_columns}. Use uniform_over='orders'."
        )


class SampledDAGs:
    """A sequence of DAGs, each with its weight.

    Parameters
    ----------
    names : tuple of str
        The nodes.
    parents : array of shape (n_samples, n_nodes, n)
        The parents of every node, filled up with −1.

    Attributes
    ----------
    weights : array
        The weights of the DAGs, which sum to 1.
    """

    def __init__(self, names: tuple[str, ...], parents: NDArray[np.int16]) -> None:
        self._names = names
        distinct, self._which, n_times = np.unique(parents, axis=0, return_inverse=True, return_counts=True)
        self._which = self._which.ravel()
        self._distinct = distinct
        self._n_times = n_times
        self.weights = np.full(len(parents), 1.0 / len(parents))

    def __len__(self) -> int:
        return len(self._which)

    def __repr__(self) -> str:
        return f"<SampledDAGs: {len(self)} of {len(self._names)} nodes, {len(self._distinct)} different>"

    def __getitem__(self, place: int) -> Graph:
        return self._graph(self._which[place])

    @property
    def effective_size(self) -> float:
        """How many draws of equal weight would be as good, were they independent."""
        return float(1.0 / np.sum(self.weights**2))

    def probability(self, has_feature: Callable[[Graph], bool]) -> float:
        """The weight of the DAGs that have a feature.

        Parameters
        ----------
        has_feature : callable
            Takes a Graph and answers True or False, such as ``lambda graph: "a" in graph.ancestors("b")``.
        """
        has_it = np.array([has_feature(self._graph(i)) for i in range(len(self._distinct))])
        return float(self.weights[has_it[self._which]].sum())

    def arc_probabilities(self) -> Mapping[Pair, float]:
        """The weight of the DAGs that have each arc, by (source, target)."""
        n = len(self._names)
        arcs = np.zeros((n, n))
        weight_of_distinct = np.bincount(self._which, weights=self.weights)
        for weight, dag in zip(weight_of_distinct, self._distinct, strict=True):
            children, places = np.nonzero(dag >= 0)
            arcs[children, dag[children, places]] += weight
        return ByArc(self._names, arcs)

    def reweigh_by_orders(self) -> None:
        """Divide the weights by the number of orders of each DAG, so that DAGs and not orders are alike."""
        bits = np.where(self._distinct >= 0, 1 << np.maximum(self._distinct, 0).astype(np.int64), 0)
        n_orders = np.empty(len(bits))
        count_orders_of_all(bits.sum(axis=2), n_orders)
        weights = 1.0 / n_orders[self._which]
        self.weights = weights / weights.sum()

    def _graph(self, i: int) -> Graph:
        return graph_of(self._names, [[u for u in row if u >= 0] for row in self._distinct[i].tolist()])


class ByArc(Mapping[Pair, float]):
    """A number of each arc by (source, target); those of thousands of columns are named when asked for.

    Parameters
    ----------
    names : tuple of str
        The nodes.
    values : array of shape (n_nodes, n_nodes)
        The numbers, with a row per child.
    """

    def __init__(self, names: tuple[str, ...], values: NDArray[np.float64]) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._values = values

    def __getitem__(self, arc: Pair) -> float:
        match arc:
            case (str(source), str(target)) if source != target:
                return float(self._values[self._places[target], self._places[source]])
        raise KeyError(arc)

    def __iter__(self) -> Iterator[Pair]:
        return permutations(self._places, 2)

    def __len__(self) -> int:
        return math.perm(len(self._places), 2)

    def __repr__(self) -> str:
        return repr(dict(self))

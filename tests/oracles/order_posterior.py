"""Posterior probabilities of arcs by their definitions: sums over all orders, or over all DAGs."""

import functools
import itertools
import math

from tests.oracles import best_dag


def by_orders(log_weights, n_nodes):
    """The log of the sum over all orders, and the probability of every arc (source, target).

    `log_weights` has the log weight of every family that is allowed, by (child, sorted parents).
    """
    total, arcs = 0.0, dict.fromkeys(itertools.permutations(range(n_nodes), 2), 0.0)
    shift = max(log_weights.values())
    sums = {
        (child, before): _sums(log_weights, shift, child, before)
        for child in range(n_nodes)
        for size in range(n_nodes)
        for before in itertools.combinations([v for v in range(n_nodes) if v != child], size)
    }
    for order in itertools.permutations(range(n_nodes)):
        of_nodes = [(v, sums[v, tuple(sorted(order[:place]))]) for place, v in enumerate(order)]
        weight = math.prod(sum_of_node for _, (sum_of_node, _) in of_nodes)
        if weight == 0.0:
            continue
        total += weight
        for child, (sum_of_node, with_parent) in of_nodes:
            for parent, part in with_parent.items():
                arcs[parent, child] += weight * part / sum_of_node
    return math.log(total) + n_nodes * shift, {arc: part / total for arc, part in arcs.items()}


def _sums(log_weights, shift, child, before):
    """The sum over the families of a child within the nodes before it, and over those with each parent."""
    total, with_parent = 0.0, dict.fromkeys(before, 0.0)
    for size in range(len(before) + 1):
        for parents in itertools.combinations(before, size):
            weight = math.exp(log_weights.get((child, parents), -math.inf) - shift)
            total += weight
            for parent in parents:
                with_parent[parent] += weight
    return total, with_parent


def by_dags(log_weights, n_nodes):
    """The same as a sum over all DAGs, each times the number of orders that agree with it."""
    total, arcs = 0.0, dict.fromkeys(itertools.permutations(range(n_nodes), 2), 0.0)
    for dag, n_orders in _orders_of_dags(n_nodes):
        weight = n_orders * math.exp(sum(log_weights[family] for family in enumerate(dag)))
        total += weight
        for child, parents in enumerate(dag):
            for parent in parents:
                arcs[parent, child] += weight
    return math.log(total), {arc: part / total for arc, part in arcs.items()}


@functools.cache
def _orders_of_dags(n_nodes):
    return [
        (dag, sum(_agrees(order, dag) for order in itertools.permutations(range(n_nodes))))
        for dag in best_dag.every_dag(n_nodes)
    ]


def _agrees(order, dag):
    return all(set(dag[child]) <= set(order[:place]) for place, child in enumerate(order))

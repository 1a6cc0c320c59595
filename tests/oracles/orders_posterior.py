"""Probabilities of orders and DAGs by adding up all of them, in plain Python."""

import itertools
import math


def subsets(members, most):
    for size in range(min(most, len(members)) + 1):
        yield from itertools.combinations(sorted(members), size)


def log_sum(terms):
    highest = max(terms)
    return highest + math.log(sum(math.exp(term - highest) for term in terms))


def log_weight(local, order, most):
    """The log of the product over nodes of summed weights of all parent sets among those before."""
    return sum(
        log_sum([local(node, parents) for parents in subsets(order[:place], most)])
        for place, node in enumerate(order)
    )


def arc_in_order(local, order, most, source, target):
    """The probability of an arc given an order."""
    before = order[: order.index(target)]
    terms = {parents: local(target, parents) for parents in subsets(before, most)}
    total = log_sum(list(terms.values()))
    return sum(math.exp(term - total) for parents, term in terms.items() if source in parents)


def arcs_over_orders(local, n_nodes, most):
    """The probability of every arc, averaged over all orders by their weights."""
    orders = list(itertools.permutations(range(n_nodes)))
    logs = [log_weight(local, order, most) for order in orders]
    total = log_sum(logs)
    return {
        (u, v): sum(
            math.exp(log - total) * arc_in_order(local, order, most, u, v)
            for order, log in zip(orders, logs, strict=True)
        )
        for u, v in itertools.permutations(range(n_nodes), 2)
    }


def best_of_order(local, order, most):
    """The best score of all DAGs that an order allows."""
    return sum(
        max(local(node, parents) for parents in subsets(order[:place], most))
        for place, node in enumerate(order)
    )


def n_orders(parents):
    """In how many orders all parents come first."""
    return sum(
        all(order.index(u) < order.index(v) for v, members in enumerate(parents) for u in members)
        for order in itertools.permutations(range(len(parents)))
    )

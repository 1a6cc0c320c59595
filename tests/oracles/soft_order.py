"""The mixed-integer problem behind a soft order, by going through all orders and all sets of parents."""

from itertools import combinations, permutations

import numpy as np


def cost_of_child(gram, child, parents, price, ridge):
    """Half the sum of squares that ridge regression leaves, its penalty and the price of its arcs."""
    if not parents:
        return 0.5 * gram[child, child]
    own = list(parents)
    inner = gram[np.ix_(own, own)] + ridge * np.eye(len(own))
    return 0.5 * (
        gram[child, child] - gram[own, child] @ np.linalg.solve(inner, gram[own, child])
    ) + price * len(own)


def cheapest_along(gram, order, price, ridge):
    """The least cost of a DAG whose arcs run along an order."""
    return sum(
        min(
            cost_of_child(gram, child, parents, price, ridge)
            for n in range(place + 1)
            for parents in combinations(order[:place], n)
        )
        for place, child in enumerate(order)
    )


def cheapest(gram, price, ridge):
    """The least cost of any DAG, and an order that it runs along."""
    return min((cheapest_along(gram, order, price, ridge), order) for order in permutations(range(len(gram))))

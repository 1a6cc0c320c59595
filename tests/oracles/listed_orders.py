"""Orders whose nodes take the best of listed parent sets, by their definition."""


def best_sets(lists, order):
    """For every node the first of its rows whose members all come before it."""
    found = {}
    for place, child in enumerate(order):
        before = set(order[:place])
        rows = range(lists.first[child], lists.first[child + 1])
        found[child] = next(
            row for row in rows if {m for m in lists.members[row].tolist() if m >= 0} <= before
        )
    return found


def score_of_order(lists, order):
    """The sum of their scores."""
    return sum(lists.scores[row] for row in best_sets(lists, order).values())


def orders_with(order, node):
    """The order with a node in every place, from the first to the last."""
    rest = [other for other in order if other != node]
    return [[*rest[:place], node, *rest[place:]] for place in range(len(order))]

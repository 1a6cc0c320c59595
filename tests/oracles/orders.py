"""Searches over orders by their definitions, in plain Python."""


def grown_parents(local, child, before):
    """The parents that greedy growing and then greedy shrinking takes from the nodes before a child.

    `local(child, parents)` scores a family. Ties go to the smallest node.
    """
    parents = ()
    while True:
        rest = [u for u in sorted(before) if u not in parents]
        best = max(rest, key=lambda u: local(child, (*parents, u)), default=None)
        if best is None or local(child, (*parents, best)) <= local(child, parents) + 1e-9:
            break
        parents = tuple(sorted((*parents, best)))
    while parents:
        smaller = [tuple(p for p in parents if p != out) for out in parents]
        best = max(smaller, key=lambda left: local(child, left))
        if local(child, best) <= local(child, parents) + 1e-9:
            break
        parents = best
    return parents


def score_of_order(local, order):
    """The score of the DAG in which every node grows its parents from those before it."""
    return sum(local(child, grown_parents(local, child, order[:place])) for place, child in enumerate(order))

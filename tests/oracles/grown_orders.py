"""Parents that grow and shrink greedily along an order: every family is scored by the score itself."""


def grow_shrink(local, child, allowed, required=(), most=99):
    """The score and the parents that greedy growing, then greedy shrinking, finds among the allowed nodes."""
    parents = list(required)

    def best_of(sets):
        return max(sets, key=lambda members: local(child, members))

    while len(parents) < most and (left := [u for u in allowed if u not in parents]):
        larger = best_of([[*parents, u] for u in left])
        if local(child, larger) <= local(child, parents) + 1e-9:
            break
        parents = larger
    while removable := [u for u in parents if u not in required]:
        smaller = best_of([[u for u in parents if u != gone] for gone in removable])
        if local(child, smaller) <= local(child, parents) + 1e-9:
            break
        parents = smaller
    return local(child, parents), set(parents)


def total(local, order):
    """The score of an order whose nodes all take parents so."""
    return sum(grow_shrink(local, y, order[:i])[0] for i, y in enumerate(order))

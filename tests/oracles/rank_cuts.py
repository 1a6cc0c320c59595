"""Rank cuts by their definition."""


def rank_of(nodes, classes, rank):
    """How many classes the nodes meet, but at most `rank`."""
    return min(rank, len({classes[node] for node in nodes if classes[node] >= 0}))


def rise(child, parents, classes, rank):
    """What a child adds to the rank of its parents."""
    return rank_of([child, *parents], classes, rank) - rank_of(parents, classes, rank)


def slack(mixture, classes, rank):
    """The weight of the families that raise the rank, less the rank of all nodes."""
    weights = [
        weight * rise(child, [m for m in members if m >= 0], classes, rank)
        for child, members, weight in zip(*(part.tolist() for part in mixture), strict=True)
    ]
    return sum(weights) - rank_of(range(len(classes)), classes, rank)

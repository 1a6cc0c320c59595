"""How genetic search makes new DAGs: at random, from two others, by mutation; and what mends them.

A graph is a matrix `arcs[child, parent]`; the limits say which arcs must, may and may not be there.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.kernels.genetic import break_cycles
from structlearn.search.ranking import first_best
from structlearn.search.space import Space

Arcs = NDArray[np.bool_]
Random = np.random.Generator
MEAN_DEGREE = 2.0  # of random DAGs: as few arcs as real networks have, so that repair is seldom needed


def random_arcs(n_nodes: int, rng: Random) -> Arcs:
    """A DAG along a random order, of two arcs at a node on average, one pair in two at most."""
    density = min(0.5, MEAN_DEGREE / max(n_nodes - 1, 1))
    place = rng.permutation(n_nodes)
    return (place[:, None] > place) & (rng.random((n_nodes, n_nodes)) < density)


def exchange_parents(mother: Arcs, father: Arcs, rng: Random) -> tuple[Arcs, Arcs]:
    """Exchange all parents of each node, or none, with equal chance."""
    is_exchanged = rng.random((len(mother), 1)) < 0.5
    return np.where(is_exchanged, father, mother), np.where(is_exchanged, mother, father)


def exchange_tails(mother: Arcs, father: Arcs, rng: Random) -> tuple[Arcs, Arcs]:
    """Cut both strings of arcs, which are sorted by source and target, at one place; exchange the ends."""
    n = len(mother)
    is_tail = (np.arange(n * n) >= rng.integers(n * n + 1)).reshape(n, n).T
    return np.where(is_tail, father, mother), np.where(is_tail, mother, father)


CROSSOVERS: dict[str, Callable[[Arcs, Arcs, Random], tuple[Arcs, Arcs]]] = {
    "parents": exchange_parents,
    "one-point": exchange_tails,
}


def by_rank(n_ranked: int, n_drawn: int, rng: Random) -> NDArray[np.intp]:
    """Draw places from the best, 0, to the worst: the best of m is m times as likely as the worst."""
    weights = np.arange(n_ranked, 0, -1)
    return rng.choice(n_ranked, size=n_drawn, p=weights / weights.sum())


def by_tournament(n_ranked: int, n_drawn: int, rng: Random) -> NDArray[np.intp]:
    """Draw two places and take the better, again and again."""
    winners: NDArray[np.intp] = rng.integers(n_ranked, size=(n_drawn, 2)).min(axis=1)
    return winners


SELECTIONS: dict[str, Callable[[int, int, Random], NDArray[np.intp]]] = {
    "rank": by_rank,
    "tournament": by_tournament,
}


def mutated(arcs: Arcs, rate: float, rng: Random) -> Arcs:
    """Each arc turned on or off with a given probability."""
    return arcs ^ (rng.random(arcs.shape) < rate)


def repaired(arcs: Arcs, space: Space) -> Arcs:
    """A DAG within the limits, made from any arcs by removing some, and adding those required.

    Of each cycle a random arc goes; of too many parents those that the score misses least.
    """
    limits = space.limits
    arcs = (arcs & ~limits.closed & ~np.eye(len(arcs), dtype=np.bool_)) | limits.frozen
    break_cycles(arcs, limits.frozen, space.rng.random(np.count_nonzero(arcs)))
    for child in np.flatnonzero(arcs.sum(axis=1) > limits.most_parents).tolist():
        _drop_least_useful(arcs, child, space)
    return arcs


def _drop_least_useful(arcs: Arcs, child: int, space: Space) -> None:
    limits, local = space.limits, space.scores.local
    while np.count_nonzero(arcs[child]) > limits.most_parents[child]:
        parents = np.flatnonzero(arcs[child]).tolist()
        free = [parent for parent in parents if not limits.frozen[child, parent]]
        if not free:
            return
        without = [local(child, [p for p in parents if p != left_out]) for left_out in free]
        arcs[child, free[first_best(np.array(without))]] = False

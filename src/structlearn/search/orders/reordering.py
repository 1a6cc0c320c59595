"""From where a climb ended, on along orders of the nodes, with the families that it has scored."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import ENOUGH, is_better
from structlearn.search.dag_state import DAGState
from structlearn.search.dags import parents_first
from structlearn.search.orders.best_of_all import best_arcs
from structlearn.search.orders.family_pool import FamilyPool, ScoredFamilies
from structlearn.search.orders.placed_order import PlacedOrder, foresee_walks
from structlearn.search.orders.random_orders import Order, random_order
from structlearn.search.space import Space

MOVED_NODES = 8  # by a shake, at most; as in BOSS
MOST_NODES = 64  # up to here a walk from a random order comes near the best one
# Over twenty renamings of ALARM, insurance, water and hailfinder, beside six walks without growing: the means
# rose by 18, 148, 15 and 14, the worst by 0, 292, 71 and 297, in 7 to 22 % more time. With one growth it took
# about as long as before, and the worst of hailfinder stayed where it was.
PATIENCE = 2  # walks in a row that bring nothing, the first of them from the best DAG itself
GROWTHS = 2  # how often the families of the last walk are grown then; of many nodes that takes too long
Climb = Callable[[DAGState], object]


def reorder(state: DAGState, shakes: int, climb: Climb) -> DAGState:
    """The best DAG found by climbs from shaken orders, each shaken until it brings nothing so often in a row.

    The order of the best DAG is shaken and then, with few nodes, a random one. Every node takes the best
    parents among those before it of which the score is known: those that the climbs have scored and, where
    that brings nothing more, these with one parent more or less. Where all families of a few nodes are
    scored, the best order of all takes the place of shaken ones.
    """
    space, n_fruitless = state.space, 0
    if space.scores.of_all is not None:
        end = state.copy()
        end.become(best_arcs(space.scores.of_all, space.limits))
        return end if is_better(end.score, state.score) else state
    are_few = space.n_nodes <= MOST_NODES
    growths_left = min(GROWTHS, shakes - 1) if are_few else 0
    foresee_walks(PATIENCE * (1 + growths_left), shakes, space.n_nodes)
    pool = FamilyPool(space, ())
    pool.keep([np.flatnonzero(row).tolist() for row in space.limits.frozen])
    climbed_from: set[bytes] = set()
    while not space.run.must_stop():
        pool.take(fresh_families(space))
        is_elsewhere = are_few and n_fruitless > 0
        start = random_order(space.limits, space.rng) if is_elsewhere else parents_first(state.parents())
        walk = _shaken(pool, np.array(start), space, shakes)
        arcs = walk.arcs()
        is_new = arcs.tobytes() not in climbed_from  # else a climb would end where it did, at no better
        climbed_from.add(arcs.tobytes())
        end = _climbed(state, arcs, climb) if is_new else state
        if is_better(end.score, state.score):
            state, n_fruitless = end, 0
            continue
        n_fruitless += 1
        if n_fruitless < PATIENCE:
            continue
        if not growths_left or not pool.grow(np.flatnonzero(walk.is_used)):
            break
        growths_left, n_fruitless = growths_left - 1, 0
    return state


def fresh_families(space: Space) -> Iterator[ScoredFamilies]:
    """The families scored since this was last asked that may be of use, the smaller ones first.

    The limits of the space allow them, and they are better than the required parents alone, which a node
    can always have.
    """
    limits = space.limits
    n_required = limits.frozen.sum(axis=1)
    least = space.scores.alone
    if n_required.any():
        required = [np.flatnonzero(row) for row in limits.frozen]
        least = np.array([space.scores.local(child, parents) for child, parents in enumerate(required)])
    for families, scores in space.scores.take_fresh():
        is_better_than_least = scores > least[families[:, 0]] + ENOUGH
        better, their_scores = families[is_better_than_least], scores[is_better_than_least]
        child, parents = better[:, 0], better[:, 1:]
        is_used = parents.shape[1] <= limits.most_parents[child]
        if limits.name_arcs:
            is_used &= ~limits.closed[child[:, None], parents].any(axis=1)
            is_used &= limits.frozen[child[:, None], parents].sum(axis=1) == n_required[child]
        if is_used.any():
            yield ScoredFamilies(better[is_used], their_scores[is_used])


def _shaken(pool: FamilyPool, start: Order, space: Space, shakes: int) -> PlacedOrder:
    walk = PlacedOrder(pool, start)
    walk.settle(space.rng, space.run)
    walk.shake(space.rng, space.run, shakes, MOVED_NODES)
    return walk


def _climbed(state: DAGState, arcs: NDArray[np.bool_], climb: Climb) -> DAGState:
    """Where a climb leads from other arcs; the state, where these are its own."""
    if (arcs == state.arcs).all():
        return state
    found = state.copy()
    found.become(arcs)
    climb(found)
    return found

"""How two orders, or several, make a new one (Larrañaga et al. 1996)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.search.orders.random_orders import Order, Random

Chosen = NDArray[np.bool_]
N_VOTERS = 4  # as few as can have a majority that is no tie
MAJORITY = 3


def partially_mapped(first: Order, second: Order, is_chosen: Chosen) -> Order:
    """The second order at the chosen places; elsewhere the first, its repeats replaced by what gave way."""
    place = np.argsort(second)
    child = np.where(is_chosen, second, first)
    for i in np.flatnonzero(~is_chosen):
        while is_chosen[place[child[i]]]:
            child[i] = first[place[child[i]]]
    return child


def cycle(first: Order, second: Order) -> Order:
    """The first order at the places of the cycle that starts at the first place, the second elsewhere."""
    place = np.argsort(first)
    child = second.copy()
    at = 0
    while child[at] != first[at]:
        child[at] = first[at]
        at = place[second[at]]
    return child


def ordered(first: Order, second: Order, is_chosen: Chosen) -> Order:
    """The first order at a run of chosen places; from there on, round the end, the rest as in the second."""
    end = int(np.flatnonzero(is_chosen)[-1]) + 1
    child = np.roll(first, -end)
    is_free = np.roll(~is_chosen, -end)
    rest = np.roll(second, -end)
    child[is_free] = rest[~np.isin(rest, first[is_chosen])]
    return np.roll(child, end)


def order_based(first: Order, second: Order, is_chosen: Chosen) -> Order:
    """The first order, with those at chosen places of the second put in the second's order."""
    moved = second[is_chosen]
    child = first.copy()
    child[np.isin(first, moved)] = moved
    return child


def position_based(first: Order, second: Order, is_chosen: Chosen) -> Order:
    """The second order at the chosen places, the rest filled up in the order of the first."""
    child = second.copy()
    child[~is_chosen] = first[~np.isin(first, second[is_chosen])]
    return child


def alternating(first: Order, second: Order) -> Order:
    """The nodes of both orders in turn, without repeats."""
    in_turn = np.column_stack([first, second]).ravel()
    return in_turn[np.sort(np.unique(in_turn, return_index=True)[1])]


def voting(parents: Sequence[Order], majority: int, rng: Random) -> Order:
    """What so many parents have at the same place stays there; the rest is filled at random."""
    n = len(parents[0])
    votes = np.zeros((n, n), dtype=np.int64)
    for parent in parents:
        votes[np.arange(n), parent] += 1
    child = np.where(votes.max(axis=1) >= majority, votes.argmax(axis=1), -1)
    child[child < 0] = rng.permutation(np.setdiff1d(np.arange(n), child))
    return child


def run_of_places(n: int, rng: Random) -> Chosen:
    """A random run of places, not empty."""
    low, high = np.sort(rng.choice(n + 1, size=2, replace=False))
    is_chosen = np.zeros(n, dtype=np.bool_)
    is_chosen[low:high] = True
    return is_chosen


def scattered_places(n: int, rng: Random) -> Chosen:
    """Each place with equal chance."""
    return rng.random(n) < 0.5


class Crossover(NamedTuple):
    """How many parents it takes, and what it makes of them."""

    n_parents: int
    make: Callable[[Sequence[Order], Random], Order]


def _at(
    combine: Callable[[Order, Order, Chosen], Order], choose: Callable[[int, Random], Chosen]
) -> Crossover:
    return Crossover(2, lambda both, rng: combine(both[0], both[1], choose(len(both[0]), rng)))


CROSSOVERS = {
    "order-based": _at(order_based, scattered_places),
    "order": _at(ordered, run_of_places),
    "partially-mapped": _at(partially_mapped, run_of_places),
    "position-based": _at(position_based, scattered_places),
    "cycle": Crossover(2, lambda both, _: cycle(both[0], both[1])),
    "alternating": Crossover(2, lambda both, _: alternating(both[0], both[1])),
    "voting": Crossover(N_VOTERS, lambda parents, rng: voting(parents, MAJORITY, rng)),
}

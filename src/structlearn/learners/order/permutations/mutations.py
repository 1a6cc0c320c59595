"""Small random changes of an order (Larrañaga et al. 1996)."""

from collections.abc import Callable

import numpy as np

from structlearn.search.orders.random_orders import Order, Random


def exchange(order: Order, rng: Random) -> Order:
    """Swap two nodes."""
    child = order.copy()
    two = rng.choice(len(order), size=2, replace=False)
    child[two] = child[two[::-1]]
    return child


def insertion(order: Order, rng: Random) -> Order:
    """Move one node."""
    return _displaced(order, *_one(order, rng), rng, is_reversed=False)


def displacement(order: Order, rng: Random) -> Order:
    """Move a block."""
    return _displaced(order, *_block(order, rng), rng, is_reversed=False)


def inverted_displacement(order: Order, rng: Random) -> Order:
    """Move a block and reverse it."""
    return _displaced(order, *_block(order, rng), rng, is_reversed=True)


def inversion(order: Order, rng: Random) -> Order:
    """Reverse a block."""
    low, high = _block(order, rng)
    child = order.copy()
    child[low:high] = order[low:high][::-1]
    return child


def scramble(order: Order, rng: Random) -> Order:
    """Shuffle a block."""
    low, high = _block(order, rng)
    child = order.copy()
    rng.shuffle(child[low:high])
    return child


MUTATIONS: dict[str, Callable[[Order, Random], Order]] = {
    "insertion": insertion,
    "exchange": exchange,
    "displacement": displacement,
    "inversion": inversion,
    "inverted-displacement": inverted_displacement,
    "scramble": scramble,
}


def _one(order: Order, rng: Random) -> tuple[int, int]:
    place = int(rng.integers(len(order)))
    return place, place + 1


def _block(order: Order, rng: Random) -> tuple[int, int]:
    """The ends of a block of two nodes or more."""
    low, high = np.sort(rng.choice(len(order), size=2, replace=False)).tolist()
    return low, high + 1


def _displaced(order: Order, low: int, high: int, rng: Random, *, is_reversed: bool) -> Order:
    block = order[low:high]
    rest = np.delete(order, np.arange(low, high))
    return np.insert(rest, int(rng.integers(len(rest) + 1)), block[::-1] if is_reversed else block)

"""Which rows a resample has: a function of the seed and its number alone."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
# The seed, the number of the draw and the number of rows give one or more sets of rows.
Draw = Callable[[int, int, int], list[Rows]]


def bootstrap(entropy: int, number: int, n_rows: int) -> list[Rows]:
    """As many rows as there are, drawn with replacement."""
    return [_generator(entropy, number).integers(n_rows, size=n_rows)]


def half(entropy: int, number: int, n_rows: int) -> list[Rows]:
    """Half of the rows, each at most once."""
    return complementary_halves(entropy, number, n_rows)[:1]


def complementary_halves(entropy: int, number: int, n_rows: int) -> list[Rows]:
    """Two halves without a row in common; an odd row is left out."""
    order = _generator(entropy, number).permutation(n_rows)
    size = n_rows // 2
    return [order[:size], order[size : 2 * size]]


def search_seed(entropy: int, number: int, part: int) -> int:
    """The seed of the search in one set of rows of a draw."""
    return int(np.random.SeedSequence(entropy, spawn_key=(number, part)).generate_state(1)[0])


def _generator(entropy: int, number: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(number,)))

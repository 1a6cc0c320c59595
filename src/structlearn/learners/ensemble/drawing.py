"""Which rows a resample has: a function of the seed and its number alone."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
# The seed, the number of the draw and the number of rows give one or more sets of rows.
Draw = Callable[[int, int, int], list[Rows]]
MOST_WITHOUT_REPLACEMENT = 10**9  # rows that numpy draws from; of more, each is in a half by a coin


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


def counts_drawn(draw: Draw, entropy: int, number: int, counts: Rows) -> list[Rows]:
    """How often each different row is drawn from a table that has it `counts` times: just as row by row."""
    generator, n_rows = _generator(entropy, number), int(counts.sum())
    if draw is bootstrap:
        return [generator.multinomial(n_rows, counts / n_rows)]
    if n_rows >= MOST_WITHOUT_REPLACEMENT:
        one = generator.binomial(counts, 0.5)
        halves = [one, counts - one]
    else:
        take = generator.multivariate_hypergeometric
        one = take(counts, n_rows // 2, method="marginals")
        halves = [one, take(counts - one, n_rows // 2, method="marginals")]
    return halves if draw is complementary_halves else halves[:1]


def times_drawn(draw: Draw, entropy: int, number: int, part: int, piece: int, n_rows: int) -> Rows:
    """How often each row of a piece of a table is drawn, whatever happens to other pieces.

    With replacement that is a Poisson number, as of very many rows. Halves are halves of every piece.
    """
    generator = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(number, piece)))
    if draw is bootstrap:
        return generator.poisson(1.0, n_rows)
    order, size, times = generator.permutation(n_rows), n_rows // 2, np.zeros(n_rows, dtype=np.int64)
    times[order[part * size : (part + 1) * size]] = 1
    return times


def search_seed(entropy: int, number: int, part: int) -> int:
    """The seed of the search in one set of rows of a draw."""
    return int(np.random.SeedSequence(entropy, spawn_key=(number, part)).generate_state(1)[0])


def _generator(entropy: int, number: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(number,)))

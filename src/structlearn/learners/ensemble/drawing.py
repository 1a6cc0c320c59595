"""Which rows a resample has: a function of the seed and its number alone."""

import math
from collections.abc import Callable
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import LARGEST_WHOLE

Rows = NDArray[np.int64]
Weights = NDArray[np.float64]
# The seed, the number of the draw and the number of rows give one or more sets of rows.
Draw = Callable[[int, int, int], list[Rows]]
MOST_WITHOUT_REPLACEMENT = 10**9  # rows that numpy draws from; of more, each is in a half by a coin


def bootstrap(entropy: int, number: int, n_rows: int) -> list[Rows]:
    """As many rows as there are, drawn with replacement."""
    return [_generator(entropy, number).integers(n_rows, size=n_rows)]


def once(entropy: int, number: int, n_rows: int) -> list[Rows]:
    """As many rows as `bootstrap` has different ones on average, each at most once."""
    return [_generator(entropy, number).permutation(n_rows)[: _n_once(n_rows)]]


def half(entropy: int, number: int, n_rows: int) -> list[Rows]:
    """Half of the rows, each at most once."""
    return complementary_halves(entropy, number, n_rows)[:1]


def complementary_halves(entropy: int, number: int, n_rows: int) -> list[Rows]:
    """Two halves without a row in common; an odd row is left out."""
    order = _generator(entropy, number).permutation(n_rows)
    size = n_rows // 2
    return [order[:size], order[size : 2 * size]]


def has_counts(weights: Weights | None) -> TypeGuard[Weights]:
    """Whether weights are whole numbers, so that each row stands for so many."""
    return weights is not None and not (weights % 1.0).any() and bool(weights.sum() <= LARGEST_WHOLE)


def counts_drawn(draw: Draw, entropy: int, number: int, counts: Rows) -> list[Rows]:
    """How often each different row is drawn from a table that has it `counts` times: just as row by row."""
    generator, n_rows = _generator(entropy, number), int(counts.sum())
    if draw is bootstrap:
        return [generator.multinomial(n_rows, counts / n_rows)]
    if draw is once:
        return [_taken(generator, counts, _n_once(n_rows))]
    halves = _halved(generator, counts)
    return halves if draw is complementary_halves else halves[:1]


def times_drawn(
    draw: Draw, entropy: int, number: int, part: int, piece: int, n_rows: int, weights: Weights | None = None
) -> NDArray[np.float64]:
    """How much each row of a piece of a table counts when it is drawn, whatever happens to other pieces.

    With replacement rows are drawn a Poisson number of times, as of very many rows. Shares are shares of
    every piece. A row with a whole weight is so many rows; other weights go along with their rows.
    """
    generator = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(number, piece)))
    if has_counts(weights):
        if draw is bootstrap:
            return generator.poisson(weights).astype(np.float64)
        counts = weights.astype(np.int64)
        if draw is once:
            return _taken(generator, counts, _n_once(int(counts.sum()))).astype(np.float64)
        return _halved(generator, counts)[part].astype(np.float64)
    if draw is bootstrap:
        times = generator.poisson(1.0, n_rows).astype(np.float64)
    else:
        order, times = generator.permutation(n_rows), np.zeros(n_rows)
        size = _n_once(n_rows) if draw is once else n_rows // 2
        times[order[part * size : (part + 1) * size]] = 1.0
    return times if weights is None else times * weights


def _halved(generator: np.random.Generator, counts: Rows) -> list[Rows]:
    """How often each different row is in two halves without a row in common."""
    n_rows = int(counts.sum())
    if n_rows >= MOST_WITHOUT_REPLACEMENT:
        one = generator.binomial(counts, 0.5)
        return [one, counts - one]
    one = _taken(generator, counts, n_rows // 2)
    return [one, _taken(generator, counts - one, n_rows // 2)]


def _taken(generator: np.random.Generator, counts: Rows, size: int) -> Rows:
    """How often each different row is among so many that are drawn without replacement."""
    return generator.multivariate_hypergeometric(counts, size, method="marginals")


def _n_once(n_rows: int) -> int:
    return math.ceil((1.0 - math.exp(-1.0)) * n_rows)


def search_seed(entropy: int, number: int, part: int) -> int:
    """The seed of the search in one set of rows of a draw."""
    return int(np.random.SeedSequence(entropy, spawn_key=(number, part)).generate_state(1)[0])


def _generator(entropy: int, number: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(number,)))

"""The scores of all families of a few columns, from one table of all of them.

A set of columns is a number with a bit for each of them.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.protocol import Score, SetScore, SetTerms
from structlearn.statistics import MemoryStatistics, Statistics

MOST_COLUMNS = 8  # 1,024 families
MOST_CELLS = 1 << 14  # of the table with all its margins: some 0.2 ms
MOST_ROWS = 20_000  # differences of the values of sets are off by 1e-10 then, a tenth of what counts
Sets = NDArray[np.int64]


def all_family_scores(score: Score, statistics: Statistics) -> NDArray[np.float64] | None:
    """The scores of all families, [child, set of parents]; None where they are many or no such sums.

    What is said of sets that have the child in them means nothing.
    """
    levels = statistics.levels.tolist()
    if not 1 < len(levels) <= MOST_COLUMNS or math.prod(n + 1 for n in levels) > MOST_CELLS or 0 in levels:
        return None
    if type(statistics) is not MemoryStatistics or statistics.weights is not None:
        return None
    if statistics.n_rows > MOST_ROWS or not isinstance(score, SetScore):
        return None
    terms = score.set_terms(statistics)
    if terms is None or terms.cells.depends_on_cells:
        return None
    return _differences(_values_of_sets(statistics, terms), levels, terms.price)


def toggled(n_columns: int) -> Sets:
    """Every set with each column put in, or taken out where it is there."""
    return np.arange(1 << n_columns)[:, None] ^ (1 << np.arange(n_columns))


def _values_of_sets(statistics: Statistics, terms: SetTerms) -> NDArray[np.float64]:
    n = len(statistics.names)
    counts = statistics.counts(range(n))
    for axis in range(n):
        counts = np.concatenate([counts, counts.sum(axis=axis, keepdims=True)], axis=axis)
    by_cell = terms.cells.of(1.0)[counts.ravel()]
    values: NDArray[np.float64] = np.bincount(_sets_of_cells(counts.shape), weights=by_cell, minlength=1 << n)  # type: ignore[assignment]  # of weights they are sums
    return values


@lru_cache(maxsize=8)
def _sets_of_cells(shape: tuple[int, ...]) -> Sets:
    """The columns that are not summed over in each cell: those that are have their last level."""
    sets = np.zeros(shape, dtype=np.int64)
    for axis, n_levels in enumerate(shape):
        kept = np.moveaxis(sets, axis, 0)[: n_levels - 1]
        kept += 1 << axis
    return sets.ravel()


def _differences(values: NDArray[np.float64], levels: list[int], price: float) -> NDArray[np.float64]:
    n = len(levels)
    n_states = np.ones(1)
    for n_levels in levels:
        n_states = np.concatenate([n_states, n_levels * n_states])
    with_child = np.arange(1 << n) | (1 << np.arange(n))[:, None]
    n_free = np.outer(np.array(levels) - 1.0, n_states)
    found: NDArray[np.float64] = values[with_child] - values - price * n_free
    return found

"""The scores of all families of a few columns: from one table of all of them, or one by one.

A set of columns is a number with a bit for each of them.
"""

import math
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.checked import checked_scores, no_score
from structlearn.scores.protocol import Families, Score, SetScore, SetTerms
from structlearn.statistics import Statistics

# 24,576 families, and some tens of milliseconds: a search takes longer, and may miss the best.
MOST_COLUMNS = 12
MOST_COUNTED = 8  # columns, where families are counted one by one: 0.1 s if 10,000 rows are mixed
MOST_CELLS = 600_000  # of the table with all its margins: 30 ms; 9 columns of three levels, or 12 of two
MOST_ROWS = 20_000  # that are counted: differences of sums are off by 1e-10 then, a tenth of what counts
Sets = NDArray[np.int64]


def all_family_scores(score: Score, statistics: Statistics) -> NDArray[np.float64] | None:
    """The scores of all families, [child, set of parents]; None where they are many, or the score is slow.

    What is said of sets that have the child in them means nothing.
    """
    levels = statistics.levels.tolist()
    if not 1 < len(levels) <= MOST_COLUMNS or not statistics.is_complete:
        return None
    is_quick = getattr(score, "is_quick", False)
    if any(levels):
        if statistics.size > MOST_ROWS or math.prod(n + 1 for n in levels) > MOST_CELLS:
            return None
        terms = score.set_terms(statistics) if all(levels) and isinstance(score, SetScore) else None
        if terms is not None:
            counts = statistics.counts(range(len(levels)))
            if counts.dtype.kind == "i" or not (counts % 1).any():  # weights may be fractions
                values = _values_of_sets(counts.astype(np.int64, copy=False), levels, terms)
                found = _differences(values, levels, terms.price)
                _refuse_no_numbers(score, statistics, found)
                return found
        is_quick &= len(levels) <= MOST_COUNTED
    return _one_by_one(score, statistics) if is_quick else None


def _refuse_no_numbers(score: Score, statistics: Statistics, found: NDArray[np.float64]) -> None:
    for child, parents in np.argwhere(~(found < np.inf)).tolist():
        if not parents >> child & 1:
            family = [child, *(column for column in range(len(found)) if parents >> column & 1)]
            raise no_score(score, statistics, family, found[child, parents])


def toggled(n_columns: int) -> Sets:
    """Every set with each column put in, or taken out where it is there."""
    return np.arange(1 << n_columns)[:, None] ^ (1 << np.arange(n_columns))


def _one_by_one(score: Score, statistics: Statistics) -> NDArray[np.float64]:
    n = len(statistics.names)
    found = np.zeros((n, 1 << n))
    for families, sets in _families_by_size(n):
        found[families[:, 0], sets] = checked_scores(score, statistics, families)
    return found


@lru_cache(maxsize=8)
def _families_by_size(n_columns: int) -> list[tuple[Families, Sets]]:
    """The families without parents, with one, and so on, and the sets of their parents."""
    nodes = range(n_columns)
    of_sizes = [
        np.array(
            [
                (child, *parents)
                for child in nodes
                for parents in combinations(nodes, size)
                if child not in parents
            ]
        )
        for size in nodes
    ]
    return [(families, (1 << families[:, 1:]).sum(axis=1)) for families in of_sizes]


def _values_of_sets(counts: NDArray[np.int64], levels: list[int], terms: SetTerms) -> NDArray[np.float64]:
    n = len(levels)
    for axis in range(n - 1, -1, -1):
        before = counts.reshape(math.prod(levels[:axis]), levels[axis], -1)
        counts = np.empty((before.shape[0], levels[axis] + 1, before.shape[2]), dtype=np.int64)
        counts[:, :-1] = before
        before.sum(axis=1, out=counts[:, -1])
    sets = _sets_of_cells(tuple(n_levels + 1 for n_levels in levels))
    by_cell = terms.cells.at(counts.ravel(), _n_states(levels)[sets])
    values: NDArray[np.float64] = np.bincount(sets, weights=by_cell, minlength=1 << n)  # type: ignore[assignment]  # of weights they are sums
    return values


def _n_states(levels: list[int]) -> NDArray[np.float64]:
    """How many joint states each set has."""
    n_states = np.ones(1)
    for n_levels in levels:
        n_states = np.concatenate([n_states, n_levels * n_states])
    return n_states


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
    with_child = np.arange(1 << n) | (1 << np.arange(n))[:, None]
    n_free = np.outer(np.array(levels) - 1.0, _n_states(levels))
    found: NDArray[np.float64] = values[with_child] - values - price * n_free
    return found

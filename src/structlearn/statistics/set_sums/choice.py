"""Which way to sum over the cells of all sets of columns of a table, if any."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import Statistics
from structlearn.statistics.set_sums.counted import CountedSums
from structlearn.statistics.set_sums.refined import RefinedSums
from structlearn.statistics.set_sums.sums import CellTerms, SetSums, numbers_of_cells

MOST_COUNTED = 5  # columns: tables of more have more cells than it takes steps to split groups of rows
MOST_CELLS = 2**14  # of the largest table, for the same reason
MOST_KEPT = 2**26  # cells of tables that are kept, 4 bytes each
MOST_SETS = 2**26  # of all sizes, 12 bytes each
MOST_TERMS = 2**24  # 8 bytes each


def set_sums_of(statistics: Statistics, largest: int, terms: CellTerms) -> SetSums | None:
    """The sums of all sets of up to so many columns; None where data or memory do not allow it."""
    if type(statistics) is not MemoryStatistics or statistics.weights is not None:
        return None
    levels, n = statistics.levels, len(statistics.names)
    n_sets = sum(math.comb(n, size) for size in range(largest + 1))
    most_kinds = MOST_TERMS / (statistics.n_rows + 1)
    n_kinds = len(numbers_of_cells(levels, largest, most_kinds)) if terms.depends_on_cells else 1
    if levels.min() == 0 or n_sets > MOST_SETS or n_kinds > most_kinds:
        return None
    in_largest = math.prod(np.sort(levels)[-largest:].tolist())
    is_small = (
        largest <= MOST_COUNTED and in_largest <= MOST_CELLS and _n_cells(levels, largest - 1) <= MOST_KEPT
    )
    return (CountedSums if is_small else RefinedSums)(statistics, largest, terms)


def _n_cells(levels: NDArray[np.int64], size: int) -> float:
    """How many cells the tables of all sets of so many columns have together."""
    of_sizes = np.zeros(size + 1)
    of_sizes[0] = 1.0
    for n_levels in levels:
        of_sizes[1:] += n_levels * of_sizes[:-1]
    return float(of_sizes[size])

"""What scores of discrete families share: their tables and how large they could be."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.kernels.discrete import parent_states
from structlearn.scores.protocol import Families
from structlearn.statistics import Counts, Statistics


class FamilyTables(NamedTuple):
    """Tables with the axes (stratum, child, last parent), as the kernels take them."""

    counts: Counts
    starts: NDArray[np.int64]
    strata: NDArray[np.int64]
    child_levels: NDArray[np.int64]
    parent_levels: NDArray[np.int64]


def family_tables(statistics: Statistics, families: Families) -> FamilyTables:
    """Count every family; one without parents has a last parent with a single level."""
    if families.shape[1] == 1:
        return _tables_without_parents(statistics, families[:, 0])
    # (other parents…, child, last parent): families that differ in their last parent
    # share all columns but the last, which is what makes them cheap.
    sets = np.concatenate([families[:, 1:-1], families[:, :1], families[:, -1:]], axis=1)
    tables = statistics.tables(sets)
    levels = statistics.levels
    return FamilyTables(tables.counts, tables.starts, tables.strata, levels[sets[:, -2]], levels[sets[:, -1]])


def n_parent_states(statistics: Statistics, families: Families) -> NDArray[np.float64]:
    """The number of joint states of the parents, whether or not they occur."""
    states = np.empty(len(families))
    parent_states(statistics.levels, families, states)
    return states


def _tables_without_parents(statistics: Statistics, children: NDArray[np.int64]) -> FamilyTables:
    counted: Counts = np.concatenate([statistics.counts([int(child)]) for child in children])
    levels = statistics.levels[children]
    ones = np.ones(len(children), dtype=np.int64)
    return FamilyTables(counted, np.cumsum(levels) - levels, ones, levels, ones)

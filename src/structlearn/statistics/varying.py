"""Columns that vary; what has a single value says nothing about any other column."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.protocol import HasRows, Statistics

FEW_COLUMNS = 500  # their moments take no longer than a look at the rows, and most methods want them
VALUES_AT_ONCE = 2**17  # of the rows: a megabyte
VISITS_OF_A_VALUE = 2.0  # that is looked at
Found = TypeVar("Found")


class RowsOfStatistics(HasRows, Statistics, Protocol):
    """A source that has both."""


def has_plain_rows(statistics: Statistics) -> TypeGuard[RowsOfStatistics]:
    """Whether a source hands out rows that are whole and count alike."""
    return isinstance(statistics, HasRows) and statistics.is_complete and statistics.rows([0]).weights is None


def constant_columns(statistics: RowsOfStatistics, columns: Sequence[int]) -> set[int]:
    """Those with a single value."""

    def look(some: Sequence[int]) -> list[int]:
        values = statistics.rows(some).values
        is_constant = values.min(axis=0) == values.max(axis=0)
        return [
            column for column, never_varies in zip(some, is_constant.tolist(), strict=True) if never_varies
        ]

    return {column for some in by_blocks(look, columns, statistics) for column in some}


def by_blocks(
    work: Callable[[Sequence[int]], Found], columns: Sequence[int], statistics: Statistics
) -> list[Found]:
    """What `work` finds in the columns, as many at once as stay in a cache; threads share the blocks."""
    width = max(VALUES_AT_ONCE // statistics.n_rows, 1)
    blocks = [columns[start : start + width] for start in range(0, len(columns), width)]
    found: dict[int, Found] = {}

    def go(some: slice) -> None:
        for at in range(some.start, some.stop):
            found[at] = work(blocks[at])

    cost = VISITS_OF_A_VALUE * statistics.n_rows * len(columns)
    in_blocks(go, len(blocks), cost=cost, n_jobs=statistics.n_jobs)
    return [found[at] for at in range(len(blocks))]


def are_constant(statistics: Statistics) -> NDArray[np.bool_]:
    """Which columns have a single value, and so say nothing about any other."""
    kinds = statistics.kinds
    if len(kinds) > FEW_COLUMNS and has_plain_rows(statistics):
        found = np.zeros(len(kinds), dtype=np.bool_)
        found[list(constant_columns(statistics, range(len(kinds))))] = True
        return found
    variances = np.diag(statistics.moments().covariance) if "continuous" in kinds else np.zeros(len(kinds))
    return np.array(
        [
            variances[j] == 0.0 if kind == "continuous" else np.count_nonzero(statistics.counts([j])) == 1
            for j, kind in enumerate(kinds)
        ]
    )


def n_varying(statistics: Statistics) -> int:
    """How many columns could have an edge; what never varies takes part in no choice, and costs nothing."""
    return max(int(np.count_nonzero(~are_constant(statistics))), 1)


def names_that_vary(statistics: Statistics) -> list[str]:
    """The columns that could have an edge."""
    return [name for name, idle in zip(statistics.names, are_constant(statistics), strict=True) if not idle]

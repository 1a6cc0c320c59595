"""Rows that stand in a table several times, as after a join or a file that was read twice."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Column, ContinuousColumn
from structlearn.data.kinds import are_whole
from structlearn.errors import warn

FEWEST_ROWS = 20  # that differ
MOST_COPIES = 20  # of each: a few rows that come again and again are categories
LEAST_SHARE = 0.05  # of different rows have copies: one or two soon do, and one of zeros many
MOSTLY = 0.9  # of different rows differ in a measurement: rounded ones repeat by themselves


def warn_of_copies(columns: Sequence[Column]) -> None:
    """Warn where many rows have copies, by at least two columns of measurements.

    A table with every row ten times has dependence wherever chance made a little of it.
    """
    measured = [
        column.values for column in columns if isinstance(column, ContinuousColumn) and column.exact is None
    ]
    first = next((values for values in measured if not are_whole(values)), None)
    if first is None or len(measured) < 2:
        return
    _, n_of_each = np.unique(first, return_counts=True)
    if len(n_of_each) < max(FEWEST_ROWS, first.size / MOST_COPIES) or not _have_copies(n_of_each):
        return
    _, n_of_rows = np.unique(np.column_stack(measured), axis=0, return_counts=True)
    if _have_copies(n_of_rows) and len(n_of_each) >= MOSTLY * len(n_of_rows):
        warn(
            f"{first.size - len(n_of_rows):,} of {first.size:,} rows are copies of others in all measured "
            "columns. Leave them out if they are the same cases again: among copies, chance looks like "
            "dependence. sl.Dataset(data, rows='independent') ends this warning."
        )


def _have_copies(n_of_each: NDArray[np.int64]) -> bool:
    return int(np.count_nonzero(n_of_each > 1)) > LEAST_SHARE * len(n_of_each)

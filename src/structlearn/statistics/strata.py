"""Numbering the joint states that occur."""

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.kernels import counting

CODES_PER_ROW = 8  # up to this many possible states per row, a table of them beats sorting


def number_strata(
    codes: NDArray[np.unsignedinteger], levels: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """The number of each row's joint state, and how many states occur, in mixed-radix order.

    `codes` has a row per column of the table; without any, all rows are in one stratum. States that
    do not occur are left out only when their number gets out of hand, and at the end.
    """
    numbers = np.zeros(codes.shape[1], dtype=np.int64)
    most = CODES_PER_ROW * numbers.size
    n_states = 1
    for column, n_levels in zip(codes, levels.tolist(), strict=True):
        if n_states * n_levels > most:
            n_states = counting.renumber(numbers, n_states)
        numbers *= n_levels
        numbers += column
        n_states *= n_levels
        if n_states > most:
            present, numbers[:] = np.unique(numbers, return_inverse=True)
            n_states = present.size
    return numbers, counting.renumber(numbers, n_states)


def states_of(
    codes: NDArray[np.unsignedinteger], numbers: NDArray[np.int64], n_strata: int
) -> NDArray[np.int64]:
    """The codes of each stratum, (n_strata, number of columns); rows with number -1 are in none."""
    example = np.zeros(n_strata, dtype=np.int64)
    rows = np.flatnonzero(numbers >= 0)
    example[numbers[rows]] = rows
    return codes[:, example].T.astype(np.int64)

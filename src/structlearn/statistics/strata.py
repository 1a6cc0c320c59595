"""Numbering the joint states that occur."""

import numpy as np
from numpy.typing import NDArray

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
            n_states = _renumber(numbers, n_states)
        numbers *= n_levels
        numbers += column
        n_states *= n_levels
        if n_states > most:
            present, numbers[:] = np.unique(numbers, return_inverse=True)
            n_states = present.size
    return numbers, _renumber(numbers, n_states)


def _renumber(codes: NDArray[np.int64], n_codes: int) -> int:
    """Replace codes below `n_codes` by 0, 1, … in their order, leaving out the absent ones."""
    is_there = np.zeros(n_codes, dtype=np.bool_)
    is_there[codes] = True
    places = is_there.cumsum() - 1
    codes[:] = places[codes]
    return int(places[-1]) + 1 if n_codes else 0


def states_of(
    codes: NDArray[np.unsignedinteger], numbers: NDArray[np.int64], n_strata: int
) -> NDArray[np.int64]:
    """The codes of each stratum, (n_strata, number of columns); rows with number -1 are in none."""
    example = np.zeros(n_strata, dtype=np.int64)
    rows = np.flatnonzero(numbers >= 0)
    example[numbers[rows]] = rows
    return codes[:, example].T.astype(np.int64)

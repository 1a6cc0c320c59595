"""Which parent sets fit into an order.

`position` has the place of every node in the order. The members of a set fit before a place where
their positions are smaller.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel

NONE = -1


class FamilyRows(NamedTuple):
    """The parent sets of child c, the best first, in the rows from `starts[c]` to `starts[c + 1]`.

    A row of `members` is a set, filled up with −1, and of `masks` the same set with a bit per node;
    `scores` has its score, which is finite, and `weights` its exp beside that of the child's best set.
    """

    starts: NDArray[np.int64]
    members: NDArray[np.int16]
    masks: NDArray[np.uint64]
    scores: NDArray[np.float64]
    weights: NDArray[np.float64]


@kernel
def fits(rows, row, position, limit):
    """Whether all members of a set have positions smaller than the limit."""
    for i in range(rows.members.shape[1]):
        member = rows.members[row, i]
        if member < 0:
            return True
        if position[member] >= limit:
            return False
    return True


def first_fit_of_lists(rows, child, position, limit, row):
    """What `first_fit` does, without a call for each set."""
    for place in range(row, rows.starts[child + 1] if row != NONE else row):
        for member in rows.members[place].tolist():
            if member >= 0 and position[member] >= limit:
                break
        else:
            return place
    return NONE


@kernel(instead=first_fit_of_lists)
def first_fit(rows, child, position, limit, row):
    """The first set of a child, from a row on, that fits before a limit, or NONE; from NONE on, NONE."""
    if row == NONE:
        return NONE
    while row < rows.starts[child + 1]:
        if fits(rows, row, position, limit):
            return row
        row += 1
    return NONE

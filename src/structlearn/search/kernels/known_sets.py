"""Families that were scored, found by their keys, with the best score of each and of its known subsets."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel
from structlearn.rounding import ENOUGH
from structlearn.search.kernels.climbing import find_slot


class KnownSets(NamedTuple):
    """A row for each family: its key, the best score, and whether that is its own and no subset's.

    Rows are found by the keys: `slots` has a power of two of them, −1 where there is none.
    """

    slots: NDArray[np.int64]
    keys: NDArray[np.uint64]
    most: NDArray[np.float64]
    stays: NDArray[np.bool_]

    @classmethod
    def empty(cls, n_rows: int) -> "KnownSets":
        """Room for so many, a power of two."""
        return cls(
            slots=np.full(2 * n_rows, -1, dtype=np.int64),
            keys=np.empty(n_rows, dtype=np.uint64),
            most=np.empty(n_rows),
            stays=np.empty(n_rows, dtype=np.bool_),
        )


@kernel
def find_all(keys, known, rows):
    """Write the row of each key, −1 where there is none."""
    for i in range(keys.size):
        rows[i] = known.slots[find_slot(known.slots, known.keys, keys[i])]


@kernel
def add_all(families, keys, scores, words, known, n_known, stays):
    """Note families of one size that are not known; returns how many are known then.

    A key less a parent is that of the family without, where the parent's word is taken out by XOR. `stays`
    says which families are new and score more than all of their subsets that are known.
    """
    for i in range(keys.size):
        stays[i] = False
        slot = find_slot(known.slots, known.keys, keys[i])
        if known.slots[slot] >= 0:
            continue
        below = -np.inf
        for place in range(1, families.shape[1]):
            key = keys[i] ^ words[families[i, place]]
            row = known.slots[find_slot(known.slots, known.keys, key)]
            if row >= 0:
                below = max(below, known.most[row])
        stays[i] = scores[i] > below + ENOUGH
        known.slots[slot] = n_known
        known.keys[n_known], known.most[n_known] = keys[i], max(below, scores[i])
        known.stays[n_known] = stays[i]
        n_known += 1
    return n_known

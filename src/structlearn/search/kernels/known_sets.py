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


def find_all_at_once(keys, known, rows):
    """What `find_all` does, a slot further for all keys that are not where they were looked for."""
    last = known.slots.size - 1
    slots = (keys & np.uint64(last)).astype(np.int64)
    rows[:] = known.slots[slots]
    wrong = np.flatnonzero((rows >= 0) & (known.keys[rows] != keys))
    while wrong.size:
        slots[wrong] = (slots[wrong] + 1) & last
        rows[wrong] = known.slots[slots[wrong]]
        wrong = wrong[(rows[wrong] >= 0) & (known.keys[rows[wrong]] != keys[wrong])]


@kernel(instead=find_all_at_once)
def find_all(keys, known, rows):
    """Write the row of each key, −1 where there is none."""
    for i in range(keys.size):
        rows[i] = known.slots[find_slot(known.slots, known.keys, keys[i])]


def add_all_of_lists(families, keys, scores, words, known, n_known, stays):
    """What `add_all` does, by a dictionary and lists of Python's own."""
    rows = {key: row for row, key in enumerate(known.keys[:n_known].tolist())}
    most, words, last = known.most[:n_known].tolist(), words.tolist(), known.slots.size - 1
    stays[:] = False
    found = zip(families.tolist(), keys.tolist(), scores.tolist(), strict=True)
    for i, ((_, *parents), key, score) in enumerate(found):
        if key in rows:
            continue
        smaller = [key ^ words[parent] for parent in parents]
        below = max((most[rows[less]] for less in smaller if less in rows), default=-np.inf)
        slot = key & last
        while known.slots[slot] >= 0:
            slot = (slot + 1) & last
        rows[key] = known.slots[slot] = n_known
        most.append(max(below, score))
        stays[i] = score > below + ENOUGH
        known.keys[n_known], known.most[n_known], known.stays[n_known] = key, most[-1], stays[i]
        n_known += 1
    return n_known


@kernel(instead=add_all_of_lists)
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

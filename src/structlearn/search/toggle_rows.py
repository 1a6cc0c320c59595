"""What one parent more or less does to each family that a search has come to."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.scores import FamilyScores
from structlearn.scores.all_families import toggled
from structlearn.scores.families import gained
from structlearn.search.counted_families import CountedFamilies
from structlearn.search.kernels.climbing import Rows, find_slot

FEWEST_ROWS, FIRST_ROWS = 32, 512
MOST_BYTES = 64 * 2**20  # the gains of 30,000 families among 223 columns; then all are forgotten


class ToggleRows:
    """Rows of gains by the keys of families, for kernels to look up; `rows` has them as arrays."""

    def __init__(self, scores: FamilyScores) -> None:
        self._scores = scores
        self._sizes = np.zeros(2, dtype=np.int64)  # rows, and families that a kernel has scored
        self._most = max(FEWEST_ROWS, MOST_BYTES // (9 * max(scores.n_nodes, 1)))
        first = min(FIRST_ROWS, self._most)
        self.rows = self._empty(first) if scores.of_all is None else self._all(scores.of_all)
        self.counted = CountedFamilies.of(scores, self._sizes) if scores.of_all is None else None

    @property
    def _n_known(self) -> int:
        return int(self._sizes[0])

    @_n_known.setter
    def _n_known(self, n_rows: int) -> None:
        self._sizes[0] = n_rows

    def add(self, key: np.uint64, child: int, parents: list[int]) -> None:
        """Find out what there is to know of a family that has no row, short of scoring more of them."""
        if self._n_known == len(self.rows.keys):
            self._make_room()
        rows, row = self.rows, self._n_known
        rows.gains[row], rows.is_bound[row] = self._scores.toggles_at_most(child, parents)
        rows.scores[row] = self._scores.local(child, parents)
        self._place(key)

    def settle(self, key: np.uint64, others: NDArray[np.int64], gains: NDArray[np.float64]) -> None:
        """Replace bounds of a family by gains."""
        row = self.rows.slots[find_slot(self.rows.slots, self.rows.keys, key)]
        if row >= 0:
            self.rows.gains[row, others] = gains
            self.rows.is_bound[row, others] = False

    def _all(self, of_all: NDArray[np.float64]) -> Rows:
        slots, keys, child, parents = _all_families(self._scores.n_nodes)
        self._n_known = len(keys)
        rows, own = np.arange(self._n_known), of_all[child, parents]
        gains = gained(of_all[child[:, None], toggled(self._scores.n_nodes)[parents]], own[:, None])
        gains[rows, child] = 0.0
        return Rows(slots.copy(), keys, own, gains, np.zeros(gains.shape, dtype=np.bool_))

    def _place(self, key: np.uint64) -> None:
        self.rows.keys[self._n_known] = key
        self.rows.slots[find_slot(self.rows.slots, self.rows.keys, key)] = self._n_known
        self._n_known += 1

    def _make_room(self) -> None:
        old, n_known = self.rows, self._n_known
        self._n_known = 0
        if n_known >= self._most:
            old.slots[:] = -1
            return
        self.rows = self._empty(min(2 * n_known, self._most))
        for new, known in zip(self.rows[2:], old[2:], strict=True):
            new[:n_known] = known
        for key in old.keys:
            self._place(key)

    def _empty(self, n_rows: int) -> Rows:
        n = self._scores.n_nodes
        return Rows(
            slots=np.full(1 << (2 * n_rows).bit_length(), -1, dtype=np.int64),
            keys=np.zeros(n_rows, dtype=np.uint64),
            scores=np.zeros(n_rows),
            gains=np.zeros((n_rows, n)),
            is_bound=np.zeros((n_rows, n), dtype=np.bool_),
        )


@lru_cache(maxsize=2)
def arc_keys(n_nodes: int) -> NDArray[np.uint64]:
    """A random word per arc; a family's key is the XOR of its arcs' and that at [child, child]."""
    # With a bit to spare: a compiled kernel hands a key to an interpreted one as a number of Python's.
    return np.random.default_rng(0).integers(2**63, size=(n_nodes, n_nodes), dtype=np.uint64)


@lru_cache(maxsize=8)
def _all_families(n_nodes: int) -> tuple[NDArray[Any], ...]:
    """All families of a few nodes: slots, keys, children and sets of parents."""
    words, parents = arc_keys(n_nodes), np.arange(1 << n_nodes)
    has_bit = parents[:, None] >> np.arange(n_nodes) & 1 == 1
    child, parents = np.nonzero(~has_bit.T)
    keys = np.bitwise_xor.reduce(np.where(has_bit[parents], words[child], np.uint64(0)), axis=1)
    keys ^= words[child, child]
    slots = np.full(1 << (2 * len(keys)).bit_length(), -1, dtype=np.int64)
    for row, key in enumerate(keys):
        slots[find_slot(slots, keys, key)] = row
    return slots, keys, child, parents

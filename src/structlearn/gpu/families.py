"""Families of up to three parents that no smaller one beats, on a card; `search/parent_sets.py` is the twin.

A value for each set of up to four columns stays in the card's memory, and scores of families are differences
of two. Of these only the useful ones come back, a child at a time.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cuda
from structlearn.rounding import slack
from structlearn.run import MustStop

Values = NDArray[np.float64]
Numbers = NDArray[np.int64]
MOST_PARENTS = 3
MOST_LEVELS = 16
FEWEST_SETS = 100_000  # below, the processor is done before the card has started
N_THREADS = 64  # columns before a given one are some tens to hundreds: a larger block would be idle
PAIRS_AT_ONCE = 1 << 13  # between two looks at the clock: some tenths of a second
MOST_KEPT = 1 << 20  # families of a child at first; more are counted, and kept in a second round


class Terms(NamedTuple):
    """What cells add to the value of a set, a row for each number of cells, and the price of a parameter."""

    n_cells: Values
    of_counts: Values
    price: float


def bytes_needed(levels: Numbers, n_rows: int, largest: int) -> int:
    """The card's memory that values of all sets take, the tables of pairs and triples, and the masks."""
    p, most = len(levels), int(levels.max())
    values = sum(8 * math.comb(p, size) for size in range(largest + 1))
    tables: int = sum(4 * math.comb(p, size) * most**size for size in range(2, largest))
    masks = 8 * p * most * math.ceil(n_rows / 64)
    return values + tables + masks + 16 * MOST_KEPT


class FamiliesOnCard:
    """The values of all sets of up to `largest` columns, two to four, and the families they tell.

    `masks` has a bit per row for each level of each column, and `first_mask` where those of a column start;
    `alone` are the values of the empty set and of single columns.
    """

    def __init__(
        self,
        masks: NDArray[np.uint64],
        first_mask: Numbers,
        levels: Numbers,
        terms: Terms,
        alone: tuple[float, Values],
        largest: int,
    ) -> None:
        self._cuda = load_cuda()
        self._levels, self._terms, self._alone, self._largest = levels, terms, alone, largest
        self._there = {
            "masks": self._cuda.to_device(_side_by_side(masks, first_mask, levels)),
            "levels": self._cuda.to_device(levels),
            "pairs": self._cuda.to_device(_pairs(len(levels))),
        }
        self._sums: list[Any] = []
        self._sums_of_pairs = np.empty(0)

    def sum_sets(self, must_stop: MustStop) -> bool:
        """Find the values of all sets; False where it must stop before."""
        from structlearn.gpu.kernels import families  # noqa: PLC0415, needs CUDA

        there, p, most = self._there, len(self._levels), int(self._levels.max())
        terms = [self._cuda.to_device(part) for part in self._terms[:2]]
        how = there["masks"], there["levels"], *terms
        sizes = range(2, self._largest + 1)
        self._sums = [self._cuda.device_array(math.comb(p, size), np.float64) for size in sizes]
        tables = [self._tables(size, most) for size in sizes if size <= MOST_PARENTS]
        families.sum_pairs[p, N_THREADS](*how, most, tables[0], self._sums[0])
        self._sums_of_pairs = self._sums[0].copy_to_host()
        n_pairs = math.comb(p, 2)
        if self._largest > 2:
            launch = families.sum_triples[n_pairs, N_THREADS]
            launch(there["pairs"], *how, most, tables[0], tables[1], self._sums[1])
        for first in range(0, n_pairs, PAIRS_AT_ONCE) if self._largest > MOST_PARENTS else ():
            self._cuda.synchronize()
            if must_stop():
                return False
            grid = min(PAIRS_AT_ONCE, n_pairs - first), p
            kernel = families.quadruple_kernel(most)
            kernel[grid, N_THREADS](there["pairs"], first, *how, tables[1], self._sums[2])
        return not must_stop()

    def useful(self, child: int, free: Numbers, n_free: int) -> Iterator[tuple[Numbers, Values]]:
        """The sets of each size that score more than their subsets: positions among `free`, and scores."""
        empty, alone = self._alone
        price, levels = self._terms.price * (self._levels[child] - 1), self._levels
        none = float(alone[child] - empty - price)
        yield np.zeros((1, 0), dtype=np.int64), np.array([none])
        if not n_free:
            return
        lower, upper = np.minimum(free, child), np.maximum(free, child)
        scores = self._sums_of_pairs[upper * (upper - 1) // 2 + lower] - alone[free] - price * levels[free]
        is_kept = scores > none + slack(none)
        yield np.flatnonzero(is_kept)[:, None], scores[is_kept]
        if n_free > 1:
            yield from self._useful_sets(child, free, np.maximum(scores, none), n_free)

    def _useful_sets(
        self, child: int, free: Numbers, best: Values, n_free: int
    ) -> Iterator[tuple[Numbers, Values]]:
        """Those of two and three parents."""
        from structlearn.gpu.kernels import families  # noqa: PLC0415, needs CUDA

        there, n = self._there["levels"], len(free)
        how = child, self._cuda.to_device(free), there, self._terms.price
        best1, best2 = self._cuda.to_device(best), self._cuda.device_array(math.comb(n, 2), np.float64)
        launch = families.keep_pairs[n, N_THREADS]
        ranks, scores = self._kept(launch, *how, self._sums[0], self._sums[1], best1, best2)
        yield _positions(ranks, n, 2), scores
        if n_free > 2:
            launch = families.keep_triples[math.comb(n, 2), N_THREADS]
            ranks, scores = self._kept(
                launch, self._there["pairs"], *how, self._sums[1], self._sums[2], best2
            )
            yield _positions(ranks, n, 3), scores

    def _kept(self, launch: Any, *arguments: Any) -> tuple[Numbers, Values]:
        """What a kernel keeps, in the order of ranks."""
        most = MOST_KEPT
        while True:
            counter = self._cuda.to_device(np.zeros(1, dtype=np.int64))
            ranks, scores = (self._cuda.device_array(most, kind) for kind in (np.int64, np.float64))
            launch(*arguments, counter, ranks, scores)
            n_kept = int(counter.copy_to_host()[0])
            if n_kept <= most:
                break
            most = n_kept
        found = ranks[:n_kept].copy_to_host(), scores[:n_kept].copy_to_host()
        order = np.argsort(found[0])
        return found[0][order], found[1][order]

    def _tables(self, size: int, most: int) -> Any:
        return self._cuda.device_array((math.comb(len(self._levels), size), most**size), np.int32)


def _side_by_side(masks: NDArray[np.uint64], first_mask: Numbers, levels: Numbers) -> NDArray[np.uint64]:
    """The masks as the kernels read them: of one word, all columns at the first level, then at the next."""
    p = len(levels)
    found = np.zeros((masks.shape[1], int(levels.max()) * p), dtype=np.uint64)
    for column, (first, n_levels) in enumerate(zip(first_mask.tolist(), levels.tolist(), strict=True)):
        found[:, column : column + n_levels * p : p] = masks[first : first + n_levels].T
    return found


def _pairs(n: int) -> Numbers:
    """All pairs of the first numbers, in the order of ranks: those of fewer numbers come first."""
    upper, lower = np.tril_indices(n, -1)
    return np.column_stack([lower, upper])


def _positions(ranks: Numbers, n: int, size: int) -> Numbers:
    """The members of sets with these ranks, rising."""
    members = np.empty((len(ranks), size), dtype=np.int64)
    left = ranks.copy()
    for place in range(size, 0, -1):
        binomials = np.array([math.comb(number, place) for number in range(n + 1)])
        members[:, place - 1] = np.searchsorted(binomials, left, side="right") - 1
        left -= binomials[members[:, place - 1]]
    return members

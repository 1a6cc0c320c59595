"""The best DAG of given families, by dynamic programming over the subsets of the nodes."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu import subsets as on_cards
from structlearn.learners.order.kernels import subsets
from structlearn.rounding import slack
from structlearn.run import Run
from structlearn.search.local_scores import LocalScores, Solution
from structlearn.search.parent_sets import drop_bit
from structlearn.statistics.blocks import in_blocks

N_LOW = 16  # nodes whose subsets make a block: its tables stay in the cache
BLOCKS_AT_ONCE = 32  # between two looks at the clock: about half a second
Totals = NDArray[np.float64]
Some = Callable[[Totals, NDArray[np.int64]], Totals]  # some of the totals, wherever they are
Packed = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def bytes_needed(n_nodes: int) -> int:
    """The memory that `solve` takes: a number per subset of the nodes, and the tables of some blocks."""
    return 8 * ((1 << n_nodes) + 100 * (1 << min(n_nodes, N_LOW)))


def solve(
    lists: LocalScores, initial: list[list[int]], run: Run, *, n_jobs: int = 1, on_card: bool = False
) -> Solution:
    """The best DAG; `initial` where the run must stop. A graphics card may do the work."""
    families = _Families(lists, on_cards.N_LOW if on_card else N_LOW)
    totals = families.totals_on_card(run) if on_card else families.totals_here(run, n_jobs)
    if totals is None:
        return Solution(initial, lists.score_of(initial), lists.bound)
    rows = families.rows_of_best(totals, on_cards.values_at if on_card else np.take)
    score = lists.total(rows)
    return Solution(lists.parents(rows), score, score)


def _in_batches(n_high: int) -> Iterator[NDArray[np.int64]]:
    """All blocks, the smaller sets first; those of one batch have one size, so that none needs another."""
    blocks = np.arange(1 << n_high)
    sizes = np.array([block.bit_count() for block in blocks.tolist()])
    for size in range(n_high + 1):
        of_size = blocks[sizes == size]
        yield from np.array_split(of_size, -(-len(of_size) // BLOCKS_AT_ONCE))


class _Families:
    """The families of the lists as bits, each with its gain: its score less the best of its node.

    The total of a set of nodes is the largest sum of gains of a DAG of those nodes; so it is the
    best total without the last node, and the gain of the best parents that this node has among
    the others.
    """

    def __init__(self, lists: LocalScores, n_low: int) -> None:
        self.n_nodes = len(lists.sets)
        self.n_low = min(self.n_nodes, n_low)
        self._masks = [of_node.masks() for of_node in lists.sets]
        self._gains = [of_node.scores - of_node.scores[0] for of_node in lists.sets]

    def totals_here(self, run: Run, n_jobs: int) -> Totals | None:
        """The totals of all subsets; None where the run must stop."""
        n_high = self.n_nodes - self.n_low
        totals, packed = np.empty(1 << self.n_nodes), self._pack(by_upper_bits=True)
        n_done = 0
        for blocks in _in_batches(n_high):
            if run.must_stop():
                return None
            run.show(f"subsets of {self.n_nodes} columns", n_done, 1 << n_high)
            self._fill(blocks, packed, totals, n_jobs)
            n_done += len(blocks)
        return totals

    def totals_on_card(self, run: Run) -> Totals | None:
        """The same in the memory of a graphics card."""
        starts, lows, highs, gains = self._pack(by_upper_bits=False)
        packed = on_cards.PackedFamilies(starts, lows.astype(np.int32), highs.astype(np.int32), gains)
        totals: Totals | None = on_cards.fill_totals(packed, self.n_nodes, run.must_stop)
        return totals

    def _fill(self, blocks: NDArray[np.int64], packed: Packed, totals: Totals, n_jobs: int) -> None:
        """Fill the totals of blocks that do not need each other."""
        n, n_low = self.n_nodes, self.n_low

        def fill_part(part: slice) -> None:
            tables, table = np.empty((n_low, 1 << (n_low - 1))), np.empty(1 << n_low)
            subsets.fill_blocks(blocks[part], n_low, n, packed, totals, tables, table)

        in_blocks(fill_part, len(blocks), cost=float(n << n_low) * len(blocks), n_jobs=n_jobs)

    def rows_of_best(self, totals: Totals, some: Some) -> list[int]:
        """The rows of the families of the best DAG."""
        rows = [-1] * self.n_nodes
        left = (1 << self.n_nodes) - 1
        while left:
            node, row = self._last(left, totals, some)
            rows[node] = row
            left ^= 1 << node
        return rows

    def _last(self, nodes: int, totals: Totals, some: Some) -> tuple[int, int]:
        """The node that comes last in the best DAG of some nodes, by name where several may, and its row."""
        members = [node for node in reversed(range(self.n_nodes)) if nodes >> node & 1]
        sets = np.array([nodes, *(nodes ^ (1 << node) for node in members)])
        whole, *without = some(totals, sets).tolist()
        for node, total in zip(members, without, strict=True):
            fits = self._masks[node] & ~(nodes ^ (1 << node)) == 0
            row = int(fits.argmax())
            if fits[row] and total + self._gains[node][row] >= whole - slack(whole):
                return node, row
        raise AssertionError("one of the nodes made the total")

    def _pack(self, *, by_upper_bits: bool) -> Packed:
        """The families as the kernels take them, the best first or those with equal upper bits together."""
        low_bits = (1 << self.n_low) - 1
        starts = np.cumsum([0, *(len(masks) for masks in self._masks)])
        masks, gains = self._masks, self._gains
        if by_upper_bits:
            orders = [np.argsort(of_node >> self.n_low, kind="stable") for of_node in masks]
            masks = [of_node[order] for of_node, order in zip(masks, orders, strict=True)]
            gains = [of_node[order] for of_node, order in zip(gains, orders, strict=True)]
        lows = [drop_bit(of_node & low_bits, 1 << node) for node, of_node in enumerate(masks)]
        highs = [of_node >> self.n_low for of_node in masks]
        return starts, np.concatenate(lows), np.concatenate(highs), np.concatenate(gains)

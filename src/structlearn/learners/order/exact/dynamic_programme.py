"""The best DAG of given families, by dynamic programming over the subsets of the nodes."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.kernels import subsets
from structlearn.rounding import slack
from structlearn.run import Run
from structlearn.search.local_scores import LocalScores, Solution
from structlearn.search.parent_sets import drop_bit
from structlearn.statistics.blocks import in_blocks

N_LOW = 16  # nodes whose subsets make a block: its tables stay in the cache
BLOCKS_AT_ONCE = 32  # between two looks at the clock: about half a second
Totals = NDArray[np.float64]


def bytes_needed(n_nodes: int) -> int:
    """The memory that `solve` takes: a number per subset of the nodes, and the tables of some blocks."""
    return 8 * ((1 << n_nodes) + 100 * (1 << min(n_nodes, N_LOW)))


def solve(lists: LocalScores, initial: list[list[int]], run: Run, *, n_jobs: int = 1) -> Solution:
    """The best DAG; `initial` where the run must stop."""
    families = _Families(lists)
    n_high = families.n_nodes - families.n_low
    totals = np.empty(1 << families.n_nodes)
    n_done = 0
    for blocks in _in_batches(n_high):
        if run.must_stop():
            return Solution(initial, lists.score_of(initial), lists.bound)
        run.show(f"subsets of {families.n_nodes} columns", n_done, 1 << n_high)
        families.fill(blocks, totals, n_jobs)
        n_done += len(blocks)
    rows = families.rows_of_best(totals)
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

    def __init__(self, lists: LocalScores) -> None:
        self.n_nodes = len(lists.sets)
        self.n_low = min(self.n_nodes, N_LOW)
        self._masks = [of_node.masks() for of_node in lists.sets]
        self._gains = [of_node.scores - of_node.scores[0] for of_node in lists.sets]
        self._packed = self._pack()

    def fill(self, blocks: NDArray[np.int64], totals: Totals, n_jobs: int) -> None:
        """Fill the totals of blocks that do not need each other."""
        n, n_low = self.n_nodes, self.n_low

        def fill_part(part: slice) -> None:
            tables, table = np.empty((n_low, 1 << (n_low - 1))), np.empty(1 << n_low)
            subsets.fill_blocks(blocks[part], n_low, n, self._packed, totals, tables, table)

        in_blocks(fill_part, len(blocks), cost=float(n << n_low) * len(blocks), n_jobs=n_jobs)

    def rows_of_best(self, totals: Totals) -> list[int]:
        """The rows of the families of the best DAG."""
        rows = [-1] * self.n_nodes
        left = (1 << self.n_nodes) - 1
        while left:
            node, row = self._last(left, totals)
            rows[node] = row
            left ^= 1 << node
        return rows

    def _last(self, nodes: int, totals: Totals) -> tuple[int, int]:
        """The node that comes last in the best DAG of some nodes, by name where several may, and its row."""
        for node in reversed(range(self.n_nodes)):
            others = nodes & ~(1 << node)
            if others == nodes:
                continue
            fits = self._masks[node] & ~others == 0
            row = int(fits.argmax())
            if fits[row] and totals[others] + self._gains[node][row] >= totals[nodes] - slack(totals[nodes]):
                return node, row
        raise AssertionError("one of the nodes made the total")

    def _pack(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """The families as the kernels take them, those of a node with equal upper bits side by side."""
        low_bits = (1 << self.n_low) - 1
        starts = np.cumsum([0, *(len(masks) for masks in self._masks)])
        orders = [np.argsort(masks >> self.n_low, kind="stable") for masks in self._masks]
        masks = [of_node[order] for of_node, order in zip(self._masks, orders, strict=True)]
        gains = [of_node[order] for of_node, order in zip(self._gains, orders, strict=True)]
        lows = [drop_bit(of_node & low_bits, 1 << node) for node, of_node in enumerate(masks)]
        highs = [of_node >> self.n_low for of_node in masks]
        return starts, np.concatenate(lows), np.concatenate(highs), np.concatenate(gains)

"""The weight of every family, summed over all orders of the nodes (Koivisto and Sood)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.order_sums import sums_around
from structlearn.learners.order.kernels import subset_sums
from structlearn.run import Run
from structlearn.search.parent_sets import ScoredSets, drop_bit
from structlearn.statistics.blocks import in_blocks, n_workers

NOTHING = np.finfo(np.float64).min  # in place of minus infinity, which cannot be subtracted
AT_ONCE = 1 << 16  # subsets between two looks at the clock
Logs = NDArray[np.float64]


def bytes_needed(n_nodes: int) -> int:
    """The memory that `OrderSums` takes: for every subset a number per node, halved, and two more."""
    return 8 * ((n_nodes << n_nodes) // 2 + (2 << n_nodes))


def on_the_processor(sets: list[ScoredSets], run: Run, n_jobs: int) -> tuple[list[Logs], float] | None:
    """The probability of every family of every node, and the log of the sum over all orders.

    `sets` has the log weight of each family in place of its score. None where the run must stop.
    """
    sums = OrderSums(sets, run, n_jobs)
    probabilities = sums.probabilities()
    return None if probabilities is None else (probabilities, sums.total)


def on_a_card(sets: list[ScoredSets], run: Run) -> tuple[list[Logs], float] | None:
    """The same by a graphics card."""
    weights = [of_node.scores for of_node in sets]
    found = sums_around([of_node.masks() for of_node in sets], weights, run.must_stop)
    if found is None:
        return None
    around, total = found
    scale = max(total, NOTHING)
    return [np.exp(own + others - scale) for own, others in zip(weights, around, strict=True)], total


class OrderSums:
    """Sums over orders; an order weighs the product over its nodes of their families before them.

    `sets` has the log weight of each family in place of its score.
    """

    def __init__(self, sets: list[ScoredSets], run: Run, n_jobs: int) -> None:
        n = len(sets)
        self._run = run
        self._n_jobs = n_jobs
        self._weights = [of_node.scores for of_node in sets]
        self._places = [drop_bit(of_node.masks(), 1 << node) for node, of_node in enumerate(sets)]
        # Filled where they are worked on: gigabytes at once would take longer than a look at the clock.
        self._tables = np.empty((n, 1 << (n - 1)))
        self._within = np.empty(1 << n)
        self._after = np.empty(1 << n)
        self._within[0] = self._after[-1] = 0.0

    def probabilities(self) -> list[Logs] | None:
        """The probability of every family of every node; None where the run must stop."""
        if not (self._sum_families() and self._sum_orders() and self._sum_around_nodes()):
            return None
        scale = max(self.total, NOTHING)
        return [
            np.exp(weights + table[places] - scale)
            for weights, table, places in zip(self._weights, self._tables, self._places, strict=True)
        ]

    @property
    def total(self) -> float:
        """The log of the sum over all orders."""
        return float(self._within[-1])

    def _sum_families(self) -> bool:
        """Make each node's table: the sum over its families within every set of other nodes."""

        def fill(node: int) -> None:
            self._tables[node] = -np.inf
            self._tables[node, self._places[node]] = self._weights[node]
            self._for_every_bit(subset_sums.add_subsets, self._tables[node])

        return self._for_every_node("families within all sets", fill)

    def _sum_orders(self) -> bool:
        """Sum over the orders of the nodes in every set, and of those outside it."""
        size = len(self._within)
        for begin in range(0, size, AT_ONCE):
            if self._run.must_stop():
                return False
            self._run.show("orders", begin, size)
            end = min(begin + AT_ONCE, size)
            subset_sums.sum_orders_within(self._tables, begin, end, self._within)
        for end in range(size, 0, -AT_ONCE):
            if self._run.must_stop():
                return False
            subset_sums.sum_orders_after(self._tables, max(end - AT_ONCE, 0), end, self._after)
        return True

    def _sum_around_nodes(self) -> bool:
        """Replace each node's table by what the other nodes weigh when a set is among those before it."""

        def fill(node: int) -> None:
            subset_sums.sum_around(node, self._within, self._after, self._tables[node])
            self._for_every_bit(subset_sums.add_supersets, self._tables[node])

        return self._for_every_node("sets before each node", fill)

    def _for_every_bit(self, add: Callable[[Logs, int], None], table: Logs) -> None:
        """Sum over all subsets or supersets of each set, as time allows."""
        for bit in range(len(table).bit_length() - 1):
            if not self._run.must_stop():
                add(table, 1 << bit)

    def _for_every_node(self, what: str, work: Callable[[int], None]) -> bool:
        """Do some work for every node, a few at a time; whether there was time for all."""
        n, size = self._tables.shape
        at_once = n_workers(self._n_jobs)
        for first in range(0, n, at_once):
            if self._run.must_stop():
                return False
            self._run.show(what, first, n)
            nodes = range(first, min(first + at_once, n))

            def work_on(part: slice, nodes: range = nodes) -> None:
                for node in nodes[part]:
                    work(node)

            in_blocks(work_on, len(nodes), cost=float(size) * n * len(nodes), n_jobs=self._n_jobs)
        return not self._run.must_stop()

"""Which node comes last in the best order of each set of a few nodes, by dynamic programming.

Sets are numbers with a bit for each node. `best` has the scores of each child with each set of parents, −∞
where it may not have them, and gets those of the best parents within each set. The best score of a set of
nodes that come first is that of one less, and of the last one with its best parents among them.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel
from structlearn.rounding import ENOUGH

Sets = NDArray[np.int64]


def write_last_at_once(best, totals, last):
    """What `write_last` does, for all sets of one size at once."""
    n = len(best)
    for node in range(n):
        # The sets without the node, and beside them the same ones with it.
        halves = best.reshape(n, 1 << (n - 1 - node), 2, 1 << node)
        np.maximum(halves[:, :, 1], halves[:, :, 0], out=halves[:, :, 1])
    totals[0], totals[-1] = 0.0, -np.inf
    for sets, rest, families in _sets_by_size(n):
        ends = totals.take(rest)
        ends += best.ravel().take(families)
        totals[sets] = most = ends.max(axis=1)
        last[sets] = (ends >= most[:, None] - ENOUGH).argmax(axis=1)


@kernel(instead=write_last_at_once)
def write_last(best, totals, last):
    """Write the best score of each set, and the node that comes last in it: of those that tie, the first.

    There is one total more, −∞, which is that of no set.
    """
    n, n_sets = best.shape
    for child in range(n):
        for node in range(n):
            for block in range(0, n_sets, 2 << node):
                for without in range(block, block + (1 << node)):
                    beside = without + (1 << node)
                    best[child, beside] = max(best[child, beside], best[child, without])
    totals[0], totals[n_sets] = 0.0, -np.inf
    for some in range(1, n_sets):
        most = -np.inf
        for node in range(n):
            rest = some ^ (1 << node)
            if rest < some:
                most = max(most, totals[rest] + best[node, rest])
        totals[some], last[some] = most, 0
        for node in range(n - 1 if most > -np.inf else -1, -1, -1):
            rest = some ^ (1 << node)
            if rest < some and totals[rest] + best[node, rest] >= most - ENOUGH:
                last[some] = node


@lru_cache(maxsize=8)
def _sets_by_size(n_nodes: int) -> list[tuple[Sets, Sets, Sets]]:
    """Sets of 1, 2, … nodes, each without each node, and the place of that node's family from the rest.

    A node that is not in the set leaves a set that there is not: one past the last.
    """
    sets, nodes = np.arange(1 << n_nodes), np.arange(n_nodes)
    of_sizes = [sets[np.bitwise_count(sets) == size][:, None] for size in range(1, n_nodes + 1)]
    without = [(some, some & ~(1 << nodes)) for some in of_sizes]
    return [
        (some[:, 0], np.where(some == less, 1 << n_nodes, less), (nodes << n_nodes) + less)
        for some, less in without
    ]

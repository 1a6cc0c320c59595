"""Best totals over all subsets of the nodes, block by block.

A subset is a whole number with a bit per node. Its upper bits, those from `n_low` on, say which
block it is in, its lower bits where in that block. The families of a node are given by the lower
and upper bits of their parents; in the lower bits the node's own is left out, so that a table of
one of the lower nodes is half as long.
"""

import numpy as np

from structlearn.compile import kernel

LOWEST = 5  # measured: a run of 32 subsets takes a quarter of the time of single ones


@kernel
def fill_blocks(blocks, n_low, n_nodes, families, totals, tables, table):
    """Fill `totals` of all subsets in these blocks, whose subsets in other blocks are known.

    The total of a subset is the largest sum of the gains of its nodes, each with parents among those
    before it. `families` is (starts, lows, highs, gains); `tables` and `table` are workspaces,
    (n_low, 2^n_low / 2) and (2^n_low).
    """
    size = 1 << n_low
    for block in blocks:
        here = block * size
        of_block = totals[here : here + size]
        of_block[:] = -np.inf
        if block == 0:
            totals[0] = 0.0
        for node in range(n_low, n_nodes):
            bit = 1 << (node - n_low)
            if block & bit:
                best_within(families, node, block ^ bit, table)
                before = totals[here - bit * size : here - bit * size + size]
                for low in range(size):
                    value = before[low] + table[low]
                    of_block[low] = max(of_block[low], value)
        for node in range(n_low):
            best_within(families, node, block, tables[node])
        add_lower_nodes(of_block, tables)


@kernel
def best_within(families, node, high, table):
    """Fill `table` with the best gain of the node's families within each set of lower nodes and `high`."""
    starts, lows, highs, gains = families
    table[:] = -np.inf
    for i in range(starts[node], starts[node + 1]):
        if highs[i] & ~high == 0:
            table[lows[i]] = max(table[lows[i]], gains[i])
    spread_maxima(table)


@kernel
def spread_maxima(table):
    """Replace each entry by the largest of its subsets: the zeta transform with maxima for sums."""
    half = 1
    while half < table.size:
        for start in range(0, table.size, 2 * half):
            # Views whose indices start at zero let the compiler take several entries at once.
            without, with_bit = table[start : start + half], table[start + half : start + 2 * half]
            for i in range(half):
                with_bit[i] = max(with_bit[i], without[i])
        half *= 2


@kernel
def add_lower_nodes(totals, tables):
    """Let each lower node be the last one of every subset of a block that has it.

    Runs of subsets that differ in the lowest nodes only lie side by side: a node above those is added
    to the whole run at once.
    """
    n_lowest = min(LOWEST, tables.shape[0])
    size = 1 << n_lowest
    for start in range(0, totals.size, size):
        run = totals[start : start + size]
        for node in range(n_lowest, tables.shape[0]):
            bit = 1 << node
            if start & bit:
                before = totals[start - bit : start - bit + size]
                place = without_bit(start, bit)
                gains = tables[node, place : place + size]
                for i in range(size):
                    value = before[i] + gains[i]
                    run[i] = max(run[i], value)
        for i in range(1, size):
            for node in range(n_lowest):
                bit = 1 << node
                if i & bit:
                    value = run[i - bit] + tables[node, without_bit(start + i, bit)]
                    run[i] = max(run[i], value)


@kernel
def without_bit(subset, bit):
    """The subset, with the place of a bit left out."""
    return (subset & (bit - 1)) | ((subset >> 1) & -bit)

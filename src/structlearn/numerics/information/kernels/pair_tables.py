"""Mutual information of pairs of coded columns, by popcounts of bit-packed states or one pass over codes.

`codes` is (p, n), `levels` (p,). `masks` has a row of 64-bit words for each state of the columns with few of
them, from row `first_mask[j]` on; -1 for the others. `margins` is (p, most levels). The pairs are those of a
block of columns, `start` to `end`, with all columns behind each.
"""

import math

import numpy as np

from structlearn.compile import count_bits, kernel

# An AND with popcount over 64 rows costs about as much as this share of 64 scattered additions.
MOST_MASK_CELLS = 128
TABLES_AT_ONCE = 64  # so that those of ten levels stay in the cache, and a call costs nothing beside them
MOST_CELLS = 2**20  # 8 MiB of tables at once


@kernel
def count_with(codes, levels, masks, first_mask, margins, i, first, last, cells):
    """Count the joint states of column i and each of `first` to `last`, a row of `cells` for each table.

    Tables that are wider than that are left out.
    """
    n_i = levels[i]
    for j in range(first, last):
        n_j, table = levels[j], j - first
        if n_i * n_j > cells.shape[1]:
            continue
        if n_i * n_j > MOST_MASK_CELLS or first_mask[i] < 0 or first_mask[j] < 0:
            for cell in range(n_i * n_j):
                cells[table, cell] = 0
            for row in range(codes.shape[1]):
                cells[table, codes[i, row] * n_j + codes[j, row]] += 1
            continue
        # The last state of either column is what the others leave.
        bottom = (n_i - 1) * n_j
        for b in range(n_j):
            cells[table, bottom + b] = margins[j, b]
        for a in range(n_i - 1):
            left = margins[i, a]
            for b in range(n_j - 1):
                count = 0
                for word in range(masks.shape[1]):
                    both = masks[first_mask[i] + a, word] & masks[first_mask[j] + b, word]
                    count += np.int64(count_bits(both))
                cells[table, a * n_j + b] = count
                cells[table, bottom + b] -= count
                left -= count
            cells[table, a * n_j + n_j - 1] = left
            cells[table, bottom + n_j - 1] -= left


def fill_plug_in_by_arrays(codes, levels, masks, first_mask, margins, count_logs, start, end, out):
    """What `fill_plug_in` does, a column with all behind it at once; sums are taken in the same order."""
    n_rows, most, most_cells = codes.shape[1], levels.max(), max(codes.shape[1], MOST_MASK_CELLS)
    has_mask = (np.arange(most) < levels[:, None]) & (first_mask >= 0)[:, None]
    places = np.where(has_mask, first_mask[:, None] + np.arange(most), len(masks))
    with_none = np.vstack([masks, np.zeros_like(masks[:1])])
    alone = np.cumsum(count_logs[margins], axis=1)[:, -1]
    for i in range(start, end):
        others = np.arange(i + 1, levels.size)
        by_masks = (first_mask[others] >= 0) & (levels[i] * levels[others] <= MOST_MASK_CELLS)
        by_masks &= first_mask[i] >= 0
        total = np.zeros(others.size)
        for a in range(levels[i] if by_masks.any() else 0):
            for b in range(levels[others[by_masks]].max()):
                both = with_none[places[others[by_masks], b]] & masks[first_mask[i] + a]
                total[by_masks] += count_logs[np.bitwise_count(both).sum(axis=1, dtype=np.int64)]
        for place in np.flatnonzero(~by_masks):
            j = others[place]
            cells = np.bincount(codes[i].astype(np.int64) * levels[j] + codes[j])
            if levels[i] * levels[j] > most_cells:
                cells = np.bincount(cells)
                total[place] = np.cumsum(cells[1:] * count_logs[1 : len(cells)])[-1]
            else:
                total[place] = np.cumsum(count_logs[cells])[-1]
        information = (total - alone[i] - alone[others] + count_logs[n_rows]) / n_rows
        out[i, others] = np.maximum(information, 0.0)


@kernel(instead=fill_plug_in_by_arrays)
def fill_plug_in(codes, levels, masks, first_mask, margins, count_logs, start, end, out):
    """Write the information of each pair's table; `count_logs[k]` is k log k."""
    most, n_rows = levels.max(), codes.shape[1]
    # Of tables with more cells than rows most are empty, and only those that rows are in are looked at.
    cells = np.empty((TABLES_AT_ONCE, min(most * most, max(n_rows, MOST_MASK_CELLS))), dtype=np.int64)
    wide = np.zeros(most * most if most * most > cells.shape[1] else 0, dtype=np.int32)
    n_with_count = np.zeros(n_rows + 1, dtype=np.int64)
    alone = np.zeros(levels.size)
    for j in range(start, levels.size):
        for level in range(levels[j]):
            alone[j] += count_logs[margins[j, level]]
    for i in range(start, end):
        for first in range(i + 1, levels.size, TABLES_AT_ONCE):
            last = min(first + TABLES_AT_ONCE, levels.size)
            count_with(codes, levels, masks, first_mask, margins, i, first, last, cells)
            for j in range(first, last):
                total = 0.0
                if levels[i] * levels[j] > cells.shape[1]:
                    total = sum_of_wide(codes, i, j, levels[j], count_logs, wide, n_with_count)
                else:
                    for cell in range(levels[i] * levels[j]):
                        total += count_logs[cells[j - first, cell]]
                # log n = (n log n) / n
                out[i, j] = max((total - alone[i] - alone[j] + count_logs[n_rows]) / n_rows, 0.0)


@kernel
def sum_of_wide(codes, i, j, n_j, count_logs, cells, n_with_count):
    """The sum of k log k over the joint states of two columns; `cells` and `n_with_count` stay 0.

    Equal counts are taken together, so that the order of the rows has no say in the last digit.
    """
    most = 0
    for row in range(codes.shape[1]):
        cells[codes[i, row] * n_j + codes[j, row]] += 1
    for row in range(codes.shape[1]):
        cell = codes[i, row] * n_j + codes[j, row]
        n_with_count[cells[cell]] += 1
        most = max(most, cells[cell])
        cells[cell] = 0
    total = 0.0
    for count in range(1, most + 1):
        total += n_with_count[count] * count_logs[count]
        n_with_count[count] = 0
    n_with_count[0] = 0
    return total


@kernel
def fill_shrunken(codes, levels, masks, first_mask, margins, start, end, out):
    """Write the information of each pair's table after it is shrunk towards equal cells."""
    most = levels.max()
    at_once = max(min(TABLES_AT_ONCE, MOST_CELLS // (most * most)), 1)
    cells = np.empty((at_once, most * most), dtype=np.int64)
    shares = np.empty((2, most))
    for i in range(start, end):
        for first in range(i + 1, levels.size, at_once):
            last = min(first + at_once, levels.size)
            count_with(codes, levels, masks, first_mask, margins, i, first, last, cells)
            for j in range(first, last):
                out[i, j] = shrunken_information(cells[j - first], margins, levels, i, j, shares)


@kernel
def shrunken_information(cells, margins, levels, i, j, shares):
    """The information of a table of columns i and j that is shrunk towards equal cells."""
    n_i, n_j = levels[i], levels[j]
    n_cells, n_rows, squares = n_i * n_j, 0, 0.0
    for cell in range(n_cells):
        n_rows += cells[cell]
    for cell in range(n_cells):
        squares += (cells[cell] / n_rows) ** 2
    share = shrinkage(squares, n_cells, n_rows)
    for a in range(n_i):
        shares[0, a] = share / n_i + (1.0 - share) * margins[i, a] / n_rows
    for b in range(n_j):
        shares[1, b] = share / n_j + (1.0 - share) * margins[j, b] / n_rows
    total = 0.0
    for a in range(n_i):
        for b in range(n_j):
            p = share / n_cells + (1.0 - share) * cells[a * n_j + b] / n_rows
            if p > 0.0:
                total += p * math.log(p / (shares[0, a] * shares[1, b]))
    return total


@kernel
def shrinkage(squares, n_cells, n_rows):
    """The share of equal cells with the least expected error, from the sum of the squared frequencies."""
    distance = (n_rows - 1) * (squares - 1.0 / n_cells)
    if distance <= 0.0:
        return 1.0
    return min(1.0, (1.0 - squares) / distance)

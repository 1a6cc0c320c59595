"""Mutual information of pairs of columns on a grid that is refined where points crowd.

`ranks` is (p, n): twice the average rank, 2 to 2n, so that ties are whole numbers. `below[j, r]` is how many
rows of column j have less than r, for r up to 2n + 1.
"""

import math

import numpy as np

from structlearn.compile import kernel

FEWEST_POINTS = 8  # with fewer, a quarter would hold less than two by chance: no test can tell
UNEVEN = 7.814727903251179  # the 0.95 quantile of χ² with three degrees of freedom


@kernel
def split(ranks, i, j, middle_i, middle_j, rows, start, end, quarters, kept):
    """Sort the rows of a cell by its quarters and write how many each has."""
    quarters[:] = 0
    for place in range(start, end):
        row = rows[place]
        quarters[2 * (ranks[i, row] >= middle_i) + (ranks[j, row] >= middle_j)] += 1
    next_place = np.empty(4, dtype=np.int64)
    next_place[0] = start
    for q in range(1, 4):
        next_place[q] = next_place[q - 1] + quarters[q - 1]
    for place in range(start, end):
        kept[place] = rows[place]
    for place in range(start, end):
        row = kept[place]
        q = 2 * (ranks[i, row] >= middle_i) + (ranks[j, row] >= middle_j)
        rows[next_place[q]] = row
        next_place[q] += 1


@kernel
def unevenness(n_points, quarters, share_i, share_j):
    """Pearson's X² of four quarters whose sides hold these shares of the points by chance."""
    total = 0.0
    for q in range(4):
        side_i = share_i if q < 2 else 1.0 - share_i
        side_j = share_j if q % 2 == 0 else 1.0 - share_j
        expected = n_points * side_i * side_j
        if expected > 0.0:
            total += (quarters[q] - expected) ** 2 / expected
    return total


@kernel
def pair_information(ranks, below, i, j, rows, kept, cells):
    """The information of one pair; `cells` is a stack of (low and high of i, of j, first and last row)."""
    n_rows = ranks.shape[1]
    quarters = np.empty(4, dtype=np.int64)
    for row in range(n_rows):
        rows[row] = row
    top = 2 * n_rows + 1
    cells[0, 0], cells[0, 1], cells[0, 2], cells[0, 3], cells[0, 4], cells[0, 5] = 2, top, 2, top, 0, n_rows
    n_cells = 1
    total = 0.0
    while n_cells:
        n_cells -= 1
        low_i, high_i, low_j, high_j = (
            cells[n_cells, 0],
            cells[n_cells, 1],
            cells[n_cells, 2],
            cells[n_cells, 3],
        )
        start, end = cells[n_cells, 4], cells[n_cells, 5]
        n_points = end - start
        n_i, n_j = below[i, high_i] - below[i, low_i], below[j, high_j] - below[j, low_j]
        middle_i, middle_j = (low_i + high_i) // 2, (low_j + high_j) // 2
        is_whole = n_points == n_rows
        is_split = False
        if n_points >= FEWEST_POINTS and middle_i > low_i and middle_j > low_j:
            split(ranks, i, j, middle_i, middle_j, rows, start, end, quarters, kept)
            share_i = (below[i, middle_i] - below[i, low_i]) / n_i
            share_j = (below[j, middle_j] - below[j, low_j]) / n_j
            is_split = is_whole or unevenness(n_points, quarters, share_i, share_j) > UNEVEN
        if not is_split:
            total += n_points * math.log(n_rows * n_points / (n_i * n_j))
            continue
        for q in range(4):
            if quarters[q]:
                cells[n_cells, 0] = low_i if q < 2 else middle_i
                cells[n_cells, 1] = middle_i if q < 2 else high_i
                cells[n_cells, 2] = low_j if q % 2 == 0 else middle_j
                cells[n_cells, 3] = middle_j if q % 2 == 0 else high_j
                cells[n_cells, 4] = start
                cells[n_cells, 5] = start + quarters[q]
                n_cells += 1
            start += quarters[q]
    return total / n_rows


@kernel
def fill_partitions(ranks, below, start, end, out):
    """Write the information of the columns of a block with themselves and all behind them."""
    n_columns, n_rows = ranks.shape
    rows, kept = np.empty(n_rows, dtype=np.int64), np.empty(n_rows, dtype=np.int64)
    # A cell leaves at most three behind on the stack, and ranges are halved: 3 for each of 32 halvings.
    cells = np.empty((128, 6), dtype=np.int64)
    for i in range(start, end):
        for j in range(i, n_columns):
            out[i, j] = pair_information(ranks, below, i, j, rows, kept, cells)

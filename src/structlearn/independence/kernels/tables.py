"""Test statistics of contingency tables with the axes (stratum, x, y)."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.independence.kernels import by_arrays


@kernel(instead=by_arrays.table_statistics)
def table_statistics(
    counts, starts, strata, x_levels, y_levels, is_pearson, statistic, adjusted, seen, size, excess
):
    """Write G² or X² of each table, the degrees of freedom that its margins leave, and its size.

    Per stratum these are (x levels seen - 1)(y levels seen - 1). `seen` is the number of cells
    for which the margins expect anything, `excess` by how much the mean of G² is above its degrees of
    freedom under independence, to first order in the expected counts (Williams, 1976).
    """
    for i in range(starts.size):
        n_x, n_y = x_levels[i], y_levels[i]
        of_x = np.empty(n_x)
        of_y = np.empty(n_y)
        total = 0.0
        n_rows = 0.0
        dof = 0
        n_cells = 0
        too_much = 0.0
        at = starts[i]
        if n_x == 2 and n_y == 2:
            cells = counts[at : at + 4 * strata[i]]
            found = fourfold_statistics(cells, is_pearson)
            statistic[i], adjusted[i], seen[i], size[i], excess[i] = found
            continue
        for _ in range(strata[i]):
            in_stratum = add_margins(counts, at, n_x, n_y, of_x, of_y)
            if in_stratum > 0.0:
                x_seen, y_seen = n_seen(of_x), n_seen(of_y)
                dof += (x_seen - 1) * (y_seen - 1)
                n_cells += x_seen * y_seen
                n_rows += in_stratum
                if x_seen > 1 and y_seen > 1:  # otherwise the margins are the table
                    if is_pearson:
                        total += pearson(counts, at, of_x, of_y, in_stratum)
                    else:
                        total += likelihood_ratio(counts, at, of_x, of_y, in_stratum)
                    x_spread = in_stratum * inverse_sum(of_x) - 1.0
                    y_spread = in_stratum * inverse_sum(of_y) - 1.0
                    too_much += x_spread * y_spread / (6.0 * in_stratum)
            at += n_x * n_y
        statistic[i] = max(total, 0.0)
        adjusted[i] = dof
        seen[i] = n_cells
        size[i] = n_rows
        excess[i] = too_much


@kernel
def fourfold_statistics(cells, is_pearson):
    """What `table_statistics` writes of a table in which both columns have two levels, which is quicker."""
    total = 0.0
    n_rows = 0.0
    dof = 0
    n_cells = 0
    too_much = 0.0
    for at in range(0, cells.size, 4):
        a, b, c, d = cells[at], cells[at + 1], cells[at + 2], cells[at + 3]
        in_stratum = float(a + b + c + d)
        if in_stratum == 0.0:
            continue
        n_rows += in_stratum
        has_both_x = (a + b > 0) and (c + d > 0)
        has_both_y = (a + c > 0) and (b + d > 0)
        n_cells += (1 + has_both_x) * (1 + has_both_y)
        if has_both_x and has_both_y:
            dof += 1
            x0, x1, y0, y1 = float(a + b), float(c + d), float(a + c), float(b + d)
            whole, x_pair, y_pair = in_stratum * in_stratum, x0 * x1, y0 * y1
            too_much += (whole - x_pair) * (whole - y_pair) / (6.0 * in_stratum * x_pair * y_pair)
            if is_pearson:
                total += (
                    squared_residual(a, x0, y0, in_stratum)
                    + squared_residual(b, x0, y1, in_stratum)
                    + squared_residual(c, x1, y0, in_stratum)
                    + squared_residual(d, x1, y1, in_stratum)
                )
            else:
                total += (
                    log_ratio(a, x0, y0, in_stratum)
                    + log_ratio(b, x0, y1, in_stratum)
                    + log_ratio(c, x1, y0, in_stratum)
                    + log_ratio(d, x1, y1, in_stratum)
                )
    return max(total, 0.0), dof, n_cells, n_rows, too_much


@kernel
def add_margins(counts, at, n_x, n_y, of_x, of_y):
    """Write the margins of one stratum; returns its total."""
    of_x[:] = 0.0
    of_y[:] = 0.0
    total = 0.0
    for x in range(n_x):
        for y in range(n_y):
            count = counts[at + x * n_y + y]
            of_x[x] += count
            of_y[y] += count
            total += count
    return total


@kernel
def n_seen(margin):
    """How many levels occur."""
    seen = 0
    for level in range(margin.size):
        seen += margin[level] > 0.0
    return seen


@kernel
def inverse_sum(margin):
    """The sum of 1 / n over the levels that occur."""
    total = 0.0
    for level in range(margin.size):
        if margin[level] > 0.0:
            total += 1.0 / margin[level]
    return total


@kernel
def likelihood_ratio(counts, at, of_x, of_y, total):
    """G² of one stratum."""
    g2 = 0.0
    for x in range(of_x.size):
        for y in range(of_y.size):
            g2 += log_ratio(counts[at + x * of_y.size + y], of_x[x], of_y[y], total)
    return g2


@kernel
def pearson(counts, at, of_x, of_y, total):
    """X² of one stratum."""
    x2 = 0.0
    for x in range(of_x.size):
        for y in range(of_y.size):
            x2 += squared_residual(counts[at + x * of_y.size + y], of_x[x], of_y[y], total)
    return x2


@kernel
def log_ratio(count, of_x, of_y, total):
    """What a cell adds to G²."""
    if count > 0:
        return 2.0 * count * math.log(count * total / (of_x * of_y))
    return 0.0


@kernel
def squared_residual(count, of_x, of_y, total):
    """What a cell adds to X²."""
    expected = of_x * of_y / total
    if expected > 0.0:
        return (count - expected) * (count - expected) / expected
    return 0.0

"""Test statistics of contingency tables with the axes (stratum, x, y)."""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def table_statistics(counts, starts, strata, x_levels, y_levels, is_pearson, statistic, adjusted, seen, size):
    """Write G² or X² of each table, the degrees of freedom that its margins leave, and its size.

    Per stratum these are (x levels seen - 1)(y levels seen - 1). `seen` is the number of cells
    for which the margins expect anything.
    """
    for i in range(starts.size):
        n_x, n_y = x_levels[i], y_levels[i]
        of_x = np.empty(n_x)
        of_y = np.empty(n_y)
        total = 0.0
        n_rows = 0.0
        dof = 0
        n_cells = 0
        at = starts[i]
        for _ in range(strata[i]):
            in_stratum = add_margins(counts, at, n_x, n_y, of_x, of_y)
            if in_stratum > 0.0:
                x_seen, y_seen = n_seen(of_x), n_seen(of_y)
                dof += (x_seen - 1) * (y_seen - 1)
                n_cells += x_seen * y_seen
                n_rows += in_stratum
                if is_pearson:
                    total += pearson(counts, at, of_x, of_y, in_stratum)
                else:
                    total += likelihood_ratio(counts, at, of_x, of_y, in_stratum)
            at += n_x * n_y
        statistic[i] = max(total, 0.0)
        adjusted[i] = dof
        seen[i] = n_cells
        size[i] = n_rows


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
def likelihood_ratio(counts, at, of_x, of_y, total):
    """G² of one stratum."""
    g2 = 0.0
    for x in range(of_x.size):
        for y in range(of_y.size):
            count = counts[at + x * of_y.size + y]
            if count > 0:
                g2 += 2.0 * count * math.log(count * total / (of_x[x] * of_y[y]))
    return g2


@kernel
def pearson(counts, at, of_x, of_y, total):
    """X² of one stratum."""
    x2 = 0.0
    for x in range(of_x.size):
        for y in range(of_y.size):
            expected = of_x[x] * of_y[y] / total
            if expected > 0.0:
                x2 += (counts[at + x * of_y.size + y] - expected) ** 2 / expected
    return x2

"""Permutation tests by going through all permutations."""

from itertools import permutations, product
from math import comb

import numpy as np

from tests.oracles.independence import contingency_statistics


def shuffled_statistics(codes, x, y, given, *, is_pearson):
    """The statistic of every table that shuffles of a binary x within strata give, with its share."""
    strata = {}
    for row in codes:
        strata.setdefault(tuple(row[j] for j in given), []).append(row)
    tables = [list(_tables(rows, x, y)) for rows in strata.values()]
    for parts in product(*tables):
        rows = [row for part, _ in parts for row in part]
        g2, x2, _ = contingency_statistics(rows, 0, 1, [2])
        yield (x2 if is_pearson else g2), np.prod([share for _, share in parts])


def _tables(rows, x, y):
    """Every split of the rows with x = 1 among those with y = 1 and y = 0, with its share of shuffles."""
    stratum = object()
    n, n_x, n_y = len(rows), sum(row[x] for row in rows), sum(row[y] for row in rows)
    for both in range(max(0, n_x + n_y - n), min(n_x, n_y) + 1):
        cells = {(1, 1): both, (1, 0): n_x - both, (0, 1): n_y - both, (0, 0): n - n_x - n_y + both}
        share = comb(n_y, both) * comb(n - n_y, n_x - both) / comb(n, n_x)
        yield [(*cell, stratum) for cell, count in cells.items() for _ in range(count)], share


def exact_p(codes, x, y, given, *, is_pearson=False):
    """The share of shuffles with a statistic at least as large as that of the data."""
    g2, x2, _ = contingency_statistics(codes, x, y, given)
    observed = x2 if is_pearson else g2
    found = shuffled_statistics(codes, x, y, given, is_pearson=is_pearson)
    return min(sum(share for statistic, share in found if statistic >= observed - 1e-9), 1.0)


def mean_statistic(codes, x, y, given, *, is_pearson=False):
    return sum(a * share for a, share in shuffled_statistics(codes, x, y, given, is_pearson=is_pearson))


def exact_correlation_p(x, y):
    """The share of all orders of x whose correlation with y is at least as far from 0."""
    observed = abs(np.corrcoef(x, y)[0, 1])
    found = [abs(np.corrcoef(order, y)[0, 1]) >= observed - 1e-9 for order in permutations(x)]
    return float(np.mean(found))

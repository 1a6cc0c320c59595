"""Test statistics by their definitions, on rows."""

import itertools
import math
from collections import Counter

import numpy as np
from scipy import special, stats

from tests.oracles.contingency import counts


def contingency_statistics(codes, x, y, given):
    """(G², X², degrees of freedom by the levels seen), stratum by stratum."""
    strata = {}
    for state, n in counts(codes, [*given, x, y]).items():
        strata.setdefault(state[:-2], {})[state[-2:]] = n
    g2 = x2 = dof = 0
    for cells in strata.values():
        xs, ys = ({state[k] for state in cells} for k in (0, 1))
        total = sum(cells.values())
        for a in xs:
            for b in ys:
                row = sum(cells.get((a, c), 0) for c in ys)
                column = sum(cells.get((c, b), 0) for c in xs)
                expected = row * column / total
                n = cells.get((a, b), 0)
                x2 += (n - expected) ** 2 / expected
                g2 += 2 * n * math.log(n / expected) if n else 0.0
        dof += (len(xs) - 1) * (len(ys) - 1)
    return g2, x2, dof


def partial_correlation(rows, x, y, given):
    """The correlation of what least squares on the conditions leave of x and y."""
    design = np.column_stack([np.ones(len(rows)), rows[:, list(given)]])
    left = [rows[:, j] - design @ np.linalg.lstsq(design, rows[:, j], rcond=None)[0] for j in (x, y)]
    return float(left[0] @ left[1] / np.sqrt((left[0] @ left[0]) * (left[1] @ left[1])))


def moments_of_orders(rows):
    """X², X² of counts a quarter nearer to the expected, mean and variance of X² over all orders of y.

    Rows are (x, y, stratum), and orders those within strata. Strata of two rows have no part.
    """
    total = np.zeros(4)
    for stratum in {z for _, _, z in rows}:
        x, y = zip(*((a, b) for a, b, z in rows if z == stratum), strict=True)
        all_orders = [_pearson(x, order, 0.0) for order in itertools.permutations(y)]
        if len(x) > 2:
            total += all_orders[0], _pearson(x, y, 0.25), np.mean(all_orders), np.var(all_orders)
    return tuple(total)


def _pearson(x, y, correction):
    total = 0.0
    for a, b in itertools.product(set(x), set(y)):
        expected = x.count(a) * y.count(b) / len(x)
        seen = sum(pair == (a, b) for pair in zip(x, y, strict=True))
        total += max(abs(seen - expected) - correction, 0.0) ** 2 / expected
    return total


def ratio_moments_of_orders(rows):
    """G², and its mean and variance over all orders of y within strata; those of two rows have no part."""
    total = np.zeros(3)
    for stratum in {z for _, _, z in rows}:
        x, y = zip(*((a, b) for a, b, z in rows if z == stratum), strict=True)
        all_orders = [_likelihood_ratio(x, order) for order in itertools.permutations(y)]
        if len(x) > 2:
            total += all_orders[0], np.mean(all_orders), np.var(all_orders)
    return tuple(total)


def ratio_moments_of_tables(of_x, of_y):
    """The mean and variance of G² over all tables of two rows with these margins, by their probabilities."""
    values, chances = [], []
    for first in itertools.product(*(range(n + 1) for n in of_y)):
        if sum(first) == of_x[0]:
            table = np.array([first, np.subtract(of_y, first)], dtype=float)
            expected = np.outer(of_x, of_y) / sum(of_x)
            values.append(2.0 * special.xlogy(table, table / expected).sum())
            chances.append(math.prod(map(math.comb, of_y, first)) / math.comb(sum(of_x), of_x[0]))
    mean = np.dot(chances, values)
    return mean, np.dot(chances, np.square(np.subtract(values, mean)))


def spreads_of_cell(of_x, of_y, size):
    """Mean of 2 n ln(n / e) − 2 (n − e), its slope by n, and how it and (n − e)² / e vary about lines."""
    n, e = np.arange(max(0, of_x + of_y - size), min(of_x, of_y) + 1), of_x * of_y / size
    chances = stats.hypergeom.pmf(n, size, of_x, of_y)
    apart = n - e
    ratio, pearson = 2.0 * special.xlogy(n, n / e) - 2.0 * apart, apart**2 / e
    n_variance, mean = chances @ apart**2, chances @ ratio
    slopes = [chances @ (part * apart) / n_variance for part in (ratio, pearson)]
    rests = [part - slope * apart for part, slope in zip((ratio, pearson), slopes, strict=True)]
    return mean, slopes[0], *(chances @ (rest - chances @ rest) ** 2 for rest in rests)


def _likelihood_ratio(x, y):
    pairs = Counter(zip(x, y, strict=True))
    return 2.0 * sum(n * math.log(n * len(x) / (x.count(a) * y.count(b))) for (a, b), n in pairs.items())

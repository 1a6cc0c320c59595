"""G² of sparse tables (stratum, x, y), and its moments among all tables with the same margins."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.independence.kernels.fixed_margins import moments
from structlearn.independence.kernels.tables import add_margins, inverse_sum, likelihood_ratio, n_seen

LEAST_WEIGHT = 1e-14  # of a count, beside the likeliest: those beyond add nothing


@kernel
def likelihood_ratio_moments(counts, starts, strata, x_levels, y_levels, differences, found):
    """Write of each table G², and its mean and variance.

    `found` is (tables, 3). Strata in which G² is the same whatever the table are left out. `differences`
    are those of 2 n ln n at 0, of the orders 0, 1, …: as many as can be summed without loss.
    """
    for i in range(starts.size):
        of_x, of_y = np.empty(x_levels[i]), np.empty(y_levels[i])
        found[i] = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            size = add_margins(counts, at, x_levels[i], y_levels[i], of_x, of_y)
            if size > 2.0 and n_seen(of_x) > 1 and n_seen(of_y) > 1:
                found[i, 0] += likelihood_ratio(counts, at, of_x, of_y, size)
                mean, variance = ratio_moments(of_x, of_y, size, differences)
                found[i, 1] += mean
                found[i, 2] += variance
            at += x_levels[i] * y_levels[i]


@kernel
def ratio_moments(of_x, of_y, size, differences):
    """The mean and the variance of G² of a stratum whose margins are given.

    The variance is exact where no count can be large. Elsewhere it is that of X², times what the cells
    of G² vary beside those of X², or that of Bartlett's correction, 2 mean² / freedom, if that is smaller.
    """
    mean = total = square = spread = pearson_spread = 0.0
    for x in range(of_x.size):
        for y in range(of_y.size):
            if of_x[x] > 0.0 and of_y[y] > 0.0:
                expected = of_x[x] * of_y[y] / size
                cell_mean, cell_square, varies, pearson_varies = cell_moments(of_x[x], of_y[y], size)
                mean += cell_mean - 2.0 * expected * math.log(expected)
                total += cell_mean
                square += cell_square
                spread += varies
                pearson_spread += pearson_varies
    if min(of_x.max(), of_y.max()) < differences.size:
        return mean, max(square + products_of_cells(of_x, of_y, size, differences) - total * total, 0.0)
    if pearson_spread <= 0.0:
        return mean, 0.0
    x_seen, y_seen = n_seen(of_x), n_seen(of_y)
    _, pearson_variance = moments(size, x_seen, y_seen, inverse_sum(of_x), inverse_sum(of_y))
    freedom = (x_seen - 1.0) * (y_seen - 1.0)
    return mean, min(pearson_variance * spread / pearson_spread, 2.0 * mean * mean / freedom)


@kernel
def cell_moments(of_x, of_y, size):
    """The mean and mean square of 2 n ln n in a cell, and how much it and (n − e)² / e vary by themselves.

    That is, less what their regressions on n explain: sums of counts are given with the margins.
    """
    expected = of_x * of_y / size
    least, most = max(0.0, of_x + of_y - size), min(of_x, of_y)
    likeliest = min(max(math.floor((of_x + 1.0) * (of_y + 1.0) / (size + 2.0)), least), most)
    sums = np.zeros(8)
    weight, n = 1.0, likeliest
    while n <= most and weight > LEAST_WEIGHT:
        add_count(n, expected, weight, sums)
        weight *= (of_x - n) * (of_y - n) / ((n + 1.0) * (size - of_x - of_y + n + 1.0))
        n += 1.0
    weight, n = 1.0, likeliest
    while n > least and weight > LEAST_WEIGHT:
        weight *= n * (size - of_x - of_y + n) / ((of_x - n + 1.0) * (of_y - n + 1.0))
        n -= 1.0
        add_count(n, expected, weight, sums)
    mean, square, product, x2, x2_square, x2_product, raw_square = sums[1:] / sums[0]
    n_variance = x2 * expected
    if n_variance <= 0.0:
        return mean, raw_square, 0.0, 0.0
    varies = square - mean * mean - product * product / n_variance
    return mean, raw_square, varies, x2_square - x2 * x2 - x2_product * x2_product / n_variance


@kernel
def add_count(n, expected, weight, sums):
    """Add a count of a cell: what it makes of G² and X², their squares and products with it, all weighted."""
    apart = n - expected
    raw = 2.0 * n * math.log(n) if n > 0.0 else 0.0
    ratio = raw - 2.0 * math.log(expected) * apart  # of mean 0, and without it squares are inexact
    pearson = apart * apart / expected
    sums[0] += weight
    sums[1] += weight * ratio
    sums[2] += weight * ratio * ratio
    sums[3] += weight * ratio * apart
    sums[4] += weight * pearson
    sums[5] += weight * pearson * pearson
    sums[6] += weight * pearson * apart
    sums[7] += weight * raw * raw


@kernel
def products_of_cells(of_x, of_y, size, differences):
    """The mean of the sum over pairs of different cells of the products of 2 n ln n.

    By Newton's series 2 n ln n is a sum of binomial coefficients, with its differences at 0 as factors. The
    coefficient of n over k counts the sets of k rows that all lie in the cell, whose probability is known.
    """
    most = int(min(of_x.max(), of_y.max()))
    x_falling, y_falling = falling(of_x, 2 * most), falling(of_y, 2 * most)
    all_falling = falling(np.array([size]), 2 * most)[0]
    total = 0.0
    for k in range(2, most + 1):
        for m in range(2, most + 1):
            if all_falling[k + m] <= 0.0:
                continue
            x_apart, x_same = pairs_of_levels(x_falling, k, m)
            y_apart, y_same = pairs_of_levels(y_falling, k, m)
            n_sets = x_apart * y_apart + x_same * y_apart + x_apart * y_same
            factors = differences[k] / math.gamma(k + 1.0) * (differences[m] / math.gamma(m + 1.0))
            total += factors * (n_sets / all_falling[k + m])
    return total


@kernel
def falling(margin, most):
    """The falling factorials n (n − 1) … (n − k + 1) of each count of a margin, for k up to `most`."""
    found = np.ones((margin.size, most + 1))
    for level in range(margin.size):
        for k in range(1, most + 1):
            found[level, k] = found[level, k - 1] * max(margin[level] - k + 1.0, 0.0)
    return found


@kernel
def pairs_of_levels(falling_factorials, k, m):
    """The sums of products over pairs of different levels, and over k + m rows of the same level."""
    first = second = both = same = 0.0
    for level in range(falling_factorials.shape[0]):
        first += falling_factorials[level, k]
        second += falling_factorials[level, m]
        both += falling_factorials[level, k] * falling_factorials[level, m]
        same += falling_factorials[level, k + m]
    return first * second - both, same

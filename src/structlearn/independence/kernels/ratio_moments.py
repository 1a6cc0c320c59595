"""G² of sparse tables (stratum, x, y), and its moments among all tables with the same margins."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.independence.kernels.fixed_margins import moments
from structlearn.independence.kernels.tables import add_margins, inverse_sum, likelihood_ratio, n_seen

LEAST_WEIGHT = 1e-14  # of a count, beside the likeliest: those beyond add nothing


@kernel
def likelihood_ratio_moments(counts, starts, strata, x_levels, y_levels, series, logs, found):
    """Write of each table G², and its mean and variance.

    `found` is (tables, 3). Strata in which G² is the same whatever the table are left out. `series` are the
    factors of Newton's series of 2 n ln n, as many as can be summed without loss, and `logs` 2 n ln n itself
    for small n.
    """
    for i in range(starts.size):
        of_x, of_y = np.empty(x_levels[i]), np.empty(y_levels[i])
        found[i] = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            size = add_margins(counts, at, x_levels[i], y_levels[i], of_x, of_y)
            if size > 2.0 and n_seen(of_x) > 1 and n_seen(of_y) > 1:
                found[i, 0] += likelihood_ratio(counts, at, of_x, of_y, size)
                mean, variance = ratio_moments(of_x, of_y, size, series, logs)
                found[i, 1] += mean
                found[i, 2] += variance
            at += x_levels[i] * y_levels[i]


@kernel
def ratio_moments(of_x, of_y, size, series, logs):
    """The mean and the variance of G² of a stratum whose margins are given.

    The variance is exact where no count can be large. Elsewhere it is that of X², times what the cells
    of G² vary beside those of X², or that of Bartlett's correction, 2 mean² / freedom, if that is smaller.
    """
    is_exact = min(of_x.max(), of_y.max()) < series.size
    mean = total = square = spread = pearson_spread = 0.0
    for x in range(of_x.size):
        for y in range(of_y.size):
            if of_x[x] > 0.0 and of_y[y] > 0.0:
                expected = of_x[x] * of_y[y] / size
                if is_exact:
                    cell_mean, cell_square = cell_moments(of_x[x], of_y[y], size, logs)
                    square += cell_square
                    total += cell_mean
                    mean += cell_mean - 2.0 * expected * math.log(expected)
                else:
                    cell_mean, varies, pearson_varies = cell_spreads(of_x[x], of_y[y], size, logs)
                    mean += cell_mean
                    spread += varies
                    pearson_spread += pearson_varies
    if is_exact:
        return mean, max(square + products_of_cells(of_x, of_y, size, series) - total * total, 0.0)
    if pearson_spread <= 0.0:
        return mean, 0.0
    x_seen, y_seen = n_seen(of_x), n_seen(of_y)
    _, pearson_variance = moments(size, x_seen, y_seen, inverse_sum(of_x), inverse_sum(of_y))
    freedom = (x_seen - 1.0) * (y_seen - 1.0)
    return mean, min(pearson_variance * spread / pearson_spread, 2.0 * mean * mean / freedom)


@kernel
def likeliest_count(of_x, of_y, size):
    """The count of a cell that has the largest probability, the margins given."""
    likeliest = float(math.floor((of_x + 1.0) * (of_y + 1.0) / (size + 2.0)))
    return min(max(likeliest, of_x + of_y - size, 0.0), of_x, of_y)


@kernel
def log_term(n, logs):
    """2 n ln n."""
    if n < logs.size and n == math.floor(n):
        return logs[int(n)]
    return 2.0 * n * math.log(n) if n > 0.0 else 0.0


@kernel
def cell_moments(of_x, of_y, size, logs):
    """The mean and mean square of 2 n ln n in a cell."""
    likeliest = likeliest_count(of_x, of_y, size)
    least, most = max(0.0, of_x + of_y - size), min(of_x, of_y)
    weights = means = squares = 0.0
    weight, n = 1.0, likeliest
    while n <= most and weight > LEAST_WEIGHT:
        term = log_term(n, logs)
        weights += weight
        means += weight * term
        squares += weight * term * term
        weight *= (of_x - n) * (of_y - n) / ((n + 1.0) * (size - of_x - of_y + n + 1.0))
        n += 1.0
    weight, n = 1.0, likeliest
    while n > least and weight > LEAST_WEIGHT:
        weight *= n * (size - of_x - of_y + n) / ((of_x - n + 1.0) * (of_y - n + 1.0))
        n -= 1.0
        term = log_term(n, logs)
        weights += weight
        means += weight * term
        squares += weight * term * term
    return means / weights, squares / weights


@kernel
def cell_spreads(of_x, of_y, size, logs):
    """The mean of a cell's part of G², and how much it and (n − e)² / e vary by themselves.

    That is, less what their regressions on n explain: sums of counts are given with the margins.
    """
    expected = of_x * of_y / size
    log_expected = 2.0 * math.log(expected)
    likeliest = likeliest_count(of_x, of_y, size)
    least, most = max(0.0, of_x + of_y - size), min(of_x, of_y)
    weights = mean = square = product = x2 = x2_square = x2_product = 0.0
    for direction in range(2):
        weight, n = 1.0, likeliest
        while weight > LEAST_WEIGHT:
            if direction == 1:
                if n <= least:
                    break
                weight *= n * (size - of_x - of_y + n) / ((of_x - n + 1.0) * (of_y - n + 1.0))
                n -= 1.0
            apart = n - expected
            ratio = log_term(n, logs) - log_expected * apart  # about 0, so that squares keep their digits
            pearson = apart * apart / expected
            weights += weight
            mean += weight * ratio
            square += weight * ratio * ratio
            product += weight * ratio * apart
            x2 += weight * pearson
            x2_square += weight * pearson * pearson
            x2_product += weight * pearson * apart
            if direction == 0:
                if n >= most:
                    break
                weight *= (of_x - n) * (of_y - n) / ((n + 1.0) * (size - of_x - of_y + n + 1.0))
                n += 1.0
    mean, square, product = mean / weights, square / weights, product / weights
    x2, x2_square, x2_product = x2 / weights, x2_square / weights, x2_product / weights
    of_ratio = mean - expected * log_expected
    n_variance = x2 * expected
    if n_variance <= 0.0:
        return of_ratio, 0.0, 0.0
    varies = square - mean * mean - product * product / n_variance
    return of_ratio, varies, x2_square - x2 * x2 - x2_product * x2_product / n_variance


@kernel
def products_of_cells(of_x, of_y, size, series):
    """The mean of the sum over pairs of different cells of the products of 2 n ln n.

    By Newton's series 2 n ln n is a sum of falling factorials of n with given factors. That of order k counts
    the rows of k that all lie in the cell, whose probability is known.
    """
    most = int(min(of_x.max(), of_y.max()))
    x_falling, y_falling = falling(of_x, 2 * most), falling(of_y, 2 * most)
    all_falling = falling(np.array([size]), 2 * most)[0]
    total = 0.0
    for k in range(2, most + 1):
        for m in range(k, most + 1):
            if all_falling[k + m] <= 0.0:
                break
            x_apart, x_same = pairs_of_levels(x_falling, k, m)
            y_apart, y_same = pairs_of_levels(y_falling, k, m)
            n_sets = x_apart * y_apart + x_same * y_apart + x_apart * y_same
            once = series[k] * series[m] * (n_sets / all_falling[k + m])
            total += once if k == m else 2.0 * once
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

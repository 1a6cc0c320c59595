"""X² and G² of sparse tables (stratum, x, y), and their moments among all tables with the same margins."""

import numpy as np

from structlearn.compile import kernel
from structlearn.independence.kernels import by_arrays
from structlearn.independence.kernels.by_arrays import NEARER
from structlearn.independence.kernels.ratio_moments import ratio_moments
from structlearn.independence.kernels.tables import add_margins, inverse_sum, likelihood_ratio, n_seen


@kernel(instead=by_arrays.fixed_margin_moments)
def fixed_margin_moments(counts, starts, strata, x_levels, y_levels, is_pearson, logs, found):
    """Write of each table the mean and variance of X², and what X² or G² needs beside them.

    `found` is (tables, 7). First come the mean and variance of X², then the number of rows that do not have
    the commonest x of their stratum, or the commonest y if these are fewer, and the rows per stratum. Only
    the last counts strata in which the statistic is the same whatever the table: x or y has one level there,
    or there are two rows. At the end stand X² and X² corrected for continuity, or else the mean and variance
    of G², and how much of G² is in strata of two rows.
    """
    for i in range(starts.size):
        of_x, of_y = np.empty(x_levels[i]), np.empty(y_levels[i])
        found[i] = 0.0
        x_rare = y_rare = n_rows = n_strata = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            size = add_margins(counts, at, x_levels[i], y_levels[i], of_x, of_y)
            if size > 0.0:
                n_rows += size
                n_strata += 1.0
                x_seen, y_seen = n_seen(of_x), n_seen(of_y)
                varies = x_seen > 1 and y_seen > 1
                if varies and size > 2.0:
                    mean, variance, curved = moments(
                        size, x_seen, y_seen, inverse_sum(of_x), inverse_sum(of_y)
                    )
                    found[i, 0] += mean
                    found[i, 1] += variance
                    x_rare += size - of_x.max()
                    y_rare += size - of_y.max()
                    if is_pearson:
                        first, second = residuals(counts, at, of_x, of_y, size)
                    else:
                        first, second = ratio_moments(of_x, of_y, size, curved, logs)
                    found[i, 4] += first
                    found[i, 5] += second
                elif varies and not is_pearson:
                    found[i, 6] += likelihood_ratio(counts, at, of_x, of_y, size)
            at += x_levels[i] * y_levels[i]
        found[i, 2] = min(x_rare, y_rare)
        found[i, 3] = n_rows / n_strata if n_strata > 0.0 else 0.0


@kernel
def residuals(counts, at, of_x, of_y, size):
    """X² of one stratum, and X² of counts that are nearer to what is expected."""
    plain = 0.0
    corrected = 0.0
    for x in range(of_x.size):
        for y in range(of_y.size):
            expected = of_x[x] * of_y[y] / size
            if expected > 0.0:
                apart = abs(counts[at + x * of_y.size + y] - expected)
                nearer = max(apart - NEARER, 0.0)
                plain += apart * apart / expected
                corrected += nearer * nearer / expected
    return plain, corrected


@kernel
def moments(size, x_seen, y_seen, x_inverses, y_inverses):
    """The mean and the variance of X² of more than two rows whose margins are given (Haldane, 1940).

    At the end stands the part of the variance that is not that of a sum of multiples of counts.
    """
    mean = size * (x_seen - 1) * (y_seen - 1) / (size - 1.0)
    x_rest = (size * x_inverses - x_seen * x_seen) / (size - 2.0)
    y_rest = (size * y_inverses - y_seen * y_seen) / (size - 2.0)
    variance = size * size / (size - 1.0) * x_rest * y_rest
    curved = 0.0
    if size > 3.0:
        x_even = (x_seen - 1) * (size - x_seen) / (size - 1.0) - x_rest
        y_even = (y_seen - 1) * (size - y_seen) / (size - 1.0) - y_rest
        curved = 2.0 * size / (size - 3.0) * x_even * y_even
    return mean, max(variance + curved, 0.0), curved

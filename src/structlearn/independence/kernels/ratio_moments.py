"""The moments of G² of a sparse stratum among all tables with the same margins."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.independence.kernels.by_arrays import LARGE, LEAST_CURVED, LEAST_WEIGHT, THIRD


@kernel
def ratio_moments(of_x, of_y, size, pearson_curved, logs):
    """The mean of G² of a stratum whose margins are given, and about its variance.

    `logs` are 2 n ln n for small n. A cell's part of G² is a line in its count n, and a rest. The variance of
    the lines is exact; that of the rests is what X² varies about its own lines, `pearson_curved`, times what
    the cells of G² vary about theirs, beside those of X².
    """
    factors = cumulant_factors(size)
    y_slopes = np.zeros(of_y.size)
    mean = straight = slope = curved = pearson = 0.0
    for x in range(of_x.size):
        x_slope = 0.0
        for y in range(of_y.size):
            if of_x[x] > 0.0 and of_y[y] > 0.0:
                of_cell = cell_spreads(of_x[x], of_y[y], size, factors, logs)
                mean += of_cell[0]
                straight += of_x[x] * of_y[y] * of_cell[1] * of_cell[1]
                x_slope += of_y[y] * of_cell[1]
                y_slopes[y] += of_x[x] * of_cell[1]
                curved += of_cell[2]
                pearson += of_cell[3]
        straight -= of_x[x] * x_slope * x_slope / size
        slope += of_x[x] * x_slope
    for y in range(of_y.size):
        straight -= of_y[y] * y_slopes[y] * y_slopes[y] / size
    variance = max(straight + slope * slope / (size * size), 0.0) / (size - 1.0)
    if pearson_curved > LEAST_CURVED and pearson > 0.0:
        variance += pearson_curved * max(curved, 0.0) / pearson
    return mean, variance


@kernel
def cell_moments(of_x, of_y, size, logs):
    """The mean and mean square of 2 n ln n in a cell, and the mean of its product with n.

    `logs` has all n that matter, as few rows are expected. Where rows have weights, n is as far as a chance
    is above 0: one row more than a margin that is no whole number.
    """
    rest = size - of_x - of_y
    n, most = max(0.0, math.floor(-rest)), min(of_x, of_y)
    at = int(n)
    term = logs[at]
    weight = weights = 1.0
    mean, square, product = term, term * term, term * n
    while n < most and weight > LEAST_WEIGHT * weights:
        chances = (of_x - n) * (of_y - n)
        n += 1.0
        at += 1
        weight *= chances / (n * (rest + n))
        term = logs[at]
        part = weight * term
        weights += weight
        mean += part
        square += part * term
        product += part * n
    inverse = 1.0 / weights
    return mean * inverse, square * inverse, product * inverse


@kernel
def cell_spreads(of_x, of_y, size, factors, logs):
    """The mean of a cell's part of G², its slope by n, and how it and (n − e)² / e vary about such lines.

    2 (n − e), which the margins make 0 in all, is taken from G² before.
    """
    inverse, of_second, of_third, fourth_plain, fourth_once, fourth_twice = factors
    x_share, y_share = of_x * inverse, of_y * inverse
    x_spread, y_spread = x_share * (1.0 - x_share), y_share * (1.0 - y_share)
    e = of_x * y_share
    t = 1.0 / e
    v = (1.0 - x_share) * (1.0 - y_share) * of_second  # the variance of n by e
    s = (1.0 - 2.0 * x_share) * (1.0 - 2.0 * y_share) * of_third  # the third cumulant by the variance
    k = fourth_plain - fourth_once * (x_spread + y_spread) + fourth_twice * x_spread * y_spread
    pearson = v * (2.0 * v + (k - s * s) * t)
    if e >= LARGE:
        mean = v + v * t * (0.5 * v - THIRD * s + t * (0.5 * THIRD * k + v * (v - s)))
        mean += v * v * t * t * t * (2.0 * THIRD * s * s + k + v * (3.75 * v - 5.0 * s))
        slope = t * (s - v + t * (v * (5.0 * THIRD * s - 1.5 * v) - THIRD * k))
        return mean, slope, pearson + v * v * t * (14.0 * THIRD * v - 4.0 * s), pearson
    mean, square, product = cell_moments(of_x, of_y, size, logs)
    log_e, varies_with_n = 2.0 * math.log(e), product - mean * e
    slope = varies_with_n / (v * e)
    return mean - e * log_e, slope - log_e - 2.0, square - mean * mean - slope * varies_with_n, pearson


@kernel
def cumulant_factors(size):
    """What the cumulants of all counts in a stratum have in common; 1 / size comes first."""
    both = (size - 2.0) * (size - 3.0 if size > 3.0 else 1.0)  # X² of three rows is a sum of lines
    twice = 6.0 * size * size / both
    return (
        1.0 / size,
        size / (size - 1.0),
        size / (size - 2.0),
        size * (size + 1.0) / both,
        twice,
        twice * (5.0 * size - 6.0) / (size - 1.0),
    )

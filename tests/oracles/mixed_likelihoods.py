"""Likelihoods of regressions by their definitions: least squares, normal densities, sums over rows."""

import math
from collections import defaultdict

import numpy as np
from scipy import optimize, stats


def residuals(target, predictors):
    design = np.column_stack([np.ones(len(target)), *predictors])
    return target - design @ np.linalg.lstsq(design, target, rcond=None)[0]


def gaussian(target, predictors):
    """The largest log-likelihood of a linear regression with normal errors."""
    left = residuals(target, predictors)
    return float(stats.norm.logpdf(left, scale=np.sqrt(np.mean(left**2))).sum())


def groups(*columns):
    """The rows of each joint state of discrete columns."""
    found = defaultdict(list)
    for row, state in enumerate(zip(*columns, strict=True)):
        found[state].append(row)
    return list(found.values())


def two_continuous(x, y, discrete, continuous):
    """(likelihood ratio, dof) of y in the regressions of x within the states of `discrete`."""
    ratio = dof = 0
    for rows in groups(*discrete) if discrete else [np.arange(len(x))]:
        given = [column[rows] for column in continuous]
        ratio += 2 * (gaussian(x[rows], [*given, y[rows]]) - gaussian(x[rows], given))
        dof += 1
    return ratio, dof


def continuous_and_discrete(x, y, discrete, continuous):
    """(likelihood ratio, dof) of splitting the regressions of x by the states of y as well."""
    likelihood = n_groups = 0
    for sign, columns in ((-1, discrete), (1, [*discrete, y])):
        for rows in groups(*columns) if columns else [np.arange(len(x))]:
            likelihood += 2 * sign * gaussian(x[rows], [column[rows] for column in continuous])
            n_groups += sign
    return likelihood, n_groups * (len(continuous) + 2)


def logistic(target, predictors, n_levels):
    """The largest log-likelihood of a multinomial logistic regression, by a general optimiser."""
    design = np.column_stack([np.ones(len(target)), *predictors])

    def loss(slopes):
        scores = np.column_stack([np.zeros(len(target)), design @ slopes.reshape(-1, n_levels - 1)])
        scores -= scores.max(axis=1, keepdims=True)
        return -sum(
            row[level] - math.log(np.exp(row).sum()) for row, level in zip(scores, target, strict=True)
        )

    start = np.zeros(design.shape[1] * (n_levels - 1))
    return -optimize.minimize(loss, start, method="BFGS", options={"gtol": 1e-7}).fun


def indicators(codes):
    return [(codes == level).astype(float) for level in sorted(set(codes.tolist()))[1:]]


def two_discrete(x, y, predictors):
    """(smaller likelihood ratio, dof, combined p-value) of nested logistic regressions both ways."""
    levels = len(set(x.tolist())), len(set(y.tolist()))
    ratios = [
        2 * (logistic(a, [*predictors, *indicators(b)], n) - logistic(a, predictors, n))
        for a, b, n in ((x, y, levels[0]), (y, x, levels[1]))
    ]
    dof = (levels[0] - 1) * (levels[1] - 1)
    p_values = stats.chi2.sf(ratios, dof)
    return min(ratios), dof, min(2 * p_values.min(), p_values.max())

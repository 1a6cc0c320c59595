"""Regressions within the joint states of discrete parents, from moments."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, warn
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.linear_gaussian import VARIANCE_FLOOR, regress
from structlearn.rounding import CONSTANT
from structlearn.statistics.units import origins

Floats = NDArray[np.float64]


class FittedRegimes(NamedTuple):
    """By regime: intercepts, slopes (regimes, continuous parents), variances, and who took the pooled fit."""

    intercepts: Floats
    slopes: Floats
    variances: Floats
    is_pooled: NDArray[np.bool_]


class _Sums(NamedTuple):
    """Sizes, means and sums of products around them by stratum; the child is the last column."""

    sizes: Floats
    means: Floats
    products: Floats


def fit_regimes(family: Family, *, pooled_variance: bool) -> FittedRegimes:
    """A regression in each joint state of the discrete parents that has rows enough."""
    levels = np.array(family.parent_levels, dtype=np.int64)
    discrete = [column for column, n in zip(family.parents, levels, strict=True) if n]
    continuous = [column for column, n in zip(family.parents, levels, strict=True) if not n]
    columns = [*continuous, family.child]
    moments = family.statistics.grouped_moments(discrete, np.array([columns]))
    means = np.where(
        moments.sizes[0][:, None] > 0.0, moments.means[0] + origins(family.statistics)[columns], 0.0
    )
    within = _Sums(moments.sizes[0], means, moments.products[0])
    everything = _pooled(within)
    least = _least_variance(family.name, everything)
    line = _regression(everything, 0)
    n_regimes = int(levels[levels > 0].prod())
    lines = np.tile(line, (n_regimes, 1))
    is_pooled = np.ones(n_regimes, dtype=np.bool_)
    squares, sizes = np.zeros(n_regimes), np.zeros(n_regimes)
    for stratum, state in enumerate(moments.states):
        regime = int(np.ravel_multi_index(tuple(state), tuple(levels[levels > 0]))) if len(state) else 0
        sizes[regime] = within.sizes[stratum]
        if sizes[regime] >= len(continuous) + 2:
            lines[regime], is_pooled[regime] = _regression(within, stratum), False
        squares[regime] = _squares(within, stratum, lines[regime])
    of_all = _squares(everything, 0, line) / everything.sizes[0]
    if pooled_variance:
        variances = np.full(n_regimes, squares.sum() / sizes.sum())
    else:
        variances = np.where(is_pooled, of_all, squares / np.maximum(sizes, 1.0))
    return FittedRegimes(lines[:, -1], lines[:, :-1], _floored(variances, least, family.name), is_pooled)


def _pooled(within: _Sums) -> _Sums:
    """The sums of all strata as one."""
    size = within.sizes.sum()
    mean = within.sizes @ within.means / size
    away = within.means - mean
    between = (within.sizes[:, None] * away).T @ away
    return _Sums(np.array([size]), mean[None], (within.products.sum(axis=0) + between)[None])


def _regression(sums: _Sums, stratum: int) -> Floats:
    """The slopes and, last, the intercept of a least-squares fit."""
    mean = sums.means[stratum]
    covariance = sums.products[stratum] / sums.sizes[stratum]
    deviations = np.sqrt(np.diag(covariance))
    deviations[deviations <= CONSTANT * np.abs(mean)] = 0.0
    if deviations[-1] == 0:
        return np.array([*np.zeros(len(mean) - 1), mean[-1]])
    slopes, _, _ = regress(covariance, deviations)
    return np.array([*slopes, mean[-1] - slopes @ mean[:-1]])


def _squares(sums: _Sums, stratum: int, line: Floats) -> float:
    """The sum of squared distances of the rows of a stratum from a line."""
    slopes, intercept = line[:-1], line[-1]
    residual = np.array([*-slopes, 1.0])
    bias = sums.means[stratum] @ residual - intercept
    return float(max(residual @ sums.products[stratum] @ residual, 0.0) + sums.sizes[stratum] * bias**2)


def _least_variance(name: str, everything: _Sums) -> float:
    variance = float(everything.products[0, -1, -1] / everything.sizes[0])
    if variance <= (CONSTANT * everything.means[0, -1]) ** 2:
        raise DataError(
            f"Column {name!r} is constant, so it has no normal distribution. Drop it, or pass "
            f'kinds={{{name!r}: "discrete"}}.'
        )
    return VARIANCE_FLOOR * variance


def _floored(variances: Floats, least: float, name: str) -> Floats:
    n_low = int((variances <= least).sum())
    if n_low:
        warn(
            f"Column {name!r} is a linear function of its parents in {n_low} of {len(variances)} joint "
            f"states of its discrete parents (or there are too few rows to tell), so its variance there was "
            f"set to {VARIANCE_FLOOR:g} of its own. Drop a column or an edge, or pool the variance."
        )
    return np.maximum(variances, least)

"""Maximised likelihoods of families of both kinds: tables, and regressions within discrete states."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import COLLINEAR
from structlearn.scores.kernels.gaussian import likelihoods_within_groups, residual_variance
from structlearn.scores.likelihoods import MOST_PRODUCTS, Fits, Likelihood, Regressions, Tables
from structlearn.scores.protocol import Families
from structlearn.statistics import GroupedMoments, MemoryStatistics, Statistics
from structlearn.statistics.column_sorts import Sort
from structlearn.statistics.units import log_units

Batch = tuple[tuple[int, ...], NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True)
class Mixtures(Likelihood):
    """Each family by its kinds; a discrete child of a continuous parent gets minus infinity."""

    prefix: ClassVar[str] = "ConditionalGaussian"
    takes: ClassVar[tuple[Sort, ...]] = ("mixed", "discrete", "continuous")
    is_equivalent: ClassVar[bool] = False

    def fit(self, statistics: Statistics, families: Families) -> Fits:
        """Fit many families with the same number of parents."""
        is_discrete = statistics.levels[families] > 0
        child, parents = is_discrete[:, 0], is_discrete[:, 1:]
        log_likelihoods, n_free = np.full(len(families), -math.inf), np.zeros(len(families))
        of_one_kind: tuple[tuple[NDArray[np.bool_], Likelihood], ...] = (
            (child & parents.all(axis=1), Tables()),
            (~(child | parents.any(axis=1)), Regressions()),
        )
        for which, likelihood in of_one_kind:
            if which.any():
                log_likelihoods[which], n_free[which] = likelihood.fit(statistics, families[which])
        moments = statistics.grouped_moments
        if isinstance(statistics, MemoryStatistics):
            moments = statistics.repeated_moments
        for discrete, sets, places in _batches(statistics, families, ~child & parents.any(axis=1)):
            log_likelihoods[places] = _likelihoods_within(moments(discrete, sets))
            log_likelihoods[places] -= statistics.size * log_units(statistics)[families[places, 0]]
            n_states = statistics.levels[list(discrete)].astype(np.float64).prod()
            n_free[places] = n_states * (sets.shape[1] + 1)
        return Fits(log_likelihoods, n_free)


def _likelihoods_within(moments: GroupedMoments) -> NDArray[np.float64]:
    """The sum over strata, of which those with too few rows take the regression on all rows."""
    log_likelihoods = np.empty(len(moments.sizes))
    is_sparse = np.empty(moments.sizes.shape, dtype=np.bool_)
    likelihoods_within_groups(moments.sizes, moments.products, COLLINEAR, log_likelihoods, is_sparse)
    for i in np.flatnonzero(is_sparse.any(axis=1)):
        sizes, means, products = moments.sizes[i], moments.means[i], moments.products[i]
        log_likelihoods[i] += _likelihood_of_pooled(sizes, means, products, is_sparse[i])
    return log_likelihoods


def _likelihood_of_pooled(
    sizes: NDArray[np.float64],
    means: NDArray[np.float64],
    products: NDArray[np.float64],
    is_sparse: NDArray[np.bool_],
) -> float:
    """The log-likelihood of the rows of some strata under the regression on all rows.

    The first column of a set is the child.
    """
    size = sizes.sum()
    away = means - sizes @ means / size
    within_and_between = products + sizes[:, None, None] * away[:, :, None] * away[:, None, :]
    pooled = within_and_between.sum(axis=0)
    width = len(pooled)
    room = np.zeros((width - 1, width - 1)), np.zeros(width - 1)
    variance = residual_variance(pooled, np.arange(width), COLLINEAR, 0, *room) / size
    if size <= width or variance == 0.0:
        return -math.inf
    scale = np.sqrt(np.diag(pooled)[1:])  # in units of their own, columns of any size solve alike
    slopes = np.linalg.solve(pooled[1:, 1:] / np.outer(scale, scale), pooled[1:, 0] / scale) / scale
    residual = np.concatenate([[1.0], -slopes])
    squares = residual @ within_and_between[is_sparse].sum(axis=0) @ residual
    n_rows = sizes[is_sparse].sum()
    return float(-0.5 * (n_rows * math.log(2.0 * math.pi * variance) + squares / variance))


def _batches(statistics: Statistics, families: Families, which: NDArray[np.bool_]) -> Iterator[Batch]:
    """Families with the same discrete parents: these, the continuous columns, and their places."""
    batches: dict[tuple[int, ...], list[tuple[list[int], int]]] = {}
    for place in np.flatnonzero(which).tolist():
        columns = families[place].tolist()
        discrete = tuple(sorted(j for j in columns if statistics.levels[j]))
        continuous = [j for j in columns if not statistics.levels[j]]
        batches.setdefault(discrete, []).append((continuous, place))
    for discrete, members in batches.items():
        sets = np.array([member[0] for member in members], dtype=np.int64)
        places = np.array([member[1] for member in members], dtype=np.int64)
        step = _most_at_once(statistics, discrete, sets.shape[1])
        for start in range(0, len(sets), step):
            yield discrete, sets[start : start + step], places[start : start + step]


def _most_at_once(statistics: Statistics, discrete: tuple[int, ...], width: int) -> int:
    n_states = min(statistics.levels[list(discrete)].astype(np.float64).prod(), float(statistics.n_rows))
    return max(int(MOST_PRODUCTS / (n_states * width**2)), 1)

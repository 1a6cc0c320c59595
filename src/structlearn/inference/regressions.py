"""The regression of a continuous node in each of many joint states of its discrete parents."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.inference.gaussian import Regression
from structlearn.models import (
    CPD,
    AdditiveGaussianCPD,
    ConditionalGaussianCPD,
    GaussianTreeCPD,
    LinearGaussianCPD,
    PointCPD,
)

Codes = NDArray[np.int64]


class NotExactError(DataError):
    """A question without an exact answer, or without one that fits; samples have one."""


def regression_of(
    name: str, cpd: CPD, states: Mapping[str, Codes], numbers: Mapping[str, float], n: int
) -> Regression:
    """The intercepts, slopes and variances in `n` regimes.

    `states` has the codes of the discrete nodes in each, `numbers` what is known of continuous ones.
    """
    if isinstance(cpd, PointCPD):
        return Regression(np.full(n, cpd.value), {}, np.zeros(n))
    if isinstance(cpd, LinearGaussianCPD):
        slopes = {parent: np.full(n, slope) for parent, slope in cpd.coefficients.items()}
        return Regression(np.full(n, cpd.intercept), slopes, np.full(n, cpd.variance))
    if isinstance(cpd, AdditiveGaussianCPD):
        intercepts = np.full(n, cpd.intercept)
        for parent, shifts in cpd.shifts.items():
            intercepts = intercepts + np.array(shifts)[states[parent]]
        slopes = {parent: np.full(n, slope) for parent, slope in cpd.coefficients.items()}
        return Regression(intercepts, slopes, np.full(n, cpd.variance))
    if isinstance(cpd, ConditionalGaussianCPD):
        regime = tuple(states[parent] for parent in cpd.regimes)
        slopes = {parent: _in(values, regime, n) for parent, values in cpd.coefficients.items()}
        return Regression(_in(cpd.intercepts, regime, n), slopes, _in(cpd.variances, regime, n))
    if isinstance(cpd, GaussianTreeCPD) and all(p in states or p in numbers for p in cpd.tested_parents):
        rows = [np.broadcast_to(states.get(p, numbers.get(p, 0.0)), (n,)) for p in cpd.parents]
        leaves = cpd.leaves_of(rows, n)
        return Regression(cpd.means[leaves], {}, cpd.variances[leaves])
    raise NotExactError(
        f"{name!r} has a {cpd.form} distribution, which is no linear regression on its continuous parents, "
        'so there is no exact answer. Use method="weighting".'
    )


def _in(values: NDArray[np.float64], regime: tuple[Codes, ...], n: int) -> NDArray[np.float64]:
    return np.broadcast_to(values[regime], (n,)).astype(np.float64)

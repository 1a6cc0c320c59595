"""What statistics are compared with: χ² where tables are well filled, the margins where they are sparse."""

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.kernels.fixed_margins import fixed_margin_moments
from structlearn.independence.kernels.ratio_moments import likelihood_ratio_moments
from structlearn.independence.protocol import Answers
from structlearn.independence.tails import chi2_tail, log_chi2_tail
from structlearn.statistics import Tables

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]
Chosen = tuple[Counts | Numbers, Counts, Counts, Counts, Counts]

# Below, the level was off in simulated tables of 500 settings; within, it was 3.5 to 7 % at 5 %.
FEWEST_RARE_ROWS = 5.0
LEAST_VARIANCE = 1.8  # that of χ² with one degree of freedom is 2
LEAST_SHAPE = 0.45  # mean² / variance, which is 0.5 for χ² with one degree of freedom; less is a rare event
MOST_EXACT = 22  # counts beyond have series whose terms of 1e6, squared, leave no digits of the variance
FEWEST_ROWS_PER_STRATUM = 5.0  # where a column has one level in all of them, to take it for constant there


def _series() -> Numbers:
    """The factors of n (n − 1) … (n − k + 1) in Newton's series of 2 n ln n, by k.

    They are its differences at 0 by k!; the terms of these cancel, so that they need more digits.
    """
    with localcontext(prec=50):
        values = [2 * n * Decimal(n).ln() if n else Decimal(0) for n in range(MOST_EXACT + 1)]
        found: list[float] = []
        while values:
            found.append(float(values[0] / math.factorial(len(found))))
            values = [after - before for before, after in pairwise(values)]
    return np.array(found)


SERIES = _series()
LOGS = np.array([2.0 * n * math.log(max(n, 1)) for n in range(2_048)])  # larger counts are rare here


@dataclass(frozen=True, slots=True)
class ChiSquareTails:
    """Statistics and degrees of freedom whose χ² tails are p-values, and which of these hold their level.

    `reliable` is None where all do.
    """

    statistic: Numbers
    dof: Numbers
    reliable: NDArray[np.bool_] | None = None

    def answers(self, statistic: Numbers, dof: Numbers) -> Answers:
        """The p-values, beside the statistic and the degrees of freedom that are reported."""
        p_value = chi2_tail(self.statistic, self.dof)
        log_tail = partial(log_chi2_tail, self.statistic, self.dof, p_value=p_value)
        return Answers(statistic, dof, p_value, log_tail, self.reliable)

    def put(self, places: NDArray[np.int64], others: "ChiSquareTails") -> None:
        """Put others in the places of some."""
        assert self.reliable is not None  # noqa: S101, whoever has some that are not reliable has said so
        self.statistic[places], self.dof[places] = others.statistic, others.dof
        self.reliable[places] = True if others.reliable is None else others.reliable


def scaled(statistic: Numbers, mean: Numbers, variance: Numbers) -> tuple[Numbers, Numbers]:
    """A statistic on the scale of the χ² distribution that has its mean and variance but for the scale.

    Its degrees of freedom are 0 where nothing varies.
    """
    has_spread = variance > 0.0
    scale = np.divide(2.0 * mean, variance, out=np.zeros_like(mean), where=has_spread)
    return statistic * scale, mean * scale


def matched_tails(
    tables: Tables,
    which: NDArray[np.int64],
    levels: tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    is_pearson: bool,
) -> ChiSquareTails:
    """X² or G² of some tables on the scale of χ², with its moments among tables of the same margins."""
    of_x, of_y = levels
    chosen = (tables.counts, tables.starts[which], tables.strata[which], of_x[which], of_y[which])
    by_pearson = _pearson_tails(chosen)
    if is_pearson:
        return by_pearson
    found = np.empty((len(which), 3))
    likelihood_ratio_moments(*chosen, SERIES, LOGS, found)
    ratio, mean, variance = found.T
    statistic, dof = scaled(ratio, mean, variance)
    varies = variance > 0.0
    return ChiSquareTails(
        np.where(varies, statistic, by_pearson.statistic),
        np.where(varies, dof, by_pearson.dof),
        by_pearson.reliable,
    )


def _pearson_tails(chosen: Chosen) -> ChiSquareTails:
    """X², corrected for continuity where it is not reliable."""
    found = np.empty((len(chosen[1]), 6))
    fixed_margin_moments(*chosen, found)
    plain, corrected, mean, variance, n_rare, per_stratum = found.T
    is_even = (variance >= LEAST_VARIANCE) & (mean**2 >= LEAST_SHAPE * variance)
    varies_enough = is_even & (n_rare >= FEWEST_RARE_ROWS)
    is_constant = (mean == 0.0) & (per_stratum >= FEWEST_ROWS_PER_STRATUM)
    statistic, dof = scaled(np.where(varies_enough, plain, corrected), mean, variance)
    return ChiSquareTails(statistic, dof, varies_enough | is_constant)

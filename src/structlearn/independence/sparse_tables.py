"""What statistics are compared with: χ² where tables are well filled, the margins where they are sparse."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.kernels.fixed_margins import fixed_margin_moments
from structlearn.independence.protocol import Answers
from structlearn.independence.tails import chi2_tail, log_chi2_tail
from structlearn.statistics import Tables

Numbers = NDArray[np.float64]

# Below, the level was off in simulated tables of 500 settings; within, it was 3.5 to 7 % at 5 %.
FEWEST_RARE_ROWS = 5.0
LEAST_VARIANCE = 1.8  # that of χ² with one degree of freedom is 2
LEAST_SHAPE = 0.45  # mean² / variance, which is 0.5 for χ² with one degree of freedom; less is a rare event
# Where a column has one level in all of them, to take it for constant there. With 5, that is chance in one of
# seven tables of 10 rows in two strata.
FEWEST_ROWS_PER_STRATUM = 10.0
# 2 n ln n; larger n have no chance where 10 are expected.
LOGS = np.array([2.0 * n * math.log(max(n, 1)) for n in range(256)])


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

    Its degrees of freedom are 0 where nothing varies, or where margins of a hundredth of a row, as weights
    make them, have moments that no table has.
    """
    has_spread = (variance > 0.0) & (mean > 0.0)
    scale = np.divide(2.0 * mean, variance, out=np.zeros_like(mean), where=has_spread)
    return statistic * scale, mean * scale


def matched_tails(
    tables: Tables,
    which: NDArray[np.int64],
    levels: tuple[NDArray[np.int64], NDArray[np.int64]],
    ratio: Numbers | None,
) -> ChiSquareTails:
    """X², or G² where it is given, of some tables on the scale of χ², with its moments given the margins.

    X² is corrected for continuity where it is not reliable.
    """
    chosen = (tables.starts[which], tables.strata[which], levels[0][which], levels[1][which])
    found = np.empty((len(which), 7))
    fixed_margin_moments(tables.counts, *chosen, ratio is None, LOGS, found)
    mean, variance, n_rare, per_stratum, *others = found.T
    is_even = (variance >= LEAST_VARIANCE) & (mean**2 >= LEAST_SHAPE * variance)
    varies_enough = is_even & (n_rare >= FEWEST_RARE_ROWS)
    is_constant = (mean == 0.0) & (per_stratum >= FEWEST_ROWS_PER_STRATUM)
    if ratio is None:
        plain, corrected, _ = others
        statistic = np.where(varies_enough, plain, corrected)
    else:
        mean, variance, fixed = others
        varies_enough &= mean > 0.0
        statistic = np.maximum(ratio[which] - fixed, 0.0)
    return ChiSquareTails(*scaled(statistic, mean, variance), varies_enough | is_constant)

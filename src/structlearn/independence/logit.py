"""Nested logistic regressions of two discrete columns on conditions of any kind."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.kernels.logit import logit_likelihood, logit_score
from structlearn.independence.tails import log_chi2_tail
from structlearn.statistics import Rows

Matrix = NDArray[np.float64]


# Simulated with 20 to 400 rows and 2 to 20 levels: within the first pair of bounds the likelihood ratio holds
# its level, within the second Rao's score does (3 to 7 % at 5 %).
MOST_EXCESS, MOST_SLOPES = 0.04, 0.1  # how much too large G² of the two columns would be, and slopes per row
MOST_EXCESS_OF_SCORES, MOST_SLOPES_OF_SCORES = 0.2, 0.25


@dataclass(frozen=True, slots=True)
class LogitComparison:
    """Whether x helps to predict y, and y to predict x, beyond the conditions.

    `statistic` is the smaller of the two likelihood ratios, `log_p` the logarithm of
    min(2 · smaller p-value, larger p-value). `is_reliable` is False where classes are separated or rows too
    few.
    """

    statistic: float
    dof: float
    log_p: float
    is_reliable: bool


def compare_logits(rows: Rows, levels: NDArray[np.int64]) -> LogitComparison:
    """Compare regressions with and without each other; columns are (x, y, given…), levels 0 if continuous.

    Where rows are few for the slopes or for the states of x and y, p-values are those of Rao's score, which
    holds its level with fewer rows than the likelihood ratio does; with fewer still they are enlarged.
    """
    weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
    counted = rows.values[weights > 0], weights[weights > 0]
    if not len(counted[0]):
        return LogitComparison(0.0, 0.0, 0.0, is_reliable=False)
    x, y = (np.unique(counted[0][:, j], return_inverse=True)[1].astype(np.int64) for j in (0, 1))
    conditions = _design(counted[0][:, 2:], levels[2:])
    dof = float(x.max() * y.max())
    n_slopes = max(x.max() * (conditions.shape[1] + y.max()), y.max() * (conditions.shape[1] + x.max()))
    size = counted[1].sum()
    if dof == 0.0 or size <= n_slopes:
        return LogitComparison(0.0, 0.0, 0.0, is_reliable=bool(size > n_slopes))
    directions = [_Direction(conditions, *pair, counted[1]) for pair in ((x, y), (y, x))]
    ratios, attained = zip(*(direction.ratio() for direction in directions), strict=True)
    excess, slopes = _excess(x, y, counted[1]) / np.sqrt(2.0 * dof), n_slopes / size
    tested, is_reliable = ratios, all(attained)
    if excess > MOST_EXCESS or slopes > MOST_SLOPES:
        is_reliable &= excess <= MOST_EXCESS_OF_SCORES and slopes <= MOST_SLOPES_OF_SCORES
        share = 1.0 if is_reliable else max(1.0 - slopes, 0.0)
        tested = tuple(share * direction.score() for direction in directions)
    larger, smaller = np.sort(log_chi2_tail(np.array(tested), np.full(2, dof)))[::-1]
    log_p = min(np.log(2.0) + smaller, larger)
    return LogitComparison(min(ratios), dof, float(log_p), is_reliable=bool(is_reliable))


class _Direction:
    """The regression of one column on the conditions, with the other column and without."""

    def __init__(
        self, conditions: Matrix, target: NDArray[np.int64], other: NDArray[np.int64], weights: Matrix
    ) -> None:
        self._conditions = conditions
        self._wider = np.concatenate([conditions, _indicators(other)], axis=1)
        self._rest = target, weights, int(target.max()) + 1

    def ratio(self) -> tuple[float, bool]:
        """The likelihood ratio of the other column, and whether both likelihoods are attained."""
        without, one = logit_likelihood(self._conditions, *self._rest)
        with_it, two = logit_likelihood(self._wider, *self._rest)
        return max(2.0 * (with_it - without), 0.0), bool(one and two)

    def score(self) -> float:
        """Rao's score of the other column."""
        return max(float(logit_score(self._wider, self._conditions.shape[1], *self._rest)), 0.0)


def _excess(x: NDArray[np.int64], y: NDArray[np.int64], weights: Matrix) -> float:
    """By how much independence makes G² of two columns larger, on average, than its degrees of freedom."""
    size = weights.sum()
    of_x, of_y = (size * (1.0 / np.bincount(codes, weights=weights)).sum() - 1.0 for codes in (x, y))
    return float(of_x * of_y / (6.0 * size))


def _design(values: Matrix, levels: NDArray[np.int64]) -> Matrix:
    """Ones, standardised numbers, and indicators of all levels that occur but one."""
    parts = [np.ones((len(values), 1))]
    for column, n_levels in zip(values.T, levels, strict=True):
        if n_levels:
            parts.append(_indicators(np.unique(column, return_inverse=True)[1]))
        elif (column != column[0]).any():
            parts.append(((column - column.mean()) / column.std())[:, None])
    return np.concatenate(parts, axis=1)


def _indicators(codes: NDArray[np.int64]) -> Matrix:
    indicators: Matrix = (codes[:, None] == np.arange(1, codes.max() + 1)).astype(np.float64)
    return indicators

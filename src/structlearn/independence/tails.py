"""Tail probabilities, and their logarithms where the probabilities are too small for a float."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.rounding import TINY

Numbers = NDArray[np.float64]
Term = Callable[[int], tuple[Numbers, Numbers]]

MOST_TERMS = 20_000  # never reached: tails too small for a float take some five terms (measured)


def chi2_tail(statistic: Numbers, dof: Numbers) -> Numbers:
    """The χ² probability of at least this statistic; 1 without degrees of freedom."""
    p_value: Numbers = np.where(dof > 0, special.chdtrc(np.where(dof > 0, dof, 1.0), statistic), 1.0)
    return p_value


def log_chi2_tail(statistic: Numbers, dof: Numbers, *, p_value: Numbers | None = None) -> Numbers:
    """The logarithm of `chi2_tail`, which may be known, by a continued fraction where that is too small."""
    p_value = chi2_tail(statistic, dof) if p_value is None else p_value
    log_p = np.log(np.maximum(p_value, TINY))
    far = p_value < TINY
    log_p[far] = _log_upper_gamma(dof[far] / 2.0, statistic[far] / 2.0)
    return log_p


def normal_tails(statistic: Numbers) -> Numbers:
    """The normal probability of a value at least as far from 0, on either side."""
    p_value: Numbers = 2.0 * special.ndtr(-np.abs(statistic))
    return p_value


def log_normal_tails(statistic: Numbers) -> Numbers:
    """The logarithm of `normal_tails`."""
    log_p: Numbers = np.log(2.0) + special.log_ndtr(-np.abs(statistic))
    return np.minimum(log_p, 0.0)


def t_tails(statistic: Numbers, dof: Numbers) -> Numbers:
    """Student's probability of a value at least as far from 0, on either side; 1 without dof."""
    freedom = np.where(dof > 0, dof, 1.0)
    p_value: Numbers = np.where(dof > 0, 2.0 * special.stdtr(freedom, -np.abs(statistic)), 1.0)
    return p_value


def log_t_tails(statistic: Numbers, dof: Numbers) -> Numbers:
    """The logarithm of `t_tails`, by a continued fraction where that is too small."""
    p_value = t_tails(statistic, dof)
    log_p = np.log(np.maximum(p_value, TINY))
    far = p_value < TINY
    log_p[far] = _log_lower_beta(dof[far] / 2.0, statistic[far] ** 2 / dof[far])
    return log_p


def _log_upper_gamma(shape: Numbers, x: Numbers) -> Numbers:
    """The logarithm of Q(shape, x) for x well above shape: Abramowitz and Stegun 6.5.31."""

    def term(k: int) -> tuple[Numbers, Numbers]:
        return -k * (k - shape), x + 2.0 * k + 1.0 - shape

    log_q: Numbers = shape * np.log(x) - x - special.gammaln(shape) - np.log(_fraction(x + 1.0 - shape, term))
    return log_q


def _log_lower_beta(a: Numbers, odds: Numbers) -> Numbers:
    """The logarithm of I(x; a, 1/2) for x = 1 / (1 + odds) below the mean: Abramowitz and Stegun 26.5.8."""
    b, x = 0.5, 1.0 / (1.0 + odds)

    def term(k: int) -> tuple[Numbers, Numbers]:
        m, is_odd = divmod(k, 2)
        if is_odd:
            above = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            above = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        return above, np.ones_like(x)

    log_front = -a * np.log1p(odds) + b * (np.log(odds) - np.log1p(odds)) - np.log(a) - special.betaln(a, b)
    log_i: Numbers = log_front - np.log(_fraction(np.ones_like(x), term))
    return log_i


def _fraction(first: Numbers, term: Term) -> Numbers:
    """The number first + a₁/(b₁ + a₂/(b₂ + …)) by the modified Lentz method, with (aₖ, bₖ) = term(k)."""
    value, c, d = first.copy(), first.copy(), np.zeros_like(first)
    for k in range(1, MOST_TERMS):
        above, below = term(k)
        d = 1.0 / (below + above * d)
        c = below + above / c
        value *= c * d
        if (np.abs(c * d - 1.0) < 1e-15).all():
            break
    return value

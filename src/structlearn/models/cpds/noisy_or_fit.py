"""The strengths of a noisy-or from counted cells: a concave likelihood, maximised between two bounds."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.quasi_newton import quasi_newton
from structlearn.rounding import SHARE_OF_A_TOTAL

Floats = NDArray[np.float64]

# A hazard is -log(1 - strength): these stand for a strength of 0, of 1, and of a half.
LEAST, MOST, START = 1e-12, 40.0, float(np.log(2.0))
ZERO, ONE = 1e-10, 23.0  # nearer to a bound than any count of rows can tell
MOST_STEPS = 20  # Newton's steps double the digits, and L-BFGS came first


def fit_hazards(causes: Floats, counts: Floats) -> Floats:
    """Maximise the log-likelihood over hazards.

    `causes`, (cells, causes), has a 1 where a cause is active; `counts`, (cells, 2), how often the node
    is off and on. Each cell in which the node is ever on has an active cause. A node is off with
    probability exp(-t), t the sum of the active hazards, so the log-likelihood is concave in them:
    what is found is the best there is. A strength of 1 is an infinite hazard.
    """
    size, start = counts.sum(), np.full(causes.shape[1], START)

    def per_row(hazards: Floats) -> tuple[float, Floats]:
        value, slope = log_likelihood(causes, counts, hazards)
        return -value / size, -slope / size

    hazards = _refined(causes, counts, quasi_newton(per_row, start, bounds=(LEAST, MOST)))
    return np.where(hazards < ZERO, 0.0, np.where(hazards > ONE, np.inf, hazards))


def log_likelihood(causes: Floats, counts: Floats, hazards: Floats) -> tuple[float, Floats]:
    """The log-likelihood and its derivatives by the hazards."""
    totals, (off, on) = causes @ hazards, counts.T
    seen = on > 0
    logs = np.log(-np.expm1(-totals[seen]))
    per_total = -off
    per_total[seen] += on[seen] / np.expm1(totals[seen])
    return float(on[seen] @ logs - off @ totals), causes.T @ per_total


def _refined(causes: Floats, counts: Floats, hazards: Floats) -> Floats:
    """Newton steps among the hazards inside their bounds, which L-BFGS leaves at half the digits."""
    value, slope = log_likelihood(causes, counts, hazards)
    inside = (hazards > ZERO) & (hazards < MOST) & causes.any(axis=0)
    for _ in range(MOST_STEPS):
        totals, on = causes @ hazards, counts[:, 1]
        bends = np.divide(on, np.expm1(totals) * -np.expm1(-totals), out=np.zeros_like(on), where=on > 0)
        active = causes[:, inside]
        step = np.linalg.lstsq((active * bends[:, None]).T @ active, slope[inside])[0]
        trial = hazards.copy()
        trial[inside] = np.clip(hazards[inside] + step, LEAST, MOST)
        reached, there = log_likelihood(causes, counts, trial)
        is_flatter = np.abs(there[inside]).sum() < np.abs(slope[inside]).sum()
        if not is_flatter or reached < value - SHARE_OF_A_TOTAL * abs(value):
            break
        hazards, value, slope = trial, reached, there
    return hazards

"""Natural cubic splines that pass near rows of states, as smooth as generalised cross-validation has it.

They minimise Σ w·(y − g)² + λ·∫g''² (Green and Silverman, 1994, chapter 2). λ has the unit of time cubed, and
scipy's search for it ends at the number of rows, so that hours would be smoothed where minutes are not.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import linalg

Floats = NDArray[np.float64]
PER_DECADE = 4  # penalties that are tried; the criterion is flat about its best
ROUGHEST, SMOOTHEST = 1e-4, 10.0  # where the first follows all rows, and the last is a line
TINY_STEP = 1e-3  # of the logarithm of the penalty, for a slope by differences


def smoothed(times: Floats, states: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The splines and their slopes at the times, (rows, columns) each; every column has its own penalty."""
    unit = float(times[-1] - times[0]) / (len(times) - 1)
    steps = np.diff(times) / unit
    bends = np.diff(np.diff(states, axis=0) / steps[:, None], axis=0)
    best = np.full(states.shape[1], np.inf)
    taken_off, curvature = np.zeros_like(states), np.zeros_like(states)
    smooth, rough = _bands_of_smoothness(steps), _bands_of_roughness(steps, weights)
    for penalty in _penalties(steps):
        inner = linalg.solveh_banded(smooth + penalty * rough, bends)
        away = penalty * _spread(inner, steps) / weights[:, None]
        misfit = (weights[:, None] * away**2).sum(axis=0)
        criterion = misfit / _rows_not_followed(smooth, rough, penalty) ** 2
        is_better = criterion < best
        best[is_better], taken_off[:, is_better] = criterion[is_better], away[:, is_better]
        curvature[1:-1, is_better] = inner[:, is_better]
    values = states - taken_off
    return values, _slopes(values, curvature, steps) / unit


def _penalties(steps: Floats) -> Floats:
    least, most = ROUGHEST * float(steps.min()) ** 3, SMOOTHEST * float(len(steps) + 1) ** 4
    return np.geomspace(least, most, 1 + PER_DECADE * int(np.ceil(np.log10(most / least))))


def _bands_of_smoothness(steps: Floats) -> Floats:
    """The matrix R of ∫g''² = γ'Rγ, in upper bands."""
    bands = np.zeros((3, len(steps) - 1))
    bands[2], bands[1, 1:] = (steps[:-1] + steps[1:]) / 3.0, steps[1:-1] / 6.0
    return bands


def _bands_of_roughness(steps: Floats, weights: Floats) -> Floats:
    """The matrix Q'W⁻¹Q, where Q'g = Rγ, in upper bands."""
    (before, here, after), spread = _differences(steps), 1.0 / weights
    bands = np.zeros((3, len(here)))
    bands[2] = before**2 * spread[:-2] + here**2 * spread[1:-1] + after**2 * spread[2:]
    bands[1, 1:] = here[:-1] * before[1:] * spread[1:-2] + after[:-1] * here[1:] * spread[2:-1]
    bands[0, 2:] = after[:-2] * before[2:] * spread[2:-2]
    return bands


def _differences(steps: Floats) -> tuple[Floats, Floats, Floats]:
    """The entries of each column of Q."""
    per_step = 1.0 / steps
    return per_step[:-1], -(per_step[:-1] + per_step[1:]), per_step[1:]


def _spread(inner: Floats, steps: Floats) -> Floats:
    """Q·γ."""
    found = np.zeros((len(inner) + 2, inner.shape[1]))
    for start, entries in enumerate(_differences(steps)):
        found[start : start + len(inner)] += entries[:, None] * inner
    return found


def _rows_not_followed(smooth: Floats, rough: Floats, penalty: float) -> float:
    """The rows less the trace of the smoother: the slope of log det(R + λQ'W⁻¹Q) in log λ."""
    ends = [
        2.0 * np.log(linalg.cholesky_banded(smooth + penalty * np.exp(by) * rough)[2]).sum()
        for by in (-TINY_STEP, TINY_STEP)
    ]
    return float(ends[1] - ends[0]) / (2.0 * TINY_STEP)


def _slopes(values: Floats, curvature: Floats, steps: Floats) -> Floats:
    """Of natural splines with these values and second derivatives at their knots."""
    width, rises = steps[:, None], np.diff(values, axis=0) / steps[:, None]
    ahead = rises - width / 6.0 * (2.0 * curvature[:-1] + curvature[1:])
    last = rises[-1:] + width[-1:] / 6.0 * (curvature[-2:-1] + 2.0 * curvature[-1:])
    return np.concatenate([ahead, last])

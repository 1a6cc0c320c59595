"""Whether anything pulls a series back to where it was."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNIT_ROOT = -2.86  # t below it at .05 only, where nothing does: Fuller (1976), table 8.5.2, many rows
UNIT_ROOT_BESIDE_A_LINE = -3.41  # the same where a line over time is in the regression
STAYS, STAYS_BY_A_LINE = 0.463, 0.146  # exceeded at .05 only: Kwiatkowski and others (1992), table 1
WANDERS = 0.95  # correlation with itself a step before, from which differences tell more
LOST_BY_CHANCE = 14.0  # a walk has less than 1 - 14/n in 5 of 100 cases: Fuller (1976), table 8.5.1
NOTHING_LEFT = 1e-12  # share of the squares of steps: less is rounding


def first_correlation(values: Floats) -> Floats:
    """The correlation of each column with itself a row before; 0 of a constant."""
    centred = values - values.mean(axis=0)
    products, squares = (centred[1:] * centred[:-1]).sum(axis=0), np.square(centred).sum(axis=0)
    varies = (values != values[:1]).any(axis=0)  # a mean of equal numbers may be rounded
    found: Floats = np.divide(products, squares, out=np.zeros(values.shape[1]), where=varies)
    return found


def may_wander(correlation: Floats, n_rows: int) -> NDArray[np.bool_]:
    """Whether a column with this correlation a row before may be a walk, which few rows make look less."""
    found: NDArray[np.bool_] = correlation > min(WANDERS, 1.0 - LOST_BY_CHANCE / n_rows)
    return found


def dickey_fuller(values: Floats, *, line: bool = False) -> Floats:
    """The t statistic of each column's value in the regression of its next step, beside the step before.

    Very negative where large values are followed by steps down and small ones by steps up (Dickey and
    Fuller, 1979), with `line` large for a line over time. 0 where the step is told without error.
    """
    found, spread = np.zeros(values.shape[1]), values.std(axis=0)
    standard = (values - values.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    steps = np.diff(standard, axis=0)
    for j in range(values.shape[1]):
        known = _level(len(steps) - 1, line=line)
        design = np.column_stack([standard[1:-1, j], steps[:-1, j], known])
        after = steps[1:, j]
        weights, _, rank, _ = np.linalg.lstsq(design, after)
        squares = float(np.square(after - design @ weights).sum())
        if rank == design.shape[1] and squares > NOTHING_LEFT * float(after @ after):
            variance = squares / (len(after) - rank) * np.linalg.inv(design.T @ design)[0, 0]
            found[j] = weights[0] / np.sqrt(variance)
    return found


def kpss(values: Floats, *, line: bool = False) -> Floats:
    """How far the sums of each column, less its mean or its line over time, go from 0 (KPSS, 1992).

    That is Σ S_t² / n²s², with S_t = e_1 + … + e_t and s² = γ_0 + 2 Σ_l (1 − l/(m + 1)) γ_l the variance of
    such sums in the long run, by the products γ_l = Σ e_t e_{t-l} / n up to m = ⌊12 (n/100)^¼⌋ steps apart.
    Large where nothing pulls the column back; 0 of a constant or a line.
    """
    n = len(values)
    level, spread = _level(n, line=line), values.std(axis=0)
    standard = (values - values.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    left = standard - level @ np.linalg.lstsq(level, standard)[0]
    most = min(int(12.0 * (n / 100.0) ** 0.25), n - 1)
    variance = np.square(left).sum(axis=0) / n
    is_left = variance > NOTHING_LEFT
    for lag in range(1, most + 1):
        variance += 2.0 * (1.0 - lag / (most + 1.0)) * (left[lag:] * left[:-lag]).sum(axis=0) / n
    sums = np.square(np.cumsum(left, axis=0)).sum(axis=0) / n**2
    found: Floats = np.divide(sums, variance, out=np.zeros(values.shape[1]), where=is_left)
    return found


def _level(n: int, *, line: bool) -> Floats:
    """A constant, with `line` beside a line from -1 to 1."""
    return np.column_stack([np.ones(n), np.linspace(-1.0, 1.0, n)][: 1 + line])

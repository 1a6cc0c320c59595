"""Linear models of series by their definition: one regression at a time, with and without a source."""

import numpy as np
from scipy import stats


def design(rows, k):
    """What is now, and a constant with the lags of all columns, lag by lag."""
    past = [rows[k - lag : len(rows) - lag] for lag in range(1, k + 1)]
    return rows[k:], np.column_stack([np.ones(len(rows) - k), *past])


def squares_left(y, z):
    return float(((y - z @ np.linalg.lstsq(z, y)[0]) ** 2).sum())


def granger(rows, k, source, target):
    """The F statistic and p-value of a source, by two regressions."""
    now, z = design(rows, k)
    p, n = rows.shape[1], len(now)
    without = np.delete(z, [1 + lag * p + source for lag in range(k)], axis=1)
    full, less = squares_left(now[:, target], z), squares_left(now[:, target], without)
    dof = n - k * p - 1
    f = ((less - full) / k) / (full / dof)
    return f, float(stats.f.sf(f, k, dof))


def group_objective(y, z, weights, groups, penalty):
    """(1/2n)‖y − Zb‖² + penalty · Σ √size ‖b_group‖."""
    paid = sum(np.sqrt((groups == g).sum()) * np.linalg.norm(weights[groups == g]) for g in set(groups))
    return float(((y - z @ weights) ** 2).mean() / 2 + penalty * paid)

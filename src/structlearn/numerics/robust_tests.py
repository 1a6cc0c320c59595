"""Granger's tests where errors vary, and follow each other for a while."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.numerics.autoregression import PERFECT, GrangerTests, LaggedRows, Regression

Floats = NDArray[np.float64]


def bandwidth(n_rows: float) -> int:
    """How many steps errors may follow each other, by the usual rule of Newey and West."""
    return int(4.0 * (n_rows / 100.0) ** (2.0 / 9.0))


def robust_tests(
    rows: LaggedRows,
    fitted: Regression,
    moments: NDArray[np.int64],
    must_stop: Callable[[], bool] = lambda: False,
) -> GrangerTests:
    """Wald's test of each source, by a covariance of the coefficients that allows for dependent errors.

    That covariance is G⁻¹SG⁻¹ with G = Z'Z and S = Σ_l w_l Σ_t (s_t s_{t-l}' + s_{t-l} s_t'), s_t = z_t e_t,
    where w_l falls to 0 along the bandwidth (Newey and West, 1987). `moments` number the rows: those whose
    numbers differ by l are l steps apart. As far as time allows; then F is 0.
    """
    n_variables, n_lags = rows.now.shape[1], rows.n_lags
    inverse = np.linalg.pinv(rows.past.T @ rows.past, hermitian=True)
    dof = rows.n_rows - fitted.rank - rows.are_centred
    pairs = _steps_apart(moments, bandwidth(rows.n_rows))
    f = np.zeros((n_variables, n_variables))
    is_there = (rows.past != 0.0).any(axis=0).reshape(n_lags, n_variables)
    n_free = np.maximum(is_there.sum(axis=0), 1)
    for target in range(n_variables):
        if must_stop():
            break
        weights = fitted.coefficients[:, target]
        scores = rows.past * (rows.now[:, target] - rows.past @ weights)[:, None]
        spread = scores.T @ scores
        for lag, (later, earlier) in enumerate(pairs, start=1):
            across = scores[later].T @ scores[earlier]
            spread += (1.0 - lag / (len(pairs) + 1.0)) * (across + across.T)
        covariance = inverse @ spread @ inverse * (rows.n_rows / dof)
        for source in range(n_variables):
            group = np.arange(n_lags) * n_variables + source
            inside = np.linalg.pinv(covariance[np.ix_(group, group)], hermitian=True)
            f[target, source] = max(float(weights[group] @ inside @ weights[group]), 0.0) / n_free[source]
            if fitted.squares[target] == 0.0 and np.abs(weights[group]).max() > PERFECT**0.5:
                f[target, source] = np.inf
    is_perfect = np.isinf(f)
    tails = special.fdtrc(n_free, dof, np.where(is_perfect, 0.0, f))
    return GrangerTests(f, np.where(is_perfect, 0.0, tails))


def _steps_apart(moments: NDArray[np.int64], most: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each number of steps the rows that have one so many steps before, and those."""
    order = np.argsort(moments)
    ordered, found = moments[order], []
    for lag in range(1, most + 1):
        at = np.minimum(np.searchsorted(ordered, ordered - lag), len(order) - 1)
        is_there = ordered[at] == ordered - lag
        found.append((order[is_there], order[at[is_there]]))
    return found

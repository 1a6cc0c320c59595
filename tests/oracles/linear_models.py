"""Linear models by their covariance, and tables that have exactly a given one."""

import numpy as np


def covariance_of(effects):
    """Of columns with unit noise, where `effects[i, j]` is that of i on j."""
    mixing = np.linalg.inv(np.eye(len(effects)) - effects)
    return mixing.T @ mixing


def rows_with(covariance, n_rows=50, seed=0):
    """Rows whose covariance, with divisor n, is this one to rounding."""
    rows = np.random.default_rng(seed).normal(size=(n_rows, len(covariance)))
    rows -= rows.mean(axis=0)
    white = rows @ np.linalg.inv(np.linalg.cholesky(rows.T @ rows / n_rows)).T
    return white @ np.linalg.cholesky(covariance).T


def least_squares(covariance, is_arc):
    """Half the sum of what each column's parents leave of its variance."""
    total = 0.0
    for child in range(len(covariance)):
        parents = np.flatnonzero(is_arc[:, child])
        among = covariance[np.ix_(parents, parents)]
        total += covariance[child, child]
        total -= covariance[parents, child] @ np.linalg.solve(among, covariance[parents, child])
    return total / 2


# 1 → 2, 1 → 3, 2 → 4, 3 → 4.
DIAMOND = np.zeros((4, 4))
DIAMOND[0, 1], DIAMOND[0, 2], DIAMOND[1, 3], DIAMOND[2, 3] = 0.8, -0.5, 0.7, 1.2

"""Widths of Gaussian kernels of conditions by what Gaussian processes on them say of some columns.

Each column is a Gaussian process of the conditions plus noise; widths are those, one for each condition, at
which all columns together are most probable. Each has its own share of noise, and a size that follows.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import linalg, optimize

Floats = NDArray[np.float64]
MOST_ROWS = 300  # widths of more differ by little, and each step takes the cube of the rows
BETWEEN = (np.log(0.05), np.log(5.0))  # wider, the ridge of a regression leaves much of a line
NOISE = (np.log(1e-3), np.log(1e3))  # of the size of the curve; regressions have a ridge as small


def tuned_widths(columns: Floats, given: Floats, strata: Floats) -> Floats:
    """The widths, as L-BFGS finds them from where rows are a typical distance apart."""
    if len(given) > MOST_ROWS:
        some = np.linspace(0, len(given) - 1, MOST_ROWS).astype(np.int64)
        columns, given, strata = columns[some], given[some], strata[some]
    n_conditions, n_columns = given.shape[1], columns.shape[1]
    start = np.concatenate([np.full(n_conditions, 0.5 * np.log(n_conditions)), np.zeros(n_columns)])
    found = optimize.minimize(
        improbability,
        start,
        args=(columns, given, strata @ strata.T),
        jac=True,
        method="L-BFGS-B",
        bounds=[BETWEEN] * n_conditions + [NOISE] * n_columns,
    )
    widths: Floats = np.exp(found.x[:n_conditions])
    return widths


def improbability(logs: Floats, columns: Floats, given: Floats, same_stratum: Floats) -> tuple[float, Floats]:
    """Minus the log probability of the columns, but for constants, and its slope.

    `logs` are of the widths and of the noise of each column; the size s² of a process is the one at which
    the column is most probable.
    """
    n, n_conditions = given.shape
    apart = np.square((given[:, None] - given) * np.exp(-logs[:n_conditions]))
    kernel = np.exp(-0.5 * apart.sum(axis=2)) * same_stratum
    values, vectors = linalg.eigh(kernel)
    noise, turned = np.exp(logs[n_conditions:]), vectors.T @ columns
    spread = np.maximum(values, 0.0)[:, None] + noise  # of each column along each vector
    sizes = (np.square(turned) / spread).mean(axis=0)
    total = 0.5 * (n * np.log(sizes) + np.log(spread).sum(axis=0)).sum()
    # The slope by the covariance of a column is half of its inverse less that of what it explains.
    solved = turned / spread / np.sqrt(sizes)
    pull = (vectors * (1.0 / spread).sum(axis=1)) @ vectors.T - (vectors @ solved) @ (vectors @ solved).T
    of_widths = 0.5 * np.einsum("ij,ijk->k", pull * kernel, apart)
    of_noise = 0.5 * noise * (1.0 / spread - np.square(solved)).sum(axis=0)
    return float(total), np.concatenate([of_widths, of_noise])

"""Regressions of each column on all others, on one Gram matrix."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.numerics.kernels.lasso import solve
from structlearn.numerics.kernels.subsets import subset_residual


@kernel
def solve_nodes(gram, first, end, weights, penalties, previous, ridges, tolerance, coefficients, gaps):
    """Solve the lasso of each node from `first` up to `end`, starting at its row of `coefficients`.

    `weights` has a row per node, or one for all; a node never explains itself. `penalties`, their
    `previous` values and `ridges` have one entry per node.
    """
    n = gram.shape[0]
    own_weights, gradient = np.empty(n), np.empty(n)
    for node in range(first, end):
        row = node if weights.shape[0] > 1 else 0
        for j in range(n):
            own_weights[j] = weights[row, j]
        own_weights[node] = math.inf
        gaps[node], _ = solve(
            gram,
            gram[node],
            gram[node, node],
            own_weights,
            penalties[node],
            previous[node],
            ridges[node],
            coefficients[node],
            gradient,
            tolerance,
        )


@kernel
def refit_residuals(gram, first, end, coefficients, sizes, residuals):
    """Write the number of columns each node chose, and the variance that least squares on them leaves."""
    for node in range(first, end):
        members = np.flatnonzero(coefficients[node])
        sizes[node] = members.shape[0]
        residuals[node] = subset_residual(gram, gram[node], gram[node, node], members)

"""The derivatives of a softmax regression by products of matrices, for designs of many columns."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special

Floats = NDArray[np.float64]


def softmax_by_matrices(
    design: Floats, counts: Floats, weights: Floats, slope: Floats, curvature: Floats
) -> float:
    """What the kernel `softmax_derivatives` gives and fills, quicker where columns are many."""
    linear = np.column_stack([np.zeros(len(design)), design @ weights.T])
    logs, sizes = special.log_softmax(linear, axis=1), counts.sum(axis=1)
    shares = np.exp(logs[:, 1:])
    slope[:] = (sizes[:, None] * shares - counts[:, 1:]).T @ design
    for a in range(len(weights) if curvature.size else 0):
        for b in range(a + 1):
            bends = sizes * shares[:, a] * ((a == b) - shares[:, b])
            curvature[a, :, b, :] = curvature[b, :, a, :] = (design * bends[:, None]).T @ design
    return -float((counts * logs).sum())

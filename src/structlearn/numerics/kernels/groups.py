"""Block coordinate descent for a group penalty on a Gram matrix.

Minimises ½ curvature·tr(Wᵀ·gram·W) − tr(targetᵀ·W) + Σ_t penalties_t·‖W_t‖, where block t of W has the rows
from starts[t] up to starts[t + 1] and all columns. `gradient` is target − curvature·gram·W, kept up to
date. `bounds` are the largest eigenvalues of the blocks of gram on its diagonal.
"""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def block_norm(matrix, first, end):
    """The Frobenius norm of some rows."""
    squares = 0.0
    for i in range(first, end):
        for k in range(matrix.shape[1]):
            squares += matrix[i, k] * matrix[i, k]
    return math.sqrt(squares)


def move_row_at_once(gram, curvature, row, column, change, weights, gradient):
    """What `move_row` does, with all gradients at once."""
    weights[row, column] += change
    gradient[:, column] -= curvature * change * gram[row]


@kernel(instead=move_row_at_once)
def move_row(gram, curvature, row, column, change, weights, gradient):
    """Change one weight and all gradients with it."""
    weights[row, column] += change
    for i in range(gram.shape[0]):
        gradient[i, column] -= curvature * change * gram[row, i]


@kernel
def descend_groups(gram, starts, bounds, penalties, curvature, weights, gradient, tolerance, max_sweeps):
    """Sweep over the blocks in place until none gains more than `tolerance`."""
    pulled = np.empty_like(weights)
    for _ in range(max_sweeps):
        most = 0.0
        for t in range(bounds.shape[0]):
            first, end, penalty = starts[t], starts[t + 1], penalties[t]
            steepness = curvature * bounds[t]
            if steepness <= 0.0 or penalty == math.inf:
                continue
            is_out = block_norm(weights, first, end) == 0.0
            if is_out and block_norm(gradient, first, end) <= penalty:
                continue
            # All of a block is pulled before any of its gradients change.
            for i in range(first, end):
                for k in range(weights.shape[1]):
                    pulled[i, k] = weights[i, k] + gradient[i, k] / steepness
            size = block_norm(pulled, first, end)
            shrink = max(1.0 - penalty / (steepness * size), 0.0) if size > 0.0 else 0.0
            gain = 0.0
            for i in range(first, end):
                for k in range(weights.shape[1]):
                    change = shrink * pulled[i, k] - weights[i, k]
                    if change != 0.0:
                        move_row(gram, curvature, i, k, change, weights, gradient)
                        gain += 0.5 * steepness * change * change
            most = max(most, gain)
        if most <= tolerance:
            break

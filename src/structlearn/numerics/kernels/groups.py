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


@kernel
def move_row(gram, curvature, row, column, change, weights, gradient):
    """Change one weight and all gradients with it."""
    weights[row, column] += change
    for i in range(gram.shape[0]):
        gradient[i, column] -= curvature * change * gram[row, i]


def descend_groups_of_lists(
    gram, starts, bounds, penalties, curvature, weights, gradient, tolerance, max_sweeps
):
    """What `descend_groups` does, by lists of Python's own."""
    rows, found, slopes = gram.tolist(), weights.ravel().tolist(), gradient.ravel().tolist()
    width = weights.shape[1]
    edges, steepness = (starts * width).tolist(), (curvature * bounds).tolist()
    blocks = [
        block
        for block in zip(edges, edges[1:], steepness, penalties.tolist(), strict=False)
        if block[2] > 0.0 and block[3] != math.inf
    ]
    for _ in range(max_sweeps):
        most = 0.0
        for first, end, steep, price in blocks:
            own, pull, gain = found[first:end], slopes[first:end], 0.0
            if _norm(own) == 0.0 and _norm(pull) <= price:
                continue
            pulled = [weight + slope / steep for weight, slope in zip(own, pull, strict=True)]
            size = _norm(pulled)
            shrink = max(1.0 - price / (steep * size), 0.0) if size > 0.0 else 0.0
            for at, aim in enumerate(pulled, first):
                change = shrink * aim - found[at]
                if change != 0.0:
                    found[at] += change
                    column, by = slice(at % width, None, width), curvature * change
                    pairs = zip(slopes[column], rows[at // width], strict=True)
                    slopes[column] = [slope - by * entry for slope, entry in pairs]
                    gain += 0.5 * steep * change * change
            most = max(most, gain)
        if most <= tolerance:
            break
    weights[:] = np.reshape(found, weights.shape)
    gradient[:] = np.reshape(slopes, gradient.shape)


def _norm(values):
    squares = 0.0
    for value in values:
        squares += value * value
    return math.sqrt(squares)


@kernel(instead=descend_groups_of_lists)
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

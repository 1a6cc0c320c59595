"""The loss of a softmax regression over counted cells, and its derivatives, in one pass.

`design` is (cells, columns), `counts` (cells, levels), `weights` (levels - 1, columns): the first level
is the base. `slope` has the shape of the weights, `curvature` twice that shape.
"""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def softmax_derivatives(design, counts, weights, slope, curvature):
    """Give minus the log-likelihood; fill its first and, unless that is empty, its second derivatives."""
    n_outputs = weights.shape[0]
    shares = np.empty(n_outputs + 1)
    loss = 0.0
    slope[:] = 0.0
    curvature[:] = 0.0
    for cell in range(design.shape[0]):
        size = 0.0
        for k in range(counts.shape[1]):
            size += counts[cell, k]
        loss += _fill_shares(design, counts, cell, size, weights, shares)
        for a in range(n_outputs):
            excess = size * shares[a + 1] - counts[cell, a + 1]
            for i in range(design.shape[1]):
                slope[a, i] += excess * design[cell, i]
        if curvature.size:
            _add_curvature(design, cell, size, shares, curvature)
    if curvature.size:
        _mirror(curvature)
    return loss


@kernel
def _fill_shares(design, counts, cell, size, weights, shares):
    """Fill in the probability of each level of a cell, and give the cell's part of the loss."""
    shares[0] = 0.0
    largest, fitted = 0.0, 0.0
    for a in range(weights.shape[0]):
        linear = 0.0
        for i in range(design.shape[1]):
            linear += weights[a, i] * design[cell, i]
        shares[a + 1] = linear
        fitted += counts[cell, a + 1] * linear
        largest = max(largest, linear)
    total = 0.0
    for k in range(shares.size):
        shares[k] = math.exp(shares[k] - largest)
        total += shares[k]
    for k in range(shares.size):
        shares[k] /= total
    return size * (largest + math.log(total)) - fitted


@kernel
def _add_curvature(design, cell, size, shares, curvature):
    """Add a cell's part to the second derivatives by a level and those before it."""
    for a in range(shares.size - 1):
        for b in range(a + 1):
            bend = size * shares[a + 1] * ((1.0 if a == b else 0.0) - shares[b + 1])
            for i in range(design.shape[1]):
                bent = bend * design[cell, i]
                for j in range(i + 1):
                    curvature[a, i, b, j] += bent * design[cell, j]


@kernel
def _mirror(curvature):
    """Fill in what follows by symmetry."""
    n_outputs, n_columns = curvature.shape[:2]
    for a in range(n_outputs):
        for b in range(a + 1):
            for i in range(n_columns):
                for j in range(i + 1):
                    value = curvature[a, i, b, j]
                    curvature[a, j, b, i] = value
                    curvature[b, i, a, j] = value
                    curvature[b, j, a, i] = value


def log_softmax_of_lists(linear):
    """What `log_softmax` does, by numbers of Python's own."""
    logs = []
    for row in linear.tolist():
        highest, total = max(row), 0.0
        for value in row:
            total += math.exp(value - highest)
        top = highest + math.log(total)
        logs.append([value - top for value in row])
    return np.array(logs).reshape(linear.shape)


@kernel(instead=log_softmax_of_lists)
def log_softmax(linear):
    """The logarithms of the probabilities, row by row, that are in the ratios of the exponentials."""
    logs = np.empty(linear.shape)
    for i in range(linear.shape[0]):
        highest = linear[i, 0]
        for k in range(1, linear.shape[1]):
            highest = max(highest, linear[i, k])
        total = 0.0
        for k in range(linear.shape[1]):
            total += math.exp(linear[i, k] - highest)
        top = highest + math.log(total)
        for k in range(linear.shape[1]):
            logs[i, k] = linear[i, k] - top
    return logs

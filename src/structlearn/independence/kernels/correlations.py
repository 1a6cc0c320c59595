"""Partial correlations, from a correlation matrix."""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def partial_correlations(correlation, questions, tolerance, out):
    """Write the correlation of x and y given the rest of each row (x, y, given…).

    It is 0 where the conditions determine x or y. A condition that the others determine makes no
    difference. What the conditions of one question and the next have in common is worked out once.
    """
    n_given, own = questions.shape[1] - 2, diagonal(correlation)
    factor, loads, left = np.zeros((n_given, n_given)), np.zeros((2, n_given)), np.empty((3, n_given + 1))
    for i in range(questions.shape[0]):
        ready, is_same_pair = 0, False
        if i > 0:
            is_same_pair = questions[i, 0] == questions[i - 1, 0] and questions[i, 1] == questions[i - 1, 1]
            while ready < n_given and questions[i, ready + 2] == questions[i - 1, ready + 2]:
                ready += 1
        extend_factor(correlation, own, questions[i], ready, tolerance, factor)
        extend_loads(correlation, own, questions[i], ready if is_same_pair else 0, factor, loads, left)
        if left[1, n_given] > tolerance and left[2, n_given] > tolerance:
            out[i] = left[0, n_given] / math.sqrt(left[1, n_given] * left[2, n_given])
        else:
            out[i] = 0.0


@kernel
def diagonal(matrix):
    """The diagonal, in a row of its own: in the matrix each entry is in another line of the cache."""
    own = np.empty(matrix.shape[0])
    for i in range(matrix.shape[0]):
        own[i] = matrix[i, i]
    return own


@kernel
def extend_factor(correlation, own, question, ready, tolerance, factor):
    """Complete the Cholesky factor of the conditions from row `ready` on.

    Its diagonal has inverses, and 0 for a condition that those before determine: it then has no
    part in anything that follows.
    """
    for a in range(ready, factor.shape[0]):
        left = own[question[a + 2]]
        for b in range(a):
            part = correlation[question[b + 2], question[a + 2]]  # of the same row as in the question before
            for c in range(b):
                part -= factor[a, c] * factor[b, c]
            factor[a, b] = part * factor[b, b]
            left -= factor[a, b] * factor[a, b]
        factor[a, a] = 1.0 / math.sqrt(left) if left > tolerance else 0.0


@kernel
def extend_loads(correlation, own, question, ready, factor, loads, left):
    """Take the conditions from place `ready` on off both x and y: what they have of them, and what is left.

    `left` has, after as many conditions, the joint part of both, and the own parts of x and y.
    """
    x, y = question[0], question[1]
    if ready == 0:
        left[0, 0], left[1, 0], left[2, 0] = correlation[x, y], own[x], own[y]
    for a in range(ready, factor.shape[0]):
        x_part = correlation[x, question[a + 2]]
        y_part = correlation[y, question[a + 2]]
        for b in range(a):
            x_part -= factor[a, b] * loads[0, b]
            y_part -= factor[a, b] * loads[1, b]
        x_load, y_load = x_part * factor[a, a], y_part * factor[a, a]
        loads[0, a], loads[1, a] = x_load, y_load
        left[0, a + 1] = left[0, a] - x_load * y_load
        left[1, a + 1] = left[1, a] - x_load * x_load
        left[2, a + 1] = left[2, a] - y_load * y_load


@kernel
def own_correlations(products, tolerance, out):
    """Write the correlation of the first two columns given the others, for matrices of their own.

    `products` is (questions, columns, columns): sums of products of distances from the mean.
    """
    question = np.arange(products.shape[1]).reshape(1, -1)
    correlation = np.empty(products.shape[1:])
    for i in range(products.shape[0]):
        for a in range(correlation.shape[0]):
            for b in range(correlation.shape[0]):
                scale = math.sqrt(products[i, a, a] * products[i, b, b])
                correlation[a, b] = products[i, a, b] / scale if scale > 0.0 else 0.0
        partial_correlations(correlation, question, tolerance, out[i : i + 1])

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
    n_given = questions.shape[1] - 2
    factor = np.zeros((n_given, n_given))
    x_loads = np.zeros(n_given)
    y_loads = np.zeros(n_given)
    for i in range(questions.shape[0]):
        x, y = questions[i, 0], questions[i, 1]
        ready = 0
        if i > 0:
            while ready < n_given and questions[i, ready + 2] == questions[i - 1, ready + 2]:
                ready += 1
        extend_factor(correlation, questions[i], ready, tolerance, factor)
        joint, x_left, y_left = correlation[x, y], correlation[x, x], correlation[y, y]
        for a in range(n_given):
            x_part = correlation[x, questions[i, a + 2]]
            y_part = correlation[y, questions[i, a + 2]]
            for b in range(a):
                x_part -= factor[a, b] * x_loads[b]
                y_part -= factor[a, b] * y_loads[b]
            x_loads[a] = x_part * factor[a, a]
            y_loads[a] = y_part * factor[a, a]
            joint -= x_loads[a] * y_loads[a]
            x_left -= x_loads[a] * x_loads[a]
            y_left -= y_loads[a] * y_loads[a]
        if x_left > tolerance and y_left > tolerance:
            out[i] = joint / math.sqrt(x_left * y_left)
        else:
            out[i] = 0.0


@kernel
def extend_factor(correlation, question, ready, tolerance, factor):
    """Complete the Cholesky factor of the conditions from row `ready` on.

    Its diagonal has inverses, and 0 for a condition that those before determine: it then has no
    part in anything that follows.
    """
    for a in range(ready, factor.shape[0]):
        left = correlation[question[a + 2], question[a + 2]]
        for b in range(a):
            part = correlation[question[a + 2], question[b + 2]]
            for c in range(b):
                part -= factor[a, c] * factor[b, c]
            factor[a, b] = part * factor[b, b]
            left -= factor[a, b] * factor[a, b]
        factor[a, a] = 1.0 / math.sqrt(left) if left > tolerance else 0.0


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

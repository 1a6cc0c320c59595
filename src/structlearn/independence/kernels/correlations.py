"""Partial correlations, from a correlation matrix."""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def partial_correlations(correlation, questions, tolerance, out):
    """Write the correlation of x and y given the rest of each row (x, y, given…).

    It is 0 where the conditions determine x or y, or are collinear among themselves. What the
    conditions of one question and the next have in common is worked out once.
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
        is_regular = extend_factor(correlation, questions[i], ready, tolerance, factor)
        joint, x_left, y_left = correlation[x, y], correlation[x, x], correlation[y, y]
        for a in range(n_given):
            x_part = correlation[x, questions[i, a + 2]]
            y_part = correlation[y, questions[i, a + 2]]
            for b in range(a):
                x_part -= factor[a, b] * x_loads[b]
                y_part -= factor[a, b] * y_loads[b]
            x_loads[a] = x_part / factor[a, a]
            y_loads[a] = y_part / factor[a, a]
            joint -= x_loads[a] * y_loads[a]
            x_left -= x_loads[a] * x_loads[a]
            y_left -= y_loads[a] * y_loads[a]
        if is_regular and x_left > tolerance and y_left > tolerance:
            out[i] = joint / math.sqrt(x_left * y_left)
        else:
            out[i] = 0.0


@kernel
def extend_factor(correlation, question, ready, tolerance, factor):
    """Complete the Cholesky factor of the conditions from row `ready` on; False if collinear."""
    is_regular = True
    for a in range(factor.shape[0]):
        if a >= ready:
            left = correlation[question[a + 2], question[a + 2]]
            for b in range(a):
                part = correlation[question[a + 2], question[b + 2]]
                for c in range(b):
                    part -= factor[a, c] * factor[b, c]
                factor[a, b] = part / factor[b, b]
                left -= factor[a, b] * factor[a, b]
            # Any positive number keeps the arithmetic finite; the answer is thrown away.
            factor[a, a] = math.sqrt(left) if left > tolerance else 1e-300
        is_regular &= factor[a, a] > 1e-200
    return is_regular

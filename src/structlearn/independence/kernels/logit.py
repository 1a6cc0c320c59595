"""Multinomial logistic regression by Newton's method."""

import math

import numpy as np

from structlearn.compile import kernel

MOST_STEPS = 50  # far more than Newton's method takes where there is a maximum
MOST_HALVINGS = 12  # a step of a four-thousandth that does not help shows that there is none left
CONVERGED = 1e-7  # what a step promises; the likelihood then lacks half of it, and next to nothing more
LARGEST_SLOPE = 30.0  # on standardised columns: odds of e³⁰ in a deviation, as of a class that is separated


@kernel
def logit_likelihood(design, response, weights, n_levels):
    """The largest log-likelihood of `response`, 0 … n_levels - 1, and whether it is attained.

    `design` is (n, k), its first column ones. Level 0 has no slopes. Where classes are separated
    no largest likelihood is attained, and slopes grow until steps promise next to nothing: to stop
    at some slope would leave nested models unequally far from their limits.
    """
    slopes = np.zeros((n_levels - 1) * design.shape[1])
    likelihood, is_found = climb(design, response, weights, n_levels, slopes)
    return likelihood, is_found and np.abs(slopes).max() <= LARGEST_SLOPE


@kernel
def logit_score(design, n_known, response, weights, n_levels):
    """Rao's score of what follows the first `n_known` columns of `design`, from the regression on those."""
    n_columns = design.shape[1]
    known = np.zeros((n_levels - 1) * n_known)
    climb(np.ascontiguousarray(design[:, :n_known]), response, weights, n_levels, known)
    slopes = np.zeros((n_levels - 1) * n_columns)
    for a in range(n_levels - 1):
        slopes[a * n_columns : a * n_columns + n_known] = known[a * n_known : (a + 1) * n_known]
    gradient = np.empty(slopes.size)
    hessian = np.empty((slopes.size, slopes.size))
    derive(design, response, weights, n_levels, slopes, gradient, hessian)
    step = gradient.copy()
    solve(hessian, step)
    score = 0.0
    for j in range(slopes.size):
        score += gradient[j] * step[j]
    return score


@kernel
def climb(design, response, weights, n_levels, slopes):
    """Bring `slopes` to the largest log-likelihood by Newton's method; returns it and whether it is found."""
    n_slopes = slopes.size
    gradient = np.empty(n_slopes)
    hessian = np.empty((n_slopes, n_slopes))
    likelihood = derive(design, response, weights, n_levels, slopes, gradient, hessian)
    for _ in range(MOST_STEPS):
        step = gradient.copy()
        solve(hessian, step)
        gain = 0.0
        for j in range(n_slopes):
            gain += gradient[j] * step[j]
        if gain <= CONVERGED:
            return likelihood + 0.5 * gain, True
        before = likelihood
        for _ in range(MOST_HALVINGS):
            likelihood = derive(design, response, weights, n_levels, slopes + step, gradient, hessian)
            if likelihood >= before:
                break
            step *= 0.5
        slopes += step
    return likelihood, False


@kernel
def derive(design, response, weights, n_levels, slopes, gradient, hessian):
    """Write the gradient and the negative second derivatives; returns the log-likelihood."""
    n_rows, n_columns = design.shape
    gradient[:] = 0.0
    hessian[:] = 0.0
    probability = np.empty(n_levels)
    likelihood = 0.0
    for row in range(n_rows):
        likelihood += weights[row] * predict(design, row, response[row], slopes, probability)
        for a in range(1, n_levels):
            surprise = weights[row] * ((response[row] == a) - probability[a])
            for j in range(n_columns):
                gradient[(a - 1) * n_columns + j] += surprise * design[row, j]
            for b in range(1, a + 1):
                spread = weights[row] * probability[a] * ((a == b) - probability[b])
                for j in range(n_columns):
                    part = spread * design[row, j]
                    for k in range(j + 1):
                        hessian[(a - 1) * n_columns + j, (b - 1) * n_columns + k] += part * design[row, k]
    for a in range(n_levels - 1):
        for b in range(a):
            for j in range(n_columns):
                for k in range(j):
                    value = hessian[a * n_columns + j, b * n_columns + k]
                    hessian[a * n_columns + k, b * n_columns + j] = value
    return likelihood


@kernel
def predict(design, row, response, slopes, probability):
    """Write the probability of each level for a row; returns the logarithm of that of `response`."""
    n_columns = design.shape[1]
    highest = 0.0
    probability[0] = 0.0
    for a in range(1, probability.size):
        probability[a] = 0.0
        for j in range(n_columns):
            probability[a] += design[row, j] * slopes[(a - 1) * n_columns + j]
        highest = max(highest, probability[a])
    seen = probability[response] - highest
    total = 0.0
    for a in range(probability.size):
        probability[a] = math.exp(probability[a] - highest)
        total += probability[a]
    for a in range(probability.size):
        probability[a] /= total
    return seen - math.log(total)


@kernel
def solve(matrix, vector):
    """Solve in place by Cholesky, from the lower triangle; directions without curvature get no step."""
    n = vector.size
    for a in range(n):
        scale = matrix[a, a]
        for b in range(a):
            part = matrix[a, b]
            for c in range(b):
                part -= matrix[a, c] * matrix[b, c]
            matrix[a, b] = part / matrix[b, b] if matrix[b, b] > 0.0 else 0.0
        left = scale
        for b in range(a):
            left -= matrix[a, b] * matrix[a, b]
        matrix[a, a] = math.sqrt(left) if left > 1e-10 * scale else 0.0
    for a in range(n):
        for b in range(a):
            vector[a] -= matrix[a, b] * vector[b]
        vector[a] = vector[a] / matrix[a, a] if matrix[a, a] > 0.0 else 0.0
    for a in range(n - 1, -1, -1):
        for b in range(a + 1, n):
            vector[a] -= matrix[b, a] * vector[b]
        vector[a] = vector[a] / matrix[a, a] if matrix[a, a] > 0.0 else 0.0

"""Newton steps and coordinate descent for penalised logistic regressions.

Minimises Σ_i weights_i·log(1 + exp z_i) − hits_i·z_i + Σ_j penalties_j·|w_j| with z = Σ_j w_j·columns_j. Rows
that agree in all columns of a regression are one cell, with the sum of their weights, and of the
weights of those with the outcome as `hits`; all weights sum to 1. A column of ones with no penalty is
the intercept. `residual` is hits − weights·p, so that at the optimum |columns_j·residual| ≤ penalties_j.
"""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.numerics.kernels.lasso import descend

LEAST_CURVATURE = 1e-6  # of a cell predicted with certainty: a step stays finite
MOST_STEPS = 100  # where outcomes are separated weights grow without end
MOST_SWEEPS = 300  # where columns are dependent; the line search makes good what is missing
SUFFICIENT = 1e-4  # share of the promise that a step must keep, as usual since Armijo
SHORTEST = 1e-8  # a step so short is rounding
ROUNDING = 1e-14  # of a loss of about 1
INNER = 1e-6  # share of the squared violation at which the quadratic model is solved well enough


@kernel
def logistic_loss(linear, hits, weights, residual, curvature):
    """Write the residual and the curvature at `linear` of each cell; return the loss."""
    loss = 0.0
    for i in range(linear.shape[0]):
        z, weight = linear[i], weights[i]
        tail = math.exp(-abs(z))
        far = 1.0 / (1.0 + tail)
        near = tail * far
        residual[i] = hits[i] - weight * (far if z >= 0.0 else near)
        curvature[i] = weight * max(near * far, LEAST_CURVATURE)
        loss += weight * (max(z, 0.0) + math.log1p(tail)) - hits[i] * z
    return loss


@kernel
def violation(penalties, coefficients, gradient):
    """How far the conditions of the optimum are from true, at the worst coordinate."""
    worst = 0.0
    for j in range(penalties.shape[0]):
        if coefficients[j] != 0.0:
            worst = max(worst, abs(gradient[j] - math.copysign(penalties[j], coefficients[j])))
        else:
            worst = max(worst, abs(gradient[j]) - penalties[j])
    return worst


@kernel
def size_of(penalties, coefficients):
    """The penalty paid."""
    size = 0.0
    for j in range(penalties.shape[0]):
        size += penalties[j] * abs(coefficients[j])
    return size


@kernel
def fill_linear(design, coefficients, linear):
    """Write what each cell adds up to."""
    for i in range(design.shape[0]):
        z = 0.0
        for j in range(design.shape[1]):
            z += design[i, j] * coefficients[j]
        linear[i] = z


@kernel
def fill_slopes(design, residual, gradient):
    """Write the product of each column with the residual."""
    for j in range(design.shape[1]):
        gradient[j] = 0.0
    for i in range(design.shape[0]):
        for j in range(design.shape[1]):
            gradient[j] += design[i, j] * residual[i]


@kernel
def fill_curvatures(design, curvature, gram):
    """Write the products of all columns with each other, each cell counting as it is curved."""
    size = design.shape[1]
    for a in range(size):
        for b in range(size):
            gram[a, b] = 0.0
    for i in range(design.shape[0]):
        for a in range(size):
            scaled = curvature[i] * design[i, a]
            for b in range(size):
                gram[a, b] += scaled * design[i, b]


@kernel
def newton_step(gram, gradient, penalties, coefficients, worst, new):
    """Write the minimum of the quadratic model; return the slope of the objective towards it."""
    size = penalties.shape[0]
    target, buffer = np.empty(size), np.empty(size)
    for j in range(size):
        target[j] = gradient[j]
        new[j] = coefficients[j]
        for k in range(size):
            target[j] += gram[j, k] * coefficients[k]
    descend(gram, target, penalties, new, buffer, INNER * worst * worst, MOST_SWEEPS)
    slope = size_of(penalties, new) - size_of(penalties, coefficients)
    for j in range(size):
        slope -= gradient[j] * (new[j] - coefficients[j])
    return slope


@kernel
def fit_logistic(design, hits, weights, penalties, coefficients, residual, tolerance):
    """Improve `coefficients` in place until no condition is off by more than `tolerance`.

    Each step solves the quadratic model with the lasso's descent and goes as far along as the loss
    improves. `design` is (cells, columns); `residual` is filled. Returns the loss.
    """
    n_cells, size = design.shape
    linear, curvature = np.empty(n_cells), np.empty(n_cells)
    gradient, new, trial = np.empty(size), np.empty(size), np.empty(size)
    gram = np.empty((size, size))
    fill_linear(design, coefficients, linear)
    loss = logistic_loss(linear, hits, weights, residual, curvature)
    for _ in range(MOST_STEPS):
        fill_slopes(design, residual, gradient)
        worst = violation(penalties, coefficients, gradient)
        if worst <= tolerance:
            break
        fill_curvatures(design, curvature, gram)
        slope = newton_step(gram, gradient, penalties, coefficients, worst, new)
        objective, length = loss + size_of(penalties, coefficients), 1.0
        while True:
            for j in range(size):
                trial[j] = coefficients[j] + length * (new[j] - coefficients[j])
            fill_linear(design, trial, linear)
            loss = logistic_loss(linear, hits, weights, residual, curvature)
            bar = objective + SUFFICIENT * length * slope + ROUNDING
            if loss + size_of(penalties, trial) <= bar or length < SHORTEST:
                break
            length *= 0.5
        for j in range(size):
            coefficients[j] = trial[j]
        if length < SHORTEST:
            break
    return loss


@kernel
def number_cells(codes, members, cells):
    """Number the states of two-valued columns that occur, row by row; return how many there are."""
    n_cells = 1
    for i in range(cells.shape[0]):
        cells[i] = 0
    for column in members:
        number = np.full(2 * n_cells, -1, dtype=np.int64)
        n_cells = 0
        for i in range(cells.shape[0]):
            state = 2 * cells[i] + codes[column, i]
            if number[state] < 0:
                number[state] = n_cells
                n_cells += 1
            cells[i] = number[state]
    return n_cells


@kernel
def fit_logistic_among(
    columns, codes, outcome, row_weights, penalties, is_member, coefficients, residual, tolerance
):
    """Fit on the member columns only; write the residual of each row and return the loss.

    `codes` are the columns as zeros and ones, or empty where some have more than two values.
    """
    n_columns, n = columns.shape
    size = 0
    for j in range(n_columns):
        size += is_member[j]
    members, place = np.empty(size, dtype=np.int64), 0
    for j in range(n_columns):
        if is_member[j]:
            members[place] = j
            place += 1
    cells, n_cells = np.arange(n), n
    if codes.shape[0] > 0:
        n_cells = number_cells(codes, members, cells)
    hits, weights, design = np.zeros(n_cells), np.zeros(n_cells), np.empty((n_cells, size))
    for i in range(n):
        cell = cells[i]
        if weights[cell] == 0.0:
            for a in range(size):
                design[cell, a] = columns[members[a], i]
        weights[cell] += row_weights[i]
        if outcome[i]:
            hits[cell] += row_weights[i]
    own_penalties, own, left = np.empty(size), np.empty(size), np.empty(n_cells)
    for a in range(size):
        own_penalties[a] = penalties[members[a]]
        own[a] = coefficients[members[a]]
    loss = fit_logistic(design, hits, weights, own_penalties, own, left, tolerance)
    for a in range(size):
        coefficients[members[a]] = own[a]
    for i in range(n):
        cell = cells[i]
        if weights[cell] > 0.0:
            probability = (hits[cell] - left[cell]) / weights[cell]
            residual[i] = row_weights[i] * (outcome[i] - probability)
    return loss


@kernel
def fit_logistic_nodes(
    columns,
    codes,
    outcomes,
    row_weights,
    penalties,
    is_member,
    todo,
    tolerance,
    coefficients,
    residuals,
    losses,
):
    """Fit the regressions numbered in `todo`, each on its own members."""
    for node in todo:
        losses[node] = fit_logistic_among(
            columns,
            codes,
            outcomes[node],
            row_weights,
            penalties[node],
            is_member[node],
            coefficients[node],
            residuals[node],
            tolerance,
        )

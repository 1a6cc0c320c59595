"""Local scores of discrete families, from their contingency tables.

A family's table has the axes (stratum, child, last parent): the strata are states of the
other parents. All kernels fill `out` with one score per table.
"""

import math

from structlearn.compile import kernel, log_gamma
from structlearn.scores.kernels import by_arrays
from structlearn.scores.kernels.rising import MANY, rise_from_many


@kernel(instead=by_arrays.parent_states)
def parent_states(levels, families, out):
    """The number of joint states of the parents of each family, which may be beyond integers."""
    for i in range(families.shape[0]):
        states = 1.0
        for c in range(1, families.shape[1]):
            states *= levels[families[i, c]]
        out[i] = states


@kernel(instead=by_arrays.log_likelihoods)
def log_likelihoods(counts, starts, strata, child_levels, parent_levels, n_log_n, out):
    """Maximised log-likelihoods; `n_log_n[m]` is m·ln m for every count m that can occur."""
    for i in range(starts.size):
        total = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            for parent in range(parent_levels[i]):
                in_state = 0
                for child in range(child_levels[i]):
                    count = counts[at + child * parent_levels[i] + parent]
                    in_state += count
                    total += n_log_n[count]
                total -= n_log_n[in_state]
            at += child_levels[i] * parent_levels[i]
        out[i] = total


@kernel
def weighted_log_likelihoods(counts, starts, strata, child_levels, parent_levels, out):
    """Maximised log-likelihoods where counts are sums of weights."""
    for i in range(starts.size):
        total = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            for parent in range(parent_levels[i]):
                in_state = 0.0
                for child in range(child_levels[i]):
                    count = counts[at + child * parent_levels[i] + parent]
                    in_state += count
                    if count > 0.0:
                        total += count * math.log(count)
                if in_state > 0.0:
                    total -= in_state * math.log(in_state)
            at += child_levels[i] * parent_levels[i]
        out[i] = total


@kernel
def dirichlet_evidence(counts, starts, strata, child_levels, parent_levels, prior, out):
    """Log marginal likelihoods with `prior[i]` pseudo-counts in every cell of table i.

    A state of the parents that never occurs contributes exactly zero.
    """
    for i in range(starts.size):
        cell = prior[i]
        state = cell * child_levels[i]
        of_cell = log_gamma(cell)
        of_state = log_gamma(state)
        total = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            for parent in range(parent_levels[i]):
                in_state = 0.0
                for child in range(child_levels[i]):
                    count = counts[at + child * parent_levels[i] + parent]
                    in_state += count
                    if count > 0:
                        if cell >= MANY:
                            total += rise_from_many(cell, count)
                        else:
                            total += log_gamma(cell + count) - of_cell
                if in_state > 0.0 and state >= MANY:
                    total -= rise_from_many(state, in_state)
                elif in_state > 0.0:
                    total += of_state - log_gamma(state + in_state)
            at += child_levels[i] * parent_levels[i]
        out[i] = total


@kernel
def observed_states(counts, starts, strata, child_levels, parent_levels, out):
    """The number of states of the parents that occur; at least 1, so that none of none is no trouble."""
    for i in range(starts.size):
        observed = 0
        at = starts[i]
        for _ in range(strata[i]):
            for parent in range(parent_levels[i]):
                in_state = 0.0
                for child in range(child_levels[i]):
                    in_state += counts[at + child * parent_levels[i] + parent]
                if in_state > 0.0:
                    observed += 1
            at += child_levels[i] * parent_levels[i]
        out[i] = max(observed, 1)


@kernel
def laplace_evidence(counts, starts, strata, child_levels, parent_levels, prior, in_theta, is_diagonal, out):
    """Laplace's approximation of the evidence with `prior[i]` pseudo-counts in every cell of table i.

    A state of the parents that never occurs contributes exactly zero, as it does without
    approximation.
    """
    for i in range(starts.size):
        n_levels, width = child_levels[i], parent_levels[i]
        total = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            for parent in range(width):
                column = counts[at + parent : at + n_levels * width : width]
                if column.max() > 0.0:
                    total += laplace_of_state(column, prior[i], in_theta, is_diagonal)
            at += n_levels * width
        out[i] = total


@kernel
def laplace_of_state(counts, cell, in_theta, is_diagonal):
    """The approximation for one distribution over levels, by probabilities or by their logarithms.

    In the probabilities themselves a mode inside the simplex needs more than zero in every level;
    where it has none, the logarithms serve instead.
    """
    n_levels = counts.size
    shift = 1.0 if in_theta and counts.min() + cell > 1.0 else 0.0
    mass = 0.0
    for count in counts:
        mass += count
    mass += n_levels * (cell - shift)
    value = log_gamma(n_levels * cell) - n_levels * log_gamma(cell)
    value += 0.5 * (n_levels - 1) * math.log(2.0 * math.pi)
    last = counts[n_levels - 1] + cell - shift
    log_determinant = 0.0
    for k in range(n_levels):
        here = counts[k] + cell - shift
        value += here * math.log(here / mass)
        if shift == 1.0 and is_diagonal:
            if k < n_levels - 1:
                log_determinant += math.log(mass * mass * (here + last) / (here * last))
        elif shift == 1.0:
            log_determinant -= math.log(here)
        elif is_diagonal:
            if k < n_levels - 1:
                log_determinant += math.log(here * (mass - here) / mass)
        else:
            log_determinant += math.log(here / mass)
    if not is_diagonal:
        log_determinant += (2 * n_levels - 1 if shift == 1.0 else n_levels - 1) * math.log(mass)
    return value - 0.5 * log_determinant

"""Local scores of discrete families, from their contingency tables.

A family's table has the axes (stratum, child, last parent): the strata are states of the
other parents. All kernels fill `out` with one score per table.
"""

import math

from structlearn.compile import kernel


@kernel
def parent_states(levels, families, out):
    """The number of joint states of the parents of each family, which may be beyond integers."""
    for i in range(families.shape[0]):
        states = 1.0
        for c in range(1, families.shape[1]):
            states *= levels[families[i, c]]
        out[i] = states


@kernel
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
        of_cell = math.lgamma(cell)
        of_state = math.lgamma(state)
        total = 0.0
        at = starts[i]
        for _ in range(strata[i]):
            for parent in range(parent_levels[i]):
                in_state = 0.0
                for child in range(child_levels[i]):
                    count = counts[at + child * parent_levels[i] + parent]
                    in_state += count
                    if count > 0:
                        total += math.lgamma(cell + count) - of_cell
                if in_state > 0.0:
                    total += of_state - math.lgamma(state + in_state)
            at += child_levels[i] * parent_levels[i]
        out[i] = total

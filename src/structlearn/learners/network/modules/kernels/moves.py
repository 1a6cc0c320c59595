"""Columns that go to another module, one after the other, where that raises the score."""

import math

import numpy as np

from structlearn.compile import kernel, log_gamma
from structlearn.learners.network.modules.kernels.splits import normal_gamma


@kernel
def size_constant(size, prior):
    """The part of a normal-gamma likelihood that depends on the number of values only."""
    return (
        -0.5 * size * math.log(2.0 * math.pi)
        + 0.5 * math.log(prior[1] / (prior[1] + size))
        + log_gamma(prior[2] + 0.5 * size)
        - log_gamma(prior[2])
        + prior[2] * math.log(prior[3])
    )


@kernel
def leaf_terms(module, starts, leaf_sizes, counts, sums, squares, prior, constants):
    """Write the constants of the leaves of a module with a member less and more; sum up their likelihoods."""
    now = 0.0
    for leaf in range(starts[module], starts[module + 1]):
        size = leaf_sizes[leaf]
        less, more = max(counts[module] - 1, 0) * size, (counts[module] + 1) * size
        constants[0, leaf] = size_constant(less, prior)
        constants[1, leaf] = size_constant(more, prior)
        constant = size_constant(counts[module] * size, prior)
        now += normal_gamma(constant, counts[module] * size, sums[leaf], squares[leaf], prior)
    return now


@kernel
def mark_blocked(users, links, blocked):
    """Mark the modules that a regulator may not go to: those that it regulates, and what they lead to."""
    n_modules = len(users)
    waiting, n_waiting = np.empty(n_modules, dtype=np.int64), 0
    for m in range(n_modules):
        blocked[m] = users[m]
        if users[m]:
            waiting[n_waiting] = m
            n_waiting += 1
    while n_waiting:
        n_waiting -= 1
        source = waiting[n_waiting]
        for m in range(n_modules):
            if links[source, m] > 0 and not blocked[m]:
                blocked[m] = True
                waiting[n_waiting] = m
                n_waiting += 1


@kernel
def likelihood_with(module, sign, column, starts, leaf_sizes, counts, sums, squares, parts, prior, constants):
    """The likelihood of a module with a column more, or less where `sign` is −1."""
    found, row = 0.0, 0 if sign < 0 else 1
    for leaf in range(starts[module], starts[module + 1]):
        size = (counts[module] + sign) * leaf_sizes[leaf]
        found += normal_gamma(
            constants[row, leaf],
            size,
            sums[leaf] + sign * parts[0, column, leaf],
            squares[leaf] + sign * parts[1, column, leaf],
            prior,
        )
    return found


@kernel
def reassign(
    order, modules, parts, starts, leaf_sizes, counts, sums, squares, uses, links, forbids, prior,
    is_long, price, least
):  # fmt: skip
    """Move each column in turn to the module where the score gains most; all of it is changed in place.

    `parts` is (2, columns, leaves): sums and sums of squares of each column in each leaf. `uses[m, j]` says
    that column j is a parent of module m, `links[a, b]` how many parents of b are in a, and `forbids[j, m]`
    that column j may not be in m. A split costs `price` more in a module with a column that `is_long`.
    Returns how many moved, and what the score gained.
    """
    n_modules = len(counts)
    n_long = np.zeros(n_modules, dtype=np.int64)
    for j in range(len(modules)):
        n_long[modules[j]] += is_long[j]
    constants = np.empty((2, len(leaf_sizes)))
    now, blocked = np.empty(n_modules), np.empty(n_modules, dtype=np.bool_)
    for m in range(n_modules):
        now[m] = leaf_terms(m, starts, leaf_sizes, counts, sums, squares, prior, constants)
    n_moved, gained = 0, 0.0
    for j in order:
        home = modules[j]
        blocked[:] = False
        if uses[:, j].any():
            links[home] -= uses[:, j]
            mark_blocked(uses[:, j], links, blocked)
            links[home] += uses[:, j]
        left = likelihood_with(
            home, -1, j, starts, leaf_sizes, counts, sums, squares, parts, prior, constants
        )
        if is_long[j] and n_long[home] == 1:
            left += price * (starts[home + 1] - starts[home] - 1)
        best, target = least, -1
        for m in range(n_modules):
            if m == home or blocked[m] or forbids[j, m]:
                continue
            there = likelihood_with(
                m, 1, j, starts, leaf_sizes, counts, sums, squares, parts, prior, constants
            )
            if is_long[j] and n_long[m] == 0:
                there -= price * (starts[m + 1] - starts[m] - 1)
            gain = left - now[home] + there - now[m]
            if gain > best:
                best, target = gain, m
        if target < 0:
            continue
        for m, sign in ((home, -1), (target, 1)):
            counts[m] += sign
            n_long[m] += sign * is_long[j]
            links[m] += sign * uses[:, j]
            for leaf in range(starts[m], starts[m + 1]):
                sums[leaf] += sign * parts[0, j, leaf]
                squares[leaf] += sign * parts[1, j, leaf]
            now[m] = leaf_terms(m, starts, leaf_sizes, counts, sums, squares, prior, constants)
        modules[j] = target
        n_moved += 1
        gained += best
    return n_moved, gained

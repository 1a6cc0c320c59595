"""What kernels of trees do item by item, by whole arrays: until machine code is worth it, this is faster."""

import numpy as np


def add(tally, factor, into):
    """Add a tally, times a factor, to another."""
    into += factor * tally


def total(tallies, items):
    """The tally of the items of a vertex together, added one after the other."""
    if not items[0].size:
        return np.zeros(tallies.shape[1])
    return np.cumsum(tallies[items[0]], axis=0)[-1] + 0.0


def sums_by_state(values, tallies, items, n_levels):
    """The tally of each state of a discrete parent."""
    sums = np.zeros((n_levels, tallies.shape[1]))
    np.add.at(sums, values[items].astype(np.int64), tallies[items])
    return sums


def arrange(values, n_levels, items, at, n_branches, rule):
    """Put items in the order of their branches, and say where each begins."""
    if n_levels == 0:
        branches = ~(values[items] <= at)
    elif rule.by_value:
        branches = values[items] != at
    else:
        branches = values[items]
    branches = branches.astype(np.int64)
    items[:] = np.take_along_axis(items, np.argsort(branches, axis=1, kind="stable"), axis=1)
    return np.append(0, np.cumsum(np.bincount(branches[0], minlength=n_branches)))


def n_distinct(values, order):
    """How many different values there are among items in their order."""
    found = values[order]
    return min(order.size, 1) + int(np.count_nonzero(found[1:] != found[:-1]))

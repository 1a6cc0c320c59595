"""Contingency tables by their definition: one row, one addition."""

import itertools
from collections import Counter


def counts(codes, columns, weights=None):
    """The weight of every joint state of `columns` that occurs; `codes` has a list per row."""
    found = Counter()
    for i, row in enumerate(codes):
        found[tuple(row[j] for j in columns)] += 1 if weights is None else weights[i]
    return found


def dense(codes, levels, columns, weights=None):
    """All joint states in row-major order, absent ones with zero."""
    found = counts(codes, columns, weights)
    states = itertools.product(*(range(levels[j]) for j in columns))
    return [found.get(state, 0) for state in states]

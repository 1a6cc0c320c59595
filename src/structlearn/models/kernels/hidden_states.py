"""Values that a row lacks: which of them depend on each other, and what the others say about them.

A family is a node with its parents. Its columns are `columns[bounds[f] : bounds[f + 1]]`, with their
strides, in a table that begins at `firsts[f]` of all cells. Two values that a row lacks depend on
each other where a family has both; what hangs together so is a group, and a group has the families
that touch it.
"""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def find_groups(row, bounds, columns, groups):
    """Number the group of each column that the row lacks, by its first column; -1 for the others.

    `row` has codes, -1 where a value is missing.
    """
    for column in range(row.size):
        groups[column] = column if row[column] < 0 else -1
    for f in range(bounds.size - 1):
        first = -1
        for k in range(bounds[f], bounds[f + 1]):
            if groups[columns[k]] >= 0:
                if first < 0:
                    first = columns[k]
                _join(groups, first, columns[k])
    for column in range(row.size):
        if groups[column] >= 0:
            groups[column] = _root(groups, column)


@kernel
def _root(groups, column):
    while groups[column] != column:
        column = groups[column]
    return column


@kernel
def _join(groups, a, b):
    a, b = _root(groups, a), _root(groups, b)
    groups[max(a, b)] = min(a, b)


@kernel
def count_states(codes, levels, bounds, columns, most):
    """The joint states of the largest group of each row, or `most + 1` where there are more."""
    n_rows, n_columns = codes.shape
    largest = np.zeros(n_rows, dtype=np.int64)
    groups = np.empty(n_columns, dtype=np.int64)
    sizes = np.empty(n_columns, dtype=np.int64)
    for i in range(n_rows):
        find_groups(codes[i], bounds, columns, groups)
        sizes[:] = 1
        for column in range(n_columns):
            if groups[column] >= 0:
                sizes[groups[column]] = min(sizes[groups[column]] * levels[column], most + 1)
        largest[i] = sizes.max()
    return largest


@kernel
def list_groups(codes, bounds, columns, strides, firsts, hidden, families, cells):
    """Write each group's columns, families, and cells of these where all it lacks has state 0.

    Of the groups, one behind the other, go the columns to `hidden`, the families to `families` and
    `cells`. Returns, for each group, its row and where it ends in `hidden` and in `families`.
    """
    n_rows, n_columns = codes.shape
    ends = np.empty((hidden.size, 3), dtype=np.int64)
    groups = np.empty(n_columns, dtype=np.int64)
    owners = np.empty(firsts.size, dtype=np.int64)
    places = np.empty(firsts.size, dtype=np.int64)
    n_groups, n_hidden, n_families = 0, 0, 0
    for i in range(n_rows):
        find_groups(codes[i], bounds, columns, groups)
        _place_families(codes[i], groups, bounds, columns, strides, firsts, owners, places)
        for first in range(n_columns):
            if groups[first] != first:
                continue
            for column in range(first, n_columns):
                if groups[column] == first:
                    hidden[n_hidden] = column
                    n_hidden += 1
            for f in range(owners.size):
                if owners[f] == first:
                    families[n_families], cells[n_families] = f, places[f]
                    n_families += 1
            ends[n_groups] = i, n_hidden, n_families
            n_groups += 1
    return ends[:n_groups]


@kernel
def _place_families(row, groups, bounds, columns, strides, firsts, owners, places):
    """The group that each family touches, or -1, and its cell where all that is missing has state 0."""
    for f in range(firsts.size):
        owners[f], places[f] = -1, firsts[f]
        for k in range(bounds[f], bounds[f + 1]):
            owners[f] = max(owners[f], groups[columns[k]])
            places[f] += strides[k] * max(row[columns[k]], 0)


@kernel
def expect_counts(logs, levels, bounds, columns, strides, hidden, families, cells, ends, weights, expected):
    """Add to `expected` the weight of each group times the probability of each of its joint states.

    `logs` are the logarithms of all cells. Returns the log probability of each group's observed values,
    -inf where they are impossible.
    """
    totals = np.empty(ends.shape[0])
    first_hidden, first_family = 0, 0
    for g in range(ends.shape[0]):
        own = hidden[first_hidden : ends[g, 1]]
        touching = families[first_family : ends[g, 2]]
        here = cells[first_family : ends[g, 2]].copy()
        steps = _steps(own, touching, bounds, columns, strides)
        sizes = levels[own]
        shares = _log_weights(logs, here, steps, sizes)
        highest = shares.max()
        if highest == -np.inf:
            totals[g] = -np.inf
        else:
            total = 0.0
            for state in range(shares.size):
                shares[state] = math.exp(shares[state] - highest)
                total += shares[state]
            totals[g] = highest + math.log(total)
            _add(expected, here, steps, sizes, shares, weights[g] / total)
        first_hidden, first_family = ends[g, 1], ends[g, 2]
    return totals


@kernel
def _steps(own, touching, bounds, columns, strides):
    """What one state more of each hidden column adds to the cell of each family."""
    steps = np.zeros((own.size, touching.size), dtype=np.int64)
    for t in range(touching.size):
        for k in range(bounds[touching[t]], bounds[touching[t] + 1]):
            for h in range(own.size):
                if own[h] == columns[k]:
                    steps[h, t] = strides[k]
    return steps


@kernel
def _log_weights(logs, here, steps, sizes):
    """The log weight of each joint state; `here` is as before once all have had their turn."""
    found = np.zeros(sizes.prod())
    digits = np.zeros(sizes.size, dtype=np.int64)
    for state in range(found.size):
        for t in range(here.size):
            found[state] += logs[here[t]]
        _advance(here, steps, sizes, digits)
    return found


@kernel
def _add(expected, here, steps, sizes, shares, scale):
    digits = np.zeros(sizes.size, dtype=np.int64)
    for state in range(shares.size):
        for t in range(here.size):
            expected[here[t]] += shares[state] * scale
        _advance(here, steps, sizes, digits)


@kernel
def _advance(here, steps, sizes, digits):
    """Go to the next joint state, the last column fastest, and from the last to the first."""
    for h in range(sizes.size - 1, -1, -1):
        if digits[h] + 1 < sizes[h]:
            digits[h] += 1
            for t in range(here.size):
                here[t] += steps[h, t]
            return
        for t in range(here.size):
            here[t] -= digits[h] * steps[h, t]
        digits[h] = 0

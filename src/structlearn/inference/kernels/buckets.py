"""Bucket elimination: the factors of a discrete model, summed onto a few variables.

`factors` is (starts of scopes, scopes, starts of tables, tables): the variables of factor f are
`scopes[scope_starts[f] : scope_starts[f + 1]]`, and its table is in C order. `used` marks those that count.
Dechter (1999), Bucket elimination.
"""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.inference.kernels.orders import best_order, interaction_bits
from structlearn.inference.kernels.products import (
    copy_slice,
    joined_lengths,
    merged_axes,
    multiply_and_sum,
    rescaled,
    steps_along,
    sum_last,
)

DONE, TOO_LARGE, ZERO, INACCURATE = 0, 1, 2, 3


@kernel
def sum_product(factors, levels, used, codes, query, most_cells):
    """Multiply the factors that are used, given the states in `codes`, and sum out all but `query`.

    Gives how it ended, the table (an axis per query variable, in C order, flat), the logarithm of what it
    was divided by, and the cells of the largest product.
    """
    local, variables = _numbered(factors, used, codes, query)
    axis_starts, axes = _scopes_left(factors, used, codes, local)
    sizes = np.empty(variables.size, dtype=np.int64)
    kept = np.zeros(variables.size, dtype=np.bool_)
    n_answers = 1.0
    for v in range(variables.size):
        sizes[v] = levels[variables[v]]
        kept[v] = v < query.size
        n_answers *= sizes[v] if kept[v] else 1.0
    neighbors = interaction_bits(axis_starts, axes, sizes.size)
    order, largest, total, width = best_order(neighbors, sizes, kept)
    largest = max(largest, n_answers)
    if largest > most_cells:
        return TOO_LARGE, np.ones(1), 0.0, largest
    # The axis that goes first becomes the last one, so that sums run over neighbouring cells.
    sizes_in_place = np.empty(sizes.size, dtype=np.int64)
    for v in range(query.size):
        sizes_in_place[v] = sizes[v]
    for step in range(order.size):
        v, place = order[step], sizes.size - 1 - step
        sizes_in_place[place] = sizes[v]
        local[variables[v]] = place
    room = int(total + 4 * largest)
    tables, log_scale = _reduced(factors, levels, used, codes, local, sizes_in_place, query.size, room, width)
    status, table, log_scale = _summed(tables, sizes_in_place, query.size, int(largest), log_scale)
    return status, table, log_scale, largest


@kernel
def _numbered(factors, used, codes, query):
    """Number the unknown variables of the factors that are used, those of the query first."""
    scope_starts, scopes = factors[0], factors[1]
    local = np.full(codes.size, -1, dtype=np.int64)
    variables = np.empty(codes.size, dtype=np.int64)
    n = 0
    for variable in query:
        local[variable] = n
        variables[n] = variable
        n += 1
    for f in range(used.size):
        if used[f]:
            for k in range(scope_starts[f], scope_starts[f + 1]):
                variable = scopes[k]
                if codes[variable] < 0 and local[variable] < 0:
                    local[variable] = n
                    variables[n] = variable
                    n += 1
    return local, variables[:n]


@kernel
def _scopes_left(factors, used, codes, local):
    """The unknown variables of each factor that is used, by their numbers, one factor after the other."""
    scope_starts, scopes = factors[0], factors[1]
    starts = np.zeros(used.size + 1, dtype=np.int64)
    axes = np.empty(scopes.size, dtype=np.int64)
    n, i = 0, 0
    for f in range(used.size):
        if used[f]:
            for k in range(scope_starts[f], scope_starts[f + 1]):
                if codes[scopes[k]] < 0:
                    axes[n] = local[scopes[k]]
                    n += 1
            i += 1
            starts[i] = n
    return starts[: i + 1], axes[:n]


@kernel
def _reduced(factors, levels, used, codes, local, sizes, n_query, room, width):
    """Copy what the evidence leaves of each factor, its axes in rising order, and ones for the query.

    Gives (values, starts of tables, axes, starts of axes, number of tables), with room for `room` more cells,
    and the logarithm of what the tables were divided by.
    """
    scope_starts, scopes, table_starts, tables = factors
    n_used, n_axes, n_cells = 0, 2 * n_query, room
    for f in range(used.size):
        if used[f]:
            n_used += 1
            n_axes += scope_starts[f + 1] - scope_starts[f]
            n_cells += table_starts[f + 1] - table_starts[f]
    values = np.zeros(n_cells)
    cell_starts = np.zeros(n_used + sizes.size + 3, dtype=np.int64)
    axis_starts = np.zeros(n_used + sizes.size + 3, dtype=np.int64)
    axes = np.zeros(n_axes + sizes.size * width, dtype=np.int64)  # zeros, since the last ones stay unused
    shape = np.empty(n_axes + 1, dtype=np.int64)
    steps = np.empty(n_axes + 1, dtype=np.int64)
    count, log_scale = 0, 0.0
    for f in range(used.size):
        if not used[f]:
            continue
        place, n = axis_starts[count], 0
        start, step = table_starts[f], 1
        for k in range(scope_starts[f + 1] - 1, scope_starts[f] - 1, -1):
            variable = scopes[k]
            if codes[variable] >= 0:
                start += step * codes[variable]
            else:
                i = n
                while i > 0 and axes[place + i - 1] > local[variable]:
                    axes[place + i], steps[i] = axes[place + i - 1], steps[i - 1]
                    i -= 1
                axes[place + i], steps[i] = local[variable], step
                n += 1
            step *= levels[variable]
        for k in range(n):
            shape[k] = sizes[axes[place + k]]
        copied, top = copy_slice(tables, start, shape[:n], steps, values, cell_starts[count])
        log_scale += rescaled(values, cell_starts[count], copied, top)
        count += 1
        axis_starts[count] = place + n
        cell_starts[count] = cell_starts[count - 1] + copied
    n_answers = 1
    for k in range(n_query):
        axes[axis_starts[count] + k] = k
        n_answers *= sizes[k]
    for k in range(n_answers):
        values[cell_starts[count] + k] = 1.0
    axis_starts[count + 1] = axis_starts[count] + n_query
    cell_starts[count + 1] = cell_starts[count] + n_answers
    return (values, cell_starts, axes, axis_starts, count + 1), log_scale


@kernel
def _summed(tables, sizes, n_query, largest, log_scale):
    """Eliminate the axes from the last one down to those of the query; each table waits at its last axis."""
    values, cell_starts, axes, axis_starts, count = tables
    following = np.full(cell_starts.size, -1, dtype=np.int64)
    heads = np.full(sizes.size + 1, -1, dtype=np.int64)
    members = np.empty(cell_starts.size, dtype=np.int64)
    for t in range(count):
        _wait(t, axes, axis_starts, following, heads)
    for axis in range(sizes.size - 1, n_query - 2, -1):
        is_summed = axis >= n_query
        n_members = _members(heads[axis + 1], following, cell_starts, members)
        if not is_summed:
            # Only the axes of the query are left: everything that waits makes the answer.
            for earlier in range(axis + 1):
                n_members += _members(heads[earlier], following, cell_starts, members[n_members:])
        top, log_scale = _combined(tables, count, members[:n_members], sizes, largest, log_scale, is_summed)
        if math.isnan(log_scale):
            return INACCURATE, np.zeros(1), 0.0
        if top == 0.0:
            return ZERO, np.zeros(1), 0.0
        _wait(count, axes, axis_starts, following, heads)
        count += 1
    answer = cell_starts[count - 1]
    return DONE, values[answer : cell_starts[count]].copy(), log_scale


@kernel
def _wait(t, axes, axis_starts, following, heads):
    """Put a table into the bucket of its last axis; the bucket 0 has those without axes."""
    start, stop = axis_starts[t], axis_starts[t + 1]
    bucket = 0 if start == stop else axes[stop - 1] + 1
    following[t] = heads[bucket]
    heads[bucket] = t


@kernel
def _members(head, following, cell_starts, members):
    """List the tables of a bucket, small ones first; give how many there are."""
    n = 0
    while head >= 0:
        size = cell_starts[head + 1] - cell_starts[head]
        i = n
        while i > 0 and cell_starts[members[i - 1] + 1] - cell_starts[members[i - 1]] > size:
            members[i] = members[i - 1]
            i -= 1
        members[i] = head
        n += 1
        head = following[head]
    return n


@kernel
def _combined(tables, count, members, sizes, largest_cells, log_scale, is_summed):
    """Multiply the members, and sum over their last axis where asked: this is the table `count`.

    Products on the way go in turn to two rooms at the end of the values. Gives the largest value, and the
    logarithm of all divisors, NaN where a number was lost.
    """
    values, cell_starts, axes, axis_starts, _ = tables
    out, out_axes = cell_starts[count], axis_starts[count]
    scratch = values.size - 2 * largest_cells
    merged = np.empty(sizes.size, dtype=np.int64)
    a, of_a = cell_starts[members[0]], axes[axis_starts[members[0]] : axis_starts[members[0] + 1]]
    cells, n_kept, top = cell_starts[members[0] + 1] - a, of_a.size, 0.0
    if members.size == 1:
        n_summed = sizes[of_a[-1]] if is_summed else 1
        n_kept -= 1 if is_summed else 0
        cells //= n_summed
        top = sum_last(values, a, cells, n_summed, out)
        log_scale += rescaled(values, out, cells, top)
        for k in range(n_kept):
            merged[k] = of_a[k]
    for i in range(1, members.size):
        is_last = i == members.size - 1
        b, of_b = cell_starts[members[i]], axes[axis_starts[members[i]] : axis_starts[members[i] + 1]]
        n_merged = merged_axes(of_a, of_b, merged)
        left = steps_along(of_a, merged[:n_merged], sizes)
        right = steps_along(of_b, merged[:n_merged], sizes)
        n_summed, n_kept = 1, n_merged
        if is_summed and is_last:
            n_summed, n_kept = sizes[merged[n_merged - 1]], n_merged - 1
        lengths = joined_lengths(merged, n_kept, sizes, left, right)
        target = out if is_last else scratch + (i % 2) * largest_cells
        top = multiply_and_sum(values, a, left, b, right, lengths, n_summed, target)
        cells = 1
        for length in lengths:
            cells *= length
        log_scale += rescaled(values, target, cells, top)
        if top <= 0.0:
            return top, log_scale
        a, of_a = target, merged[:n_merged].copy()
    for k in range(n_kept):
        axes[out_axes + k] = merged[k]
    axis_starts[count + 1] = out_axes + n_kept
    cell_starts[count + 1] = out + cells
    return top, log_scale

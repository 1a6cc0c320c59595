"""Sums of squares and products within groups of rows."""

import numpy as np

from structlearn.compile import kernel


@kernel
def group_moments(values, gaps, groups, weights, sets, sizes, means, products):
    """Write the weight, the means and the centred products of each set of columns in each group.

    `values` is (p, n), `groups` has the group of each row, -1 for none. `gaps` is (p, n) and
    marks missing values, or (0, 0) where there are none: a set uses the rows that have all of it.
    `sizes` is (sets, groups), `means` has an axis more and `products` two; all are zeroed.
    """
    n_groups = sizes.shape[1]
    order = rows_by_group(groups, n_groups)
    rows = np.empty(order.size, dtype=np.int64)
    ends = np.empty(n_groups, dtype=np.int64)
    weight = np.empty(order.size)
    apart = np.empty((sets.shape[1], order.size))
    for i in range(sets.shape[0]):
        keep_complete(gaps, groups, order, sets[i], rows, ends)
        n_rows = ends[-1] if n_groups > 0 else 0
        for at in range(n_rows):
            weight[at] = weights[rows[at]]
        for c in range(sets.shape[1]):
            column = values[sets[i, c]]
            for at in range(n_rows):
                apart[c, at] = column[rows[at]]
        first = 0
        for group in range(n_groups):
            if ends[group] > first:
                for at in range(first, ends[group]):
                    sizes[i, group] += weight[at]
                centre(apart, weight, first, ends[group], sizes[i, group], means[i, group])
                multiply(apart, weight, first, ends[group], products[i, group])
            first = ends[group]


@kernel
def rows_by_group(groups, n_groups):
    """The rows that are in a group, group after group."""
    place = np.zeros(n_groups + 1, dtype=np.int64)
    for row in range(groups.size):
        if groups[row] >= 0:
            place[groups[row] + 1] += 1
    for group in range(n_groups):
        place[group + 1] += place[group]
    order = np.empty(place[n_groups], dtype=np.int64)
    for row in range(groups.size):
        if groups[row] >= 0:
            order[place[groups[row]]] = row
            place[groups[row]] += 1
    return order


@kernel
def keep_complete(gaps, groups, order, columns, rows, ends):
    """Write the rows of `order` that miss none of `columns`, and where each group of them ends."""
    ends[:] = 0
    n_rows = 0
    for row in order:
        is_complete = True
        if gaps.shape[0] > 0:
            for c in range(columns.size):
                is_complete &= not gaps[columns[c], row]
        if is_complete:
            rows[n_rows] = row
            n_rows += 1
            ends[groups[row]] = n_rows
    for group in range(1, ends.size):
        ends[group] = max(ends[group], ends[group - 1])


@kernel
def centre(apart, weight, first, end, size, means):
    """Replace the numbers of one group by their distances from the mean, and write the means."""
    for c in range(apart.shape[0]):
        # From a value of the group first: a constant column then has exactly no distances.
        start = apart[c, first]
        total = 0.0
        for at in range(first, end):
            apart[c, at] -= start
            total += weight[at] * apart[c, at]
        shift = total / size if size > 0.0 else 0.0
        for at in range(first, end):
            apart[c, at] -= shift
        means[c] = start + shift


@kernel
def multiply(apart, weight, first, end, products):
    """Write the weighted sums of products of distances of one group."""
    for c in range(apart.shape[0]):
        for d in range(c + 1):
            total = 0.0
            for at in range(first, end):
                total += weight[at] * apart[c, at] * apart[d, at]
            products[c, d] = total
            products[d, c] = total

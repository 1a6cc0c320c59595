"""Growing a tree that tests the parents of a child.

The rows come as items: `points` is (parents, items), with codes of discrete parents and values of
continuous ones, whose `levels` are 0, and `tallies` is (items, width), what each adds to its leaf.
Rows with the same parents may be one item. A test has branches: one for each state of a discrete
parent or, with `by_value`, one for the state `at` and one for all others; for a continuous parent one
for values up to `at` and one for those above.

The items of a vertex are rows of places in these: the first in any order, then for each continuous parent
one in the order of its values. They are sorted once, and stay so when the vertex is split.
"""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.rounding import ENOUGH
from structlearn.scores.kernels import trees_by_arrays as by_arrays
from structlearn.scores.kernels.leaves import is_enough, worth

NONE = -1
# A look ahead tries so many thresholds of a parent, beside the best by itself, and sees about so many in each
# branch: its time then grows with the number of rows, and not with the cube of it.
MOST_CUTS_AHEAD = 16
MOST_CUTS_SEEN = 64


@kernel
def grow(points, tallies, levels, order, rule):
    """Split leaves while that improves the score.

    `order` has the items of the root, and then of all vertices behind each other. Gives, by vertex, the
    parent tested (-1: a leaf), the value or threshold `at` and the first of the branches, which follow
    each other; then where its items begin and end, its share of the parents' joint states, and the
    score of the tree.
    """
    n_items = tallies.shape[0]
    most = 2 * n_items + 1
    tested, first, above = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    starts, ends, depths = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    at, shares = np.zeros(most), np.zeros(most)
    above[0], ends[0], shares[0] = NONE, n_items, 1.0
    n_vertices, vertex, score = 1, 0, 0.0
    while vertex < n_vertices:
        items = order[:, starts[vertex] : ends[vertex]]
        left = states_left(vertex, levels, tested, first, above, rule)
        deeper = rule.max_depth - depths[vertex]
        _, parent, value = best_split(points, tallies, levels, left, items, shares[vertex], deeper, rule)
        if parent == NONE:
            score += worth(total(tallies, items), shares[vertex], rule)
            tested[vertex] = NONE
            vertex += 1
            continue
        score -= code_length(points, levels, left, parent, items, rule)
        tested[vertex], at[vertex], first[vertex] = parent, value, n_vertices
        n_branches = branches_of(levels[parent], rule)
        cuts = arrange(points[parent], levels[parent], items, value, n_branches, rule)
        for branch in range(n_branches):
            starts[n_vertices] = starts[vertex] + cuts[branch]
            ends[n_vertices] = starts[vertex] + cuts[branch + 1]
            shares[n_vertices] = shares[vertex] * part_of(branch, n_branches, left[parent], rule)
            depths[n_vertices], above[n_vertices] = depths[vertex] + 1, vertex
            n_vertices += 1
        vertex += 1
    n = n_vertices
    return tested[:n], at[:n], first[:n], starts[:n], ends[:n], shares[:n], score


@kernel
def best_split(points, tallies, levels, left, items, share, deeper, rule):
    """The split of a leaf that gains most: the gain, the parent, and the value or threshold.

    Ties go to the first parent, then to the lowest value. Without a gain the parent is -1. `deeper`
    is how many levels may still grow.
    """
    best, best_parent, best_at = 0.0, NONE, 0.0
    if deeper <= 0:
        return best, best_parent, best_at
    now = worth(total(tallies, items), share, rule)
    for parent in range(levels.size):
        if levels[parent] > 0 and left[parent] < 2:
            continue
        every = items.shape[1]
        after, value = best_test(points, tallies, levels, left, items, share, parent, every, rule)
        if rule.looks_ahead and deeper > 1:
            after, value = best_test_ahead(points, tallies, levels, left, items, share, parent, value, rule)
        if after == -math.inf:
            continue
        gain = after - now - code_length(points, levels, left, parent, items, rule)
        if gain > best + ENOUGH:
            best, best_parent, best_at = gain, parent, value
    return best, best_parent, best_at


@kernel
def best_gain(points, tallies, levels, left, items, share, rule):
    """What the best split of a leaf gains, on the face of it; 0 where none does."""
    best, now = 0.0, worth(total(tallies, items), share, rule)
    for parent in range(levels.size):
        if levels[parent] > 0 and left[parent] < 2:
            continue
        after, _ = best_test(points, tallies, levels, left, items, share, parent, MOST_CUTS_SEEN, rule)
        if after > -math.inf:
            best = max(best, after - now - code_length(points, levels, left, parent, items, rule))
    return best


@kernel
def best_test(points, tallies, levels, left, items, share, parent, n_cuts, rule):
    """The best test of one parent: what its branches are worth, and the value or threshold.

    About `n_cuts` thresholds are tried.
    """
    if levels[parent] == 0:
        order = items[row_of(parent, levels)]
        return best_threshold(points[parent], tallies, order, share, max(order.size // n_cuts, 1), rule)
    sums = sums_by_state(points[parent], tallies, items[0], levels[parent])
    if rule.by_value:
        return best_value(sums, share, left[parent], rule)
    return worth_of_each(sums, share, rule), 0.0


@kernel
def worth_of_each(sums, share, rule):
    """What a leaf for each state is worth; -inf where one has too few rows."""
    found = 0.0
    for state in range(sums.shape[0]):
        if not is_enough(sums[state], rule):
            return -math.inf
        found += worth(sums[state], share / sums.shape[0], rule)
    return found


@kernel
def best_value(sums, share, n_left, rule):
    """The state to set apart from the others."""
    best, best_at = -math.inf, 0.0
    everything, sides = np.zeros(sums.shape[1]), np.zeros((2, sums.shape[1]))
    for state in range(sums.shape[0]):
        add(sums[state], 1.0, everything)
    for state in range(sums.shape[0]):
        for i in range(sums.shape[1]):
            sides[0, i], sides[1, i] = sums[state, i], everything[i] - sums[state, i]
        found = worth_of_two(sides, share * part_of(0, 2, n_left, rule), share, rule)
        if found > best + ENOUGH:
            best, best_at = found, float(state)
    return best, best_at


@kernel
def best_threshold(values, tallies, order, share, step, rule):
    """The midpoint between two values that is best to part the rows at; `order` has them by value.

    With a step beyond 1, so many rows lie between two that are tried, but for those near the best.
    """
    best, best_at, near = -math.inf, 0.0, 0
    for _ in range(1 if step == 1 else 2):
        best, best_at, near = threshold_among(values, tallies, order, share, step, near, rule)
    return best, best_at


@kernel
def threshold_among(values, tallies, order, share, step, near, rule):
    """The best threshold of those `step` rows apart, or of all that are no further from the row `near`."""
    sides = np.zeros((2, tallies.shape[1]))
    for item in order:
        add(tallies[item], 1.0, sides[1])
    best, best_at, best_row, last = -math.inf, 0.0, 0, -step
    for i in range(order.size - 1):
        add(tallies[order[i]], 1.0, sides[0])
        add(tallies[order[i]], -1.0, sides[1])
        value, next_value = values[order[i]], values[order[i + 1]]
        is_asked = abs(i - near) <= step if near > 0 else i >= last + step
        if value == next_value or not is_asked:
            continue
        last = i
        found = worth_of_two(sides, 0.5 * share, share, rule)
        if found > best + ENOUGH:
            best, best_at, best_row = found, midpoint(value, next_value), i
    return best, best_at, best_row


@kernel
def worth_of_two(sides, first_share, share, rule):
    """What two leaves are worth; -inf where one has too few rows."""
    found = 0.0
    for side in range(2):
        if not is_enough(sides[side], rule):
            return -math.inf
        found += worth(sides[side], first_share if side == 0 else share - first_share, rule)
    return found


@kernel
def best_test_ahead(points, tallies, levels, left, items, share, parent, best_at, rule):
    """The best test of one parent where each branch may be split once more.

    `best_at` is the best threshold by itself.
    """
    n_branches = branches_of(levels[parent], rule)
    values = points[parent]
    found, found_at = -math.inf, 0.0
    for value in tests_of(values, levels[parent], items[row_of(parent, levels)], best_at, rule):
        part = items.copy()
        cuts = arrange(values, levels[parent], part, value, n_branches, rule)
        after = 0.0
        for branch in range(n_branches):
            inside = part[:, cuts[branch] : cuts[branch + 1]]
            tally = total(tallies, inside)
            if not is_enough(tally, rule):
                after = -math.inf
                break
            smaller = share * part_of(branch, n_branches, left[parent], rule)
            below = left.copy()
            below[parent] = left_in(branch, levels[parent], left[parent], rule)
            after += worth(tally, smaller, rule)
            after += best_gain(points, tallies, levels, below, inside, smaller, rule)
        if after > found + ENOUGH:
            found, found_at = after, value
    return found, found_at


@kernel
def tests_of(values, n_levels, order, best_at, rule):
    """The values or thresholds to look ahead from; thresholds at even ranks, and the best by itself."""
    if n_levels > 0:
        states = np.zeros(n_levels if rule.by_value else 1)
        for state in range(states.size):
            states[state] = state
        return states
    present = np.empty(n_distinct(values, order))
    n_found = 0
    for i in range(order.size):
        if i == 0 or values[order[i]] != values[order[i - 1]]:
            present[n_found] = values[order[i]]
            n_found += 1
    n_cuts = min(MOST_CUTS_AHEAD, present.size - 1)
    found = np.zeros(n_cuts + 1)
    n_before = 0
    for i in range(n_cuts):
        below = (i + 1) * present.size // (n_cuts + 1) - 1
        cut = midpoint(present[below], present[below + 1])
        n_before += cut < best_at
        found[i if cut < best_at else i + 1] = cut
    found[n_before] = best_at
    return found


@kernel
def midpoint(low, high):
    """A threshold that parts two values, also where rounding leaves no number between them."""
    middle = low + 0.5 * (high - low)
    return middle if low <= middle < high else low


@kernel(instead=by_arrays.arrange)
def arrange(values, n_levels, items, at, n_branches, rule):
    """Put items in the order of their branches, and say where each begins."""
    cuts = np.zeros(n_branches + 1, np.int64)
    for item in items[0]:
        cuts[branch_of(values[item], n_levels, at, rule) + 1] += 1
    for branch in range(n_branches):
        cuts[branch + 1] += cuts[branch]
    for row in range(items.shape[0]):
        places, before = cuts.copy(), items[row].copy()
        for item in before:
            branch = branch_of(values[item], n_levels, at, rule)
            items[row, places[branch]] = item
            places[branch] += 1
    return cuts


@kernel
def branch_of(value, n_levels, at, rule):
    """The branch a value goes down."""
    if n_levels == 0:
        return 0 if value <= at else 1
    if rule.by_value:
        return 0 if value == at else 1
    return int(value)


@kernel
def branches_of(n_levels, rule):
    """How many branches a test has."""
    return n_levels if n_levels > 0 and not rule.by_value else 2


@kernel
def part_of(branch, n_branches, n_left, rule):
    """The part of a leaf's joint states that goes down a branch; half for a threshold."""
    if n_left < 1 or not rule.by_value:
        return 1.0 / n_branches
    return 1.0 / n_left if branch == 0 else (n_left - 1.0) / n_left


@kernel
def left_in(branch, n_levels, n_left, rule):
    """How many states of a tested parent are still possible down a branch; 0 for continuous ones."""
    if n_levels == 0:
        return 0
    return n_left - 1 if rule.by_value and branch == 1 else 1


@kernel
def states_left(vertex, levels, tested, first, above, rule):
    """How many states of each parent are possible after the tests above a vertex."""
    left = levels.copy()
    while above[vertex] != NONE:
        up = above[vertex]
        parent = tested[up]
        # Setting apart one state after the other takes them away one by one, and all but one at last.
        is_apart = left_in(vertex - first[up], levels[parent], levels[parent], rule) == 1
        left[parent] = 1 if is_apart else left[parent] - (levels[parent] > 0)
        vertex = up
    for parent in range(left.size):
        left[parent] = max(left[parent], min(levels[parent], 1))
    return left


@kernel
def code_length(points, levels, left, parent, items, rule):
    """The length of a test in nats: that there is one, of which parent, and which of its tests.

    Which threshold it is has a price with every score: the best of many fits any data a little.
    """
    n_tests = 1
    if levels[parent] == 0:
        n_tests = max(n_distinct(points[parent], items[row_of(parent, levels)]) - 1, 1)
    if not rule.is_coded:
        return math.log(n_tests)
    if rule.by_value and left[parent] > 2:
        n_tests = left[parent]
    n_testable = 0
    for other in range(left.size):
        n_testable += left[other] != 1
    return math.log(2.0) + math.log(n_testable) + math.log(n_tests)


@kernel(instead=by_arrays.sums_by_state)
def sums_by_state(values, tallies, items, n_levels):
    """The tally of each state of a discrete parent."""
    sums = np.zeros((n_levels, tallies.shape[1]))
    for item in items:
        add(tallies[item], 1.0, sums[int(values[item])])
    return sums


@kernel
def row_of(parent, levels):
    """The row of a vertex's items that is in the order of a continuous parent; the first for others."""
    row = 0
    for other in range(parent + 1):
        row += levels[other] == 0
    return row if levels[parent] == 0 else 0


@kernel(instead=by_arrays.n_distinct)
def n_distinct(values, order):
    """How many different values there are among items in their order."""
    found = min(order.size, 1)
    for i in range(1, order.size):
        found += values[order[i]] != values[order[i - 1]]
    return found


@kernel(instead=by_arrays.total)
def total(tallies, items):
    """The tally of the items of a vertex together."""
    found = np.zeros(tallies.shape[1])
    for item in items[0]:
        add(tallies[item], 1.0, found)
    return found


@kernel(instead=by_arrays.add)
def add(tally, factor, into):
    """Add a tally, times a factor, to another."""
    for i in range(tally.size):
        into[i] += factor * tally[i]

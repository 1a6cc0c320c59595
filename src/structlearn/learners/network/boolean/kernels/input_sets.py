"""The sets of inputs that say most about each output, from bit-packed states."""

import numpy as np

from structlearn.compile import count_common_bits, kernel, write_common_bits

ONE_ERROR = 1 << 20  # costs are whole numbers in these parts, so that equal ones are equal to the bit


@kernel
def cheapest_sets(masks, starts, targets, first, may, prices, units, floors, costs, counts, kept):
    """Look at all sets of columns that begin with `first`, and keep the cheapest of each target.

    Row `starts[j] + s` of `masks` has a bit for each pair of states in which column j is in state s; the
    outputs follow the inputs. `may` is (columns, targets): -1 for never, 1 for always. A set costs
    `units` for each of its patterns, and what its patterns leave open: by `prices` of counts, or the errors
    of the commonest state where there are none. `costs` is (targets, 2), the least and the next; no cost is
    below `floors`. Of `kept`, (targets, places, size), place 0 is a set that costs the next, and those from 1
    on are the `counts` sets that cost least, as far as there is room.
    """
    n_columns, size = may.shape[0], kept.shape[2]
    members = np.zeros(size, dtype=np.int64)
    members[0] = first
    n_needed = needed(may, targets)
    n_seen = np.zeros(size + 1, dtype=np.int64)
    n_patterns = np.ones(size + 1, dtype=np.int64)
    # No more patterns than pairs are seen.
    most = int(min(float(widest(starts, n_columns)) ** size, 64.0 * masks.shape[1]))
    patterns = np.zeros((size + 1, most, masks.shape[1]), dtype=np.uint64)
    n_rows = np.zeros((size + 1, most), dtype=np.int64)
    for state in range(starts[first], starts[first + 1]):
        patterns[0, 0] |= masks[state]
    n_rows[0, 0] = count_common_bits(patterns[0, 0], patterns[0, 0])
    n_seen[0] = 1
    depth = 0
    while depth >= 0:
        column = members[depth]
        if column > n_columns - (size - depth) or (depth == 0 and column != first):
            depth -= 1
            if depth >= 0:
                members[depth] += 1
            continue
        n_patterns[depth + 1] = n_patterns[depth] * (starts[column + 1] - starts[column])
        states = masks[starts[column] : starts[column + 1]]
        n_seen[depth + 1] = split(
            patterns[depth], n_seen[depth], states, patterns[depth + 1], n_rows[depth + 1]
        )
        if depth < size - 1:
            depth += 1
            members[depth] = column + 1
            continue
        for t in range(targets.shape[0]):
            if not is_allowed(members, may, targets[t], n_needed[t]):
                continue
            output = n_columns + targets[t]
            outputs = masks[starts[output] : starts[output + 1]]
            least = units[t] * n_patterns[size]
            cost = cost_of(patterns[size, : n_seen[size]], n_rows[size], outputs, prices, least, costs[t, 1])
            if cost <= costs[t, 1]:
                counts[t] = keep(max(cost, floors[t]), members, costs[t], counts[t], kept[t])
        members[depth] += 1


@kernel
def needed(may, targets):
    """How many inputs each target must have."""
    n_needed = np.zeros(targets.shape[0], dtype=np.int64)
    for t in range(targets.shape[0]):
        for j in range(may.shape[0]):
            n_needed[t] += may[j, targets[t]] == 1
    return n_needed


@kernel
def widest(starts, n_columns):
    """The most states of a column."""
    most = 1
    for j in range(n_columns):
        most = max(most, starts[j + 1] - starts[j])
    return most


@kernel
def split(patterns, n_patterns, masks, parts, n_rows):
    """Divide patterns by the states of one column more, less those that no pair has; returns how many."""
    n_parts = 0
    for a in range(n_patterns):
        for state in range(masks.shape[0]):
            write_common_bits(patterns[a], masks[state], parts[n_parts])
            n_common = count_common_bits(parts[n_parts], parts[n_parts])
            if n_common > 0:
                n_rows[n_parts] = n_common
                n_parts += 1
                if n_parts == parts.shape[0]:
                    return n_parts
    return n_parts


@kernel
def is_allowed(members, may, target, n_needed):
    """Whether a target may have all of these inputs, and has all that it must have, so many."""
    for member in members:
        if may[member, target] < 0:
            return False
        n_needed -= may[member, target] == 1
    return n_needed == 0


@kernel
def cost_of(patterns, n_rows, outputs, prices, cost, most):
    """What a set costs, from `cost` on; counting ends once that is more than `most`."""
    for a in range(patterns.shape[0]):
        rest = n_rows[a]
        commonest = 0
        if prices.shape[0]:
            cost += prices[rest]
        for state in range(outputs.shape[0]):
            n_common = rest
            if state < outputs.shape[0] - 1:
                n_common = count_common_bits(patterns[a], outputs[state])
            rest -= n_common
            commonest = max(commonest, n_common)
            if prices.shape[0]:
                cost -= prices[n_common]
        if not prices.shape[0]:
            cost += ONE_ERROR * (n_rows[a] - commonest)
        if cost > most:
            break
    return cost


@kernel
def keep(cost, members, costs, count, kept):
    """Put a set where it belongs: with the cheapest, before them, or next to them; returns their number."""
    if cost > costs[0]:
        if cost < costs[1]:
            costs[1] = cost
            kept[0] = members
        return count
    if cost < costs[0]:
        if count > 0:
            costs[1] = costs[0]
            kept[0] = kept[1]
        costs[0] = cost
        count = 0
    if count + 1 < kept.shape[0]:
        kept[count + 1] = members
    return count + 1

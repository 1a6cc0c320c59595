"""Which questions to ask next: subsets of the neighbours of each pair's ends, in order."""

from structlearn.compile import kernel


@kernel
def is_neighbor(starts, neighbors, node, other):
    """Whether `other` is in the sorted list of `node`."""
    low, high = starts[node], starts[node + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbors[middle] < other:
            low = middle + 1
        else:
            high = middle
    return low < starts[node + 1] and neighbors[low] == other


@kernel
def member(starts, neighbors, node, other, always, position):
    """The neighbour of `node` at `position`, not counting `other` and `always`."""
    for at in range(starts[node], starts[node + 1]):
        if neighbors[at] == other or neighbors[at] == always:
            continue
        if position == 0:
            return neighbors[at]
        position -= 1
    return -1


@kernel
def n_members(starts, neighbors, node, other, always):
    """How many neighbours `node` has, not counting `other` and `always`."""
    n_left = starts[node + 1] - starts[node]
    if is_neighbor(starts, neighbors, node, other):
        n_left -= 1
    if always >= 0 and is_neighbor(starts, neighbors, node, always):
        n_left -= 1
    return n_left


@kernel
def next_questions(pairs, always, asking, starts, neighbors, n_sides, most, side, places, questions, owners):
    """Write up to `most` further questions for each pair of `asking`; returns how many in all.

    Subsets come in lexicographic order, from the neighbours of the pair's first end (side 0)
    and then, with two sides, of its second, where those that are neighbours of the first too are
    not asked again. `places` holds each pair's current subset, -1 before the first of a side; a
    pair's side is `n_sides` when no subset is left. `always[a]`, unless negative, is a condition
    of all questions of the pair, in their last column.
    """
    size = places.shape[1]
    n_written = 0
    for a in asking:
        n_asked = 0
        while n_asked < most and side[a] < n_sides:
            end, other = pairs[a, side[a]], pairs[a, 1 - side[a]]
            if not advance(places[a], n_members(starts, neighbors, end, other, always[a])):
                side[a] += 1
                reset(places[a])
                continue
            questions[n_written, 0] = pairs[a, 0]
            questions[n_written, 1] = pairs[a, 1]
            if always[a] >= 0:
                questions[n_written, size + 2] = always[a]
            is_new = side[a] == 0
            for c in range(size):
                node = member(starts, neighbors, end, other, always[a], places[a, c])
                questions[n_written, c + 2] = node
                is_new |= not is_neighbor(starts, neighbors, pairs[a, 0], node)
            if is_new:
                owners[n_written] = a
                n_written += 1
                n_asked += 1
            if size == 0:
                side[a] = n_sides
    return n_written


@kernel
def reset(places):
    """Go back to before the first subset."""
    for c in range(places.size):
        places[c] = -1


@kernel
def advance(places, n_choices):
    """Move to the next subset of 0 … n_choices - 1; False when there is none."""
    size = places.size
    if size > n_choices:
        return False
    if size == 0:
        return True
    if places[0] < 0:
        for c in range(size):
            places[c] = c
        return True
    c = size - 1
    while c >= 0 and places[c] == n_choices - size + c:
        c -= 1
    if c < 0:
        return False
    places[c] += 1
    for d in range(c + 1, size):
        places[d] = places[d - 1] + 1
    return True

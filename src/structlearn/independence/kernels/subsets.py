"""Which questions to ask next: the subsets of the neighbours of each pair's ends, in order."""

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
def member(starts, neighbors, node, left_out, position):
    """The neighbour of `node` at `position`, not counting `left_out`."""
    for at in range(starts[node], starts[node + 1]):
        if neighbors[at] == left_out:
            continue
        if position == 0:
            return neighbors[at]
        position -= 1
    return -1


@kernel
def next_questions(pairs, asking, starts, neighbors, most, side, places, questions, owners):
    """Write up to `most` further questions for each pair of `asking`; returns how many in all.

    Subsets come in lexicographic order, from the neighbours of the pair's first end (side 0)
    and then of its second (side 1), where those that are neighbours of the first too are not
    asked again. `places` holds each pair's current subset, -1 before the first of a side; side
    2 means that no subset is left.
    """
    size = places.shape[1]
    n_written = 0
    for a in asking:
        n_asked = 0
        while n_asked < most and side[a] < 2:
            end, other = pairs[a, side[a]], pairs[a, 1 - side[a]]
            n_members = starts[end + 1] - starts[end] - is_neighbor(starts, neighbors, end, other)
            if not advance(places[a], n_members):
                side[a] += 1
                reset(places[a])
                continue
            questions[n_written, 0] = pairs[a, 0]
            questions[n_written, 1] = pairs[a, 1]
            is_new = side[a] == 0
            for c in range(size):
                node = member(starts, neighbors, end, other, places[a, c])
                questions[n_written, c + 2] = node
                is_new |= not is_neighbor(starts, neighbors, pairs[a, 0], node)
            if is_new:
                owners[n_written] = a
                n_written += 1
                n_asked += 1
            if size == 0:
                side[a] = 2
    return n_written


@kernel
def reset(places):
    """Go back to before the first subset."""
    for c in range(places.size):
        places[c] = -1


@kernel
def advance(places, n_members):
    """Move to the next subset of 0 … n_members - 1; False when there is none."""
    size = places.size
    if size > n_members:
        return False
    if size == 0:
        return True
    if places[0] < 0:
        for c in range(size):
            places[c] = c
        return True
    c = size - 1
    while c >= 0 and places[c] == n_members - size + c:
        c -= 1
    if c < 0:
        return False
    places[c] += 1
    for d in range(c + 1, size):
        places[d] = places[d - 1] + 1
    return True

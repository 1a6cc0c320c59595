"""Which questions to ask next: subsets of the neighbours of each pair's ends, in order."""

import numpy as np

from structlearn.compile import kernel


@kernel
def fill_choices(pair, side, always, starts, neighbors, choices, is_shared):
    """Write the neighbours of an end of a pair, but for the other end and `always`; returns how many.

    `is_shared` says which of them the first end has too, of the second.
    """
    end, other = pair[side], pair[1 - side]
    n_choices, beside = 0, starts[other]
    for at in range(starts[end], starts[end + 1]):
        node = neighbors[at]
        while side == 1 and beside < starts[other + 1] and neighbors[beside] < node:
            beside += 1
        if node != other and node != always:
            choices[n_choices] = node
            is_shared[n_choices] = side == 1 and beside < starts[other + 1] and neighbors[beside] == node
            n_choices += 1
    return n_choices


@kernel
def next_questions(pairs, always, asking, starts, neighbors, n_sides, most, side, places, questions, owners):
    """Write up to `most` further questions for each pair of `asking`; returns how many in all.

    Subsets of one node or more come in lexicographic order, from the neighbours of the pair's first end
    (side 0) and then, with two sides, of its second, where those that are neighbours of the first too
    are not asked again. `places` holds each pair's current subset, -1 before the first of a side; a
    pair's side is `n_sides` when no subset is left. `always[a]`, unless negative, is a condition
    of all questions of the pair, in their last column.
    """
    size = places.shape[1]
    choices = np.empty(neighbors.size, dtype=np.int64)  # of which few are touched
    is_shared = np.empty(choices.size, dtype=np.bool_)
    n_written = 0
    for a in asking:
        n_asked = 0
        while n_asked < most and side[a] < n_sides:
            n_choices = fill_choices(pairs[a], side[a], always[a], starts, neighbors, choices, is_shared)
            while n_asked < most and advance(places[a], n_choices):
                is_new = side[a] == 0
                questions[n_written, 0] = pairs[a, 0]
                questions[n_written, 1] = pairs[a, 1]
                if always[a] >= 0:
                    questions[n_written, size + 2] = always[a]
                for c in range(size):
                    questions[n_written, c + 2] = choices[places[a, c]]
                    is_new |= not is_shared[places[a, c]]
                if is_new:
                    owners[n_written] = a
                    n_written += 1
                    n_asked += 1
            if n_asked < most:
                side[a] += 1
                reset(places[a])
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

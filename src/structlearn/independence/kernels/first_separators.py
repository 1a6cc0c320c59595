"""The first set that makes a pair of continuous columns independent, with no question written down."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.independence.kernels.correlations import diagonal
from structlearn.independence.kernels.subsets import fill_choices


@kernel
def first_separators(
    correlation, tolerance, limit, pairs, starts, neighbors, most, begin, n_tests, room, given, rho, least
):
    """Go on with the pairs from `begin` for about `n_tests` tests; returns the pair it came to, and how many.

    Sets come in the order of `next_questions`, in portions of 1, 2, 4, … up to `most`, of which each is
    ended. `rho` becomes the correlation given the first set, in `given`, at which it is at most `limit`;
    `least` the smallest met. `room` has for each pair the side, the places of the last set, and how many
    tests are left of the portion beside its size.
    """
    side, places, portions = room
    size = places.shape[1]
    choices = np.empty(neighbors.size, dtype=np.int64)  # of which few are touched
    is_shared = np.empty(neighbors.size, dtype=np.bool_)
    own, now = diagonal(correlation), np.empty(size, dtype=np.int64)
    work = np.zeros((size, size)), np.zeros((2, size)), np.empty((3, size + 1))
    n_done = 0
    for a in range(begin, pairs.shape[0]):
        now[:] = places[a]
        n_choices = fill_choices(pairs[a], min(side[a], 1), -1, starts, neighbors, choices, is_shared)
        while side[a] < 2:
            if portions[a, 0] == 0:
                if not math.isnan(rho[a]):
                    side[a] = 2
                    break
                if n_done >= n_tests:
                    places[a] = now
                    return a, n_done
                portions[a, 1] = min(2 * portions[a, 1], most)
                portions[a, 0] = portions[a, 1]
            made, first, smallest = _test_sets(
                correlation, own, tolerance, limit, pairs[a, 0], pairs[a, 1], choices, is_shared, n_choices,
                now, portions[a, 0], work, given[a], rho[a],
            )  # fmt: skip
            rho[a], least[a] = first, min(least[a], smallest)
            n_done += made
            portions[a, 0] -= made
            if portions[a, 0] > 0:  # the sets came to an end before
                side[a] += 1
                now[:] = -1
                n_choices = fill_choices(pairs[a], 1, -1, starts, neighbors, choices, is_shared)
    return pairs.shape[0], n_done


@kernel
def _test_sets(
    correlation, own, tolerance, limit, x, y, choices, is_shared, n_choices, now, most, room, given, rho
):
    """Test up to `most` sets behind `now`; returns how many, the first within the limit, and the smallest.

    One long loop: to hand arrays on for every set takes longer than a test.
    """
    factor, loads, left = room
    size, n_made, ready, least = now.size, 0, 0, np.inf
    left[0, 0], left[1, 0], left[2, 0] = correlation[x, y], own[x], own[y]
    while n_made < most:
        c = size - 1
        while now[0] >= 0 and c >= 0 and now[c] == n_choices - size + c:
            c -= 1
        if c < 0 or size > n_choices:
            break
        c = c if now[0] >= 0 else 0
        now[c] += 1
        is_new = False
        for a in range(size):
            if a > c:
                now[a] = now[a - 1] + 1
            is_new |= not is_shared[now[a]]
        ready = min(ready, c)
        if not is_new:
            continue
        for a in range(ready, size):
            node = choices[now[a]]
            own_left, x_part, y_part = own[node], correlation[x, node], correlation[y, node]
            for b in range(a):
                part = correlation[choices[now[b]], node]
                for d in range(b):
                    part -= factor[a, d] * factor[b, d]
                part *= factor[b, b]
                factor[a, b] = part
                own_left -= part * part
                x_part -= part * loads[0, b]
                y_part -= part * loads[1, b]
            factor[a, a] = 1.0 / math.sqrt(own_left) if own_left > tolerance else 0.0
            loads[0, a], loads[1, a] = x_part * factor[a, a], y_part * factor[a, a]
            left[0, a + 1] = left[0, a] - loads[0, a] * loads[1, a]
            left[1, a + 1] = left[1, a] - loads[0, a] * loads[0, a]
            left[2, a + 1] = left[2, a] - loads[1, a] * loads[1, a]
        ready, n_made, found = size, n_made + 1, 0.0
        if left[1, size] > tolerance and left[2, size] > tolerance:
            found = left[0, size] / math.sqrt(left[1, size] * left[2, size])
        least = min(least, abs(found))
        if abs(found) <= limit and math.isnan(rho):
            rho = found
            for a in range(size):
                given[a] = choices[now[a]]
    return n_made, rho, least

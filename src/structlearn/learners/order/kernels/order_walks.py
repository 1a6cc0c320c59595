"""Walks over orders, in which every node takes its best parents among the nodes before it.

`chosen` has the row of every node's best set that fits, or NONE; `position` the place of every node
in the order. A pair (x, y) is tabu until step `tabu_until[x, y]`: until then the two may not pass each
other again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel
from structlearn.learners.order.kernels.fitting_rows import NONE, first_fit
from structlearn.rounding import ENOUGH
from structlearn.search.kernels.moves import slack

IMPOSSIBLE = -1e150  # what a node without a set that fits scores; it stays finite for differences
STEP, FRUITLESS = 0, 1  # what is counted in `counters`


class Walk(NamedTuple):
    """Where a walk is: the present order, the best one, and what each adjacent swap would bring."""

    order: NDArray[np.int64]
    position: NDArray[np.int64]
    chosen: NDArray[np.int64]
    swap_gains: NDArray[np.float64]
    tabu_until: NDArray[np.int64]
    best_order: NDArray[np.int64]
    best_score: NDArray[np.float64]
    counters: NDArray[np.int64]


@kernel
def value(rows, row):
    """The score of a set."""
    return IMPOSSIBLE if row == NONE else rows.scores[row]


@kernel
def choose_all(rows, order, position, chosen):
    """Find the places and the best parents of all nodes in an order; its score."""
    total = 0.0
    for place in range(order.size):
        position[order[place]] = place
    for place in range(order.size):
        node = order[place]
        chosen[node] = first_fit(rows, node, position, place, rows.starts[node])
        total += value(rows, chosen[node])
    return total


@kernel
def gain_of_swap(rows, walk, place):
    """What it brings to swap the nodes at a place and behind it."""
    a, b = walk.order[place], walk.order[place + 1]
    walk.position[b] = -1
    with_b = first_fit(rows, a, walk.position, place, rows.starts[a])
    walk.position[b] = place + 1
    without_a = first_fit(rows, b, walk.position, place, walk.chosen[b])
    change_of_a = value(rows, with_b) - value(rows, walk.chosen[a])
    return change_of_a + value(rows, without_a) - value(rows, walk.chosen[b])


@kernel
def refresh_swaps(rows, walk, low, high):
    """Find the gains of the swaps at the places from low to high, as far as they exist."""
    for place in range(max(low, 0), min(high + 1, walk.order.size - 1)):
        walk.swap_gains[place] = gain_of_swap(rows, walk, place)


@kernel
def best_swap(walk, step):
    """The swap that brings most and is not tabu: (from, to, gain)."""
    best, most = NONE, -np.inf
    for place in range(walk.order.size - 1):
        if walk.tabu_until[walk.order[place], walk.order[place + 1]] > step:
            continue
        if walk.swap_gains[place] > most + ENOUGH or best == NONE:
            best, most = place, walk.swap_gains[place]
    return best, best + 1, most


@kernel
def best_insertion(rows, walk, step):
    """The move of one node to another place that brings most and passes nobody who is tabu."""
    best, to, most = NONE, NONE, -np.inf
    for now in range(walk.order.size):
        for direction in (-1, 1):
            place, gain = best_way(rows, walk, now, direction, step)
            if place != NONE and (gain > most + ENOUGH or best == NONE):
                best, to, most = now, place, gain
    return best, to, most


@kernel
def best_way(rows, walk, now, direction, step):
    """The best place for the node at a place among those on one side of it: (place, gain)."""
    x = walk.order[now]
    row = walk.chosen[x]
    passed, best, most = 0.0, NONE, -np.inf
    place = now + direction
    while 0 <= place < walk.order.size:
        y = walk.order[place]
        if walk.tabu_until[x, y] > step:
            break
        walk.position[x] = -1 if direction < 0 else walk.order.size
        start = rows.starts[y] if direction < 0 else walk.chosen[y]
        of_y = first_fit(rows, y, walk.position, place, start)
        walk.position[x] = now
        passed += value(rows, of_y) - value(rows, walk.chosen[y])
        start = row if direction < 0 else rows.starts[x]
        row = first_fit(rows, x, walk.position, place + (direction > 0), start)
        gain = passed + value(rows, row) - value(rows, walk.chosen[x])
        if gain > most + ENOUGH or best == NONE:
            best, most = place, gain
        place += direction
    return best, most


@kernel
def move(rows, walk, now, place, until):
    """Move a node from one place to another; those that it passes are tabu for it until a step."""
    x = walk.order[now]
    step = 1 if place > now else -1
    for i in range(now, place, step):
        y = walk.order[i + step]
        walk.order[i] = y
        walk.position[y] = i
        walk.tabu_until[x, y] = until
        walk.tabu_until[y, x] = until
    walk.order[place] = x
    walk.position[x] = place
    for i in range(min(now, place), max(now, place) + 1):
        node = walk.order[i]
        walk.chosen[node] = first_fit(rows, node, walk.position, i, rows.starts[node])


@kernel
def score_of(rows, walk):
    """The score of the present order."""
    total = 0.0
    for node in range(walk.order.size):
        total += value(rows, walk.chosen[node])
    return total


@kernel
def least_gain(walk):
    """What a better order must score more: above rounding, by the score of what can be scored at all."""
    score = walk.best_score[0]
    return ENOUGH if score < 0.5 * IMPOSSIBLE else slack(score)


@kernel
def go_on(rows, walk, only_swaps, tabu, patience, n_steps):
    """Walk so many steps; whether there is more to do.

    A step is the best one that is not tabu, even downhill; without a tabu list the walk ends
    where no step goes uphill.
    """
    for _ in range(n_steps):
        step = walk.counters[STEP]
        now, place, gain = best_swap(walk, step) if only_swaps else best_insertion(rows, walk, step)
        if now == NONE or gain < 0.5 * IMPOSSIBLE or (tabu == 0 and gain <= least_gain(walk)):
            return False
        move(rows, walk, now, place, step + tabu)
        if only_swaps:
            refresh_swaps(rows, walk, now - 1, now + 1)
        walk.counters[STEP] += 1
        walk.counters[FRUITLESS] += 1
        score = score_of(rows, walk)
        if score > walk.best_score[0] + least_gain(walk):
            walk.best_score[0] = score
            walk.counters[FRUITLESS] = 0
            for i in range(walk.order.size):
                walk.best_order[i] = walk.order[i]
        if walk.counters[FRUITLESS] >= patience > 0 and tabu > 0:
            return False
    return True

"""Where in an order a node scores most, when each takes the best of its listed families."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn import rounding
from structlearn.compile import kernel
from structlearn.search.kernels.displacing import carry, displace, draw_path, place_bounds
from structlearn.search.kernels.placing_by_sets import settle_by_sets, shake_by_sets

slack = kernel(rounding.slack)


class Lists(NamedTuple):
    """The parent sets of every child, best first: those of child y from row `first[y]` to `first[y + 1]`.

    Rows of `members` are filled up with −1. `listens[y, x]` says whether x is in any set of y: if not, y does
    not care where x is.
    """

    first: NDArray[np.int64]
    members: NDArray[np.int64]
    scores: NDArray[np.float64]
    listens: NDArray[np.bool_]


@kernel
def first_within(lists, begin, end, position, limit):
    """The first of some rows whose members are all before `limit`; −1 where there is none."""
    members = lists.members
    for row in range(begin, end):
        fits = True
        for j in range(members.shape[1]):
            member = members[row, j]
            if member < 0:
                break
            if position[member] >= limit:
                fits = False
                break
        if fits:
            return row
    return -1


@kernel
def choose_all(lists, order, position, chosen):
    """Choose for every node the best set of those before it."""
    for i in range(order.size):
        position[order[i]] = i
    for i in range(order.size):
        y = order[i]
        chosen[y] = first_within(lists, lists.first[y], lists.first[y + 1], position, i)


@kernel
def totals_by_place(lists, order, position, chosen, x, totals, own):
    """Write the score of the order with x in each place; `own` becomes the row of x in each.

    Where x is before its required parents or behind its required children, the total means nothing.
    """
    first, scores = lists.first, lists.scores
    n = order.size
    now = position[x]
    for i in range(n):
        own[i] = -1
    n_open = n  # places, from the first on, that no row is known for
    for row in range(first[x], first[x + 1]):
        place = 0
        for j in range(lists.members.shape[1]):
            member = lists.members[row, j]
            if member < 0:
                break
            behind = position[member] + (position[member] < now)
            if behind > place:
                place = behind
        for i in range(place, n_open):
            own[i] = row
        if place < n_open:
            n_open = place
        if n_open == 0:
            break
    total = 0.0  # of the others, with x before all of them
    for i in range(n):
        y = order[i]
        if y == x:
            continue
        # Without x, and with it: one of them is the row chosen now.
        without = with_x = chosen[y]
        if lists.listens[y, x]:
            if i > now:
                position[x] = n
                without = first_within(lists, chosen[y], first[y + 1], position, i)
            else:
                position[x] = -1
                with_x = first_within(lists, first[y], chosen[y] + 1, position, i)
            position[x] = now
        gain = scores[without] - scores[with_x]
        total += scores[with_x]
        totals[i + (i < now)] = gain
    place_score = total
    totals[0] = total
    for i in range(1, n):
        place_score += totals[i]
        totals[i] = place_score
    for i in range(n):
        totals[i] += scores[own[i]]


@kernel(instead=settle_by_sets)
def settle(lists, frozen, order, position, chosen, pending, sequence, room, most_tries):
    """Move the pending nodes, in their sequence, to their best places until none is pending.

    Returns whether all is done before `most_tries` nodes were tried; called again, it goes on where it was.
    """
    totals, own = room
    n_tries = 0
    is_done = False
    while not is_done:
        is_done = True
        for k in range(sequence.size):
            x = sequence[k]
            if not pending[x]:
                continue
            if n_tries == most_tries:
                return False
            n_tries += 1
            is_done = False
            pending[x] = False
            totals_by_place(lists, order, position, chosen, x, totals, own)
            low, high = place_bounds(frozen, position, x)
            now, place = position[x], low  # the first of the best
            for i in range(low + 1, high + 1):
                if totals[i] > totals[place]:
                    place = i
            if not totals[place] > totals[now] + slack(totals[now]):  # as a NaN is not
                continue
            carry(order, position, x, place)
            low, high = (now, place) if now < place else (place, now)
            for i in range(low, high + 1):
                y = order[i]
                if y == x or lists.listens[y, x]:
                    row = first_within(lists, lists.first[y], lists.first[y + 1], position, i)
                    pending[y] |= row != chosen[y]
                    chosen[y] = row
    return True


@kernel(instead=shake_by_sets)
def shake(lists, frozen, best, trial, draws, sequences, perturb, record, pending, room, is_used, found):
    """Displace nodes of the best order and settle, once for each row of `draws`; `found` gets the scores.

    `best` and `trial` are (order, position, chosen); a row of `draws` has 2 + 2 · `perturb` random numbers.
    An order as good as the best replaces it, so that the search can cross plateaus; the record stays, so that
    it cannot sink by a tie after the other and rise again.
    """
    order, position, chosen = trial
    own = room[1]
    for i in range(draws.shape[0]):
        for y in range(order.size):  # loops, as whole arrays take a second to compile
            order[y] = best[0][y]
            position[y] = best[1][y]
            pending[y] = False
        draw = draws[i]
        n_path = draw_path(lists.members, best[2], draw, perturb, own)
        displace(int(3.0 * draw[0]), frozen, order, position, draw, perturb, own, n_path, pending)
        choose_all(lists, order, position, chosen)
        for y in range(order.size):
            pending[y] |= chosen[y] != best[2][y]
        settle(lists, frozen, order, position, chosen, pending, sequences[i], room, -1)
        score = 0.0
        for y in range(order.size):
            score += lists.scores[chosen[y]]
            is_used[chosen[y]] = True
        found[i] = score
        if score >= record - slack(record):
            record = max(record, score)
            for y in range(order.size):
                best[0][y] = order[y]
                best[1][y] = position[y]
                best[2][y] = chosen[y]

"""Where in an order a node scores most, when each takes the best of its listed families."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn import rounding
from structlearn.compile import kernel
from structlearn.search.kernels.displacing import carry, displace, draw_path, place_bounds
from structlearn.search.kernels.placing_by_sets import settle_by_sets, shake_by_sets

slack = kernel(rounding.slack)
WORD = 64  # bits


class Lists(NamedTuple):
    """The parent sets of every child, best first: those of child y from row `first[y]` to `first[y + 1]`.

    Rows of `members` are filled up with −1. `listens[y, x]` says whether x is in any set of y: if not, y does
    not care where x is. Every node has one of 64 bits, which beyond 64 nodes some share; `bits` has those of
    a row's members. Where one of them is none of the nodes before, the row need not be looked at.
    """

    first: NDArray[np.int64]
    members: NDArray[np.int64]
    scores: NDArray[np.float64]
    listens: NDArray[np.bool_]
    bit: NDArray[np.int64]
    bits: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        first: NDArray[np.int64],
        members: NDArray[np.int64],
        scores: NDArray[np.float64],
        listens: NDArray[np.bool_],
    ) -> "Lists":
        """The lists, with their bits."""
        bit = np.left_shift(1, np.arange(len(listens)) % WORD)
        bits = np.bitwise_or.reduce(np.where(members >= 0, bit[members], 0), axis=1)
        return cls(first, members, scores, listens, bit, bits)


@kernel
def first_within(lists, begin, end, position, limit, before):
    """The first of some rows whose members are all before `limit`; −1 where there is none.

    `before` has the bits of the nodes that are, and may have others.
    """
    members, missing = lists.members, ~before
    for row in range(begin, end):
        if lists.bits[row] & missing:
            continue
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
    before = 0
    for i in range(order.size):
        y = order[i]
        chosen[y] = first_within(lists, lists.first[y], lists.first[y + 1], position, i, before)
        before |= lists.bit[y]


@kernel
def rows_by_place(lists, order, position, x, own, before):
    """Write the row that x has its parents of in each place; −1 where it has none.

    `before` becomes, for every place, the bits of the nodes that are before it now.
    """
    n, now, bits = order.size, position[x], 0
    for i in range(n):
        own[i] = -1
        before[i] = bits
        bits |= lists.bit[order[i]]
    missing, n_open = ~bits, n  # places, from the first on, that no row is known for
    for row in range(lists.first[x], lists.first[x + 1]):
        if lists.bits[row] & missing:
            continue
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
            missing = ~before[n_open - 1 if n_open <= now else n_open]


@kernel
def totals_by_place(lists, order, position, chosen, x, totals, own, before):
    """Write the score of the order with x in each place; `own` becomes the row of x in each.

    Where x is before its required parents or behind its required children, the total means nothing.
    """
    first, scores = lists.first, lists.scores
    n, now = order.size, position[x]
    rows_by_place(lists, order, position, x, own, before)
    others = ~lists.bit[x] if n <= WORD else -1  # a bit that others share says nothing of x
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
                bits = before[i] & others
                without = first_within(lists, chosen[y], first[y + 1], position, i, bits)
            else:
                position[x] = -1
                bits = before[i] | lists.bit[x]
                with_x = first_within(lists, first[y], chosen[y] + 1, position, i, bits)
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


@kernel
def choose_between(lists, order, position, chosen, pending, x, was):
    """Choose anew for the nodes that x has passed on its way from where it was; who changes is pending."""
    first, place, bits = lists.first, position[x], 0
    for i in range(min(was, place)):
        bits |= lists.bit[order[i]]
    for i in range(min(was, place), max(was, place) + 1):
        y = order[i]
        if y != x and lists.listens[y, x]:
            begin, end = (chosen[y], first[y + 1]) if was < place else (first[y], chosen[y] + 1)
            row = first_within(lists, begin, end, position, i, bits)
            pending[y] |= row != chosen[y]
            chosen[y] = row
        bits |= lists.bit[y]


@kernel(instead=settle_by_sets)
def settle(lists, frozen, order, position, chosen, pending, sequence, room, most_tries):
    """Move the pending nodes, in their sequence, to their best places until none is pending.

    Returns whether all is done before `most_tries` nodes were tried; called again, it goes on where it was.
    """
    totals, own, before = room
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
            totals_by_place(lists, order, position, chosen, x, totals, own, before)
            low, high = place_bounds(frozen, position, x)
            now, place = position[x], low  # the first of the best
            for i in range(low + 1, high + 1):
                if totals[i] > totals[place]:
                    place = i
            if not totals[place] > totals[now] + slack(totals[now]):  # as a NaN is not
                continue
            pending[x] = own[place] != chosen[x]
            chosen[x] = own[place]
            carry(order, position, x, place)
            choose_between(lists, order, position, chosen, pending, x, now)
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

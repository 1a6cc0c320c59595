"""Where in an order a node scores most, when each takes the best of its listed families."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn import rounding
from structlearn.compile import kernel
from structlearn.search.kernels.displacing import carry, displace, draw_path, place_bounds
from structlearn.search.kernels.members import sort_by_member, write_bits
from structlearn.search.kernels.placing_by_sets import settle_by_sets, shake_by_sets

slack = kernel(rounding.slack)
WORD = 64  # bits


class ByMember(NamedTuple):
    """The rows of lists once for each member, those of one member and one child together, best first.

    Member x has the parts `first[x]` to `first[x + 1]`; a part has rows of one child, from `begin[part]` to
    `begin[part + 1]` of `rows`.
    """

    first: NDArray[np.int64]
    child: NDArray[np.int64]
    begin: NDArray[np.int64]
    rows: NDArray[np.int64]
    bits: NDArray[np.int64]


class Lists(NamedTuple):
    """The parent sets of every child, best first: those of child y from row `first[y]` to `first[y + 1]`.

    Rows of `members` are filled up with −1. Every node has one of 64 bits, which beyond 64 nodes some share;
    `bits` has those of a row's members. Where one of them is of none of the nodes before, the row need not be
    looked at.
    """

    first: NDArray[np.int64]
    members: NDArray[np.int64]
    scores: NDArray[np.float64]
    bit: NDArray[np.int64]
    bits: NDArray[np.int64]
    by_member: ByMember

    @classmethod
    def of(cls, first: NDArray[np.int64], members: NDArray[np.int64], scores: NDArray[np.float64]) -> "Lists":
        """The lists with their bits, and by members."""
        n, n_members = len(first) - 1, int(np.count_nonzero(members >= 0))
        bit, bits = np.left_shift(1, np.arange(n) % WORD), np.empty(len(members), dtype=np.int64)
        write_bits(members, bit, bits)
        of_member = np.empty(n + 1, dtype=np.int64)
        child, begin, rows = np.empty((3, n_members + 1), dtype=np.int64)
        rows = rows[:n_members]
        n_parts = sort_by_member(first, members, of_member, child, begin, rows)
        by_member = ByMember(of_member, child[:n_parts], begin[: n_parts + 1], rows, bits[rows])
        return cls(first, members, scores, bit, bits, by_member)

    def listens(self) -> NDArray[np.bool_]:
        """Whether a child, in a row for each, has a set with a member: if not, it does not care for it."""
        n = len(self.bit)
        found = np.zeros((n, n), dtype=np.bool_)
        found[self.by_member.child, np.repeat(np.arange(n), np.diff(self.by_member.first))] = True
        return found


@kernel(inline=True)
def first_within(lists, begin, end, position, limit, before):
    """The first of some rows whose members are all before `limit`; −1 where there is none.

    `before` has the bits of the nodes that are.
    """
    members, missing, is_shared = lists.members, ~before, lists.bit.size > WORD
    for row in range(begin, end):
        if lists.bits[row] & missing:
            continue
        if not is_shared:
            return row
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


@kernel(inline=True)
def first_with(lists, part, end, position, limit, before):
    """The same of the rows of a part that come before a row `end`."""
    found, missing, is_shared = -1, ~before, lists.bit.size > WORD
    k = lists.by_member.begin[part]
    while found < 0 and k < lists.by_member.begin[part + 1] and lists.by_member.rows[k] < end:
        if not lists.by_member.bits[k] & missing:
            found = lists.by_member.rows[k]
            for j in range(lists.members.shape[1] if is_shared else 0):
                member = lists.members[found, j]
                if member < 0:
                    break
                if position[member] >= limit:
                    found = -1
                    break
        k += 1
    return found


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


@kernel(inline=True)
def rows_by_place(lists, order, position, x, own, before):
    """Write the row that x has its parents of in each place; −1 where it has none.

    `before` has, for every place, the bits of the nodes that are before it now.
    """
    n, now = order.size, position[x]
    for i in range(n):
        own[i] = -1
    missing, n_open = 0, n  # places, from the first on, that no row is known for
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


@kernel(inline=True)
def write_before(bit, order, begin, end, before):
    """Write for the places from `begin` to `end` the bits of the nodes that are before them."""
    bits = before[begin - 1] | bit[order[begin - 1]] if begin > 0 else 0
    for i in range(begin, end):
        before[i] = bits
        bits |= bit[order[i]]


@kernel(inline=True)
def write_scores(scores, order, chosen, begin, end, by_place):
    """Write for the places from `begin` to `end` what the rows of their nodes score."""
    for i in range(begin, end):
        by_place[i] = scores[chosen[order[i]]]


@kernel
def get_ready(lists, order, chosen, room):
    """Write for every place what nodes are before it and what its own scores, which moves then keep right."""
    write_before(lists.bit, order, 0, order.size, room[2])
    write_scores(lists.scores, order, chosen, 0, order.size, room[3])


@kernel
def totals_by_place(lists, order, position, chosen, x, room):
    """Write the score of the order with x in each place to the first array of the room, its rows to the next.

    Where x is before its required parents or behind its required children, the total means nothing.
    """
    totals, own, before, by_place = room
    n, now = order.size, position[x]
    rows_by_place(lists, order, position, x, own, before)
    for i in range(n):
        totals[i] = 0.0
    others = ~lists.bit[x] if n <= WORD else -1  # a bit that others share says nothing of x
    for part in range(lists.by_member.first[x], lists.by_member.first[x + 1]):
        y = lists.by_member.child[part]
        i = position[y]
        if i > now:
            if not lists.bits[chosen[y]] & lists.bit[x]:
                continue
            position[x] = n
            row = first_within(lists, chosen[y], lists.first[y + 1], position, i, before[i] & others)
            totals[i] = lists.scores[row] - by_place[i]
        else:
            position[x] = -1
            row = first_with(lists, part, chosen[y], position, i, before[i] | lists.bit[x])
            if row >= 0:
                totals[i + 1] = by_place[i] - lists.scores[row]
                by_place[i] = lists.scores[row]
        position[x] = now
    total = 0.0  # of the others, with x before all of them
    for i in range(now):
        total += by_place[i]
    for i in range(now + 1, n):
        total += by_place[i]
    for part in range(lists.by_member.first[x], lists.by_member.first[x + 1]):
        y = lists.by_member.child[part]
        by_place[position[y]] = lists.scores[chosen[y]]
    totals[0] = total + lists.scores[own[0]]
    for i in range(1, n):
        total += totals[i]
        totals[i] = total + lists.scores[own[i]]


@kernel
def choose_between(lists, order, position, chosen, pending, x, was, room):
    """Choose anew for the nodes that x has passed on its way from where it was; who changes is pending."""
    by_member, place, before = lists.by_member, position[x], room[2]
    begin, end = min(was, place), max(was, place) + 1
    write_before(lists.bit, order, begin, end, before)
    for part in range(by_member.first[x], by_member.first[x + 1]):
        y = by_member.child[part]
        i, row = position[y], chosen[y]
        if was <= i < place and lists.bits[row] & lists.bit[x]:
            row = first_within(lists, chosen[y], lists.first[y + 1], position, i, before[i])
        elif place < i <= was:
            better = first_with(lists, part, chosen[y], position, i, before[i])
            row = better if better >= 0 else row
        pending[y] |= row != chosen[y]
        chosen[y] = row
    write_scores(lists.scores, order, chosen, begin, end, room[3])


@kernel(instead=settle_by_sets)
def settle(lists, frozen, order, position, chosen, pending, sequence, room, most_tries):
    """Move the pending nodes, in their sequence, to their best places until none is pending.

    Returns whether all is done before `most_tries` nodes were tried; called again, it goes on where it was.
    """
    totals, own = room[:2]
    get_ready(lists, order, chosen, room)
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
            totals_by_place(lists, order, position, chosen, x, room)
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
            choose_between(lists, order, position, chosen, pending, x, now, room)
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

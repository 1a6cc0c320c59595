"""What kernels of `placing` do, by lists of Python's own, where sets of nodes are bits of whole numbers."""

from dataclasses import dataclass
from itertools import accumulate
from operator import add, or_

import numpy as np

from structlearn.rounding import slack
from structlearn.search.kernels.displacing import displace, draw_path, place_bounds


@dataclass(frozen=True, slots=True)
class Sets:
    """Lists of parent sets: their members, also as bits, and for each node those who listen to it."""

    first: list[int]
    members: list[list[int]]
    bits: list[int]
    scores: list[float]
    listeners: list[list[int]]

    @classmethod
    def of(cls, lists):
        """The same lists."""
        sizes = (lists.members >= 0).sum(axis=1).tolist()
        members = [row[:size] for row, size in zip(lists.members.tolist(), sizes, strict=True)]
        listeners = [heard.nonzero()[0].tolist() for heard in lists.listens().T]
        return cls(lists.first.tolist(), members, list(map(_bits, members)), lists.scores.tolist(), listeners)

    def first_within(self, begin, end, not_before):
        """The first of some rows without any of the nodes that do not come before; −1 where there is none."""
        bits = self.bits
        for row in range(begin, end):
            if not bits[row] & not_before:
                return row
        return -1


@dataclass(frozen=True, slots=True)
class Placed:
    """An order, the place of every node, the row that it has its parents of, and who is pending.

    `from_here` has for each place the nodes that are there or behind, as bits.
    """

    order: list[int]
    position: list[int]
    chosen: list[int]
    pending: list[bool]
    from_here: list[int]

    @classmethod
    def of(cls, order, *arrays):
        """What is in some arrays."""
        nodes = order.tolist()
        behind = list(accumulate((1 << y for y in reversed(nodes)), or_))
        return cls(nodes, *(array.tolist() for array in arrays), behind[::-1])

    def write(self, order, position, chosen, pending):
        """Write it to such arrays."""
        order[:], position[:] = self.order, self.position
        chosen[:], pending[:] = self.chosen, self.pending


def settle_by_sets(lists, frozen, order, position, chosen, pending, sequence, _, most_tries):
    """What `settle` does."""
    placed = Placed.of(order, position, chosen, pending)
    is_done = _settle(Sets.of(lists), frozen, placed, sequence.tolist(), most_tries)
    placed.write(order, position, chosen, pending)
    return is_done


def shake_by_sets(
    lists, frozen, best, trial, draws, sequences, perturb, record, pending, room, is_used, found
):
    """What `shake` does."""
    sets = Sets.of(lists)
    for i, draw in enumerate(draws):
        for ours, theirs in zip(trial, best, strict=True):
            ours[:] = theirs
        pending[:] = False
        n_path = draw_path(lists.members, best[2], draw, perturb, room[1])
        displace(int(3.0 * draw[0]), frozen, trial[0], trial[1], draw, perturb, room[1], n_path, pending)
        placed = Placed.of(*trial, pending)
        _choose_all(sets, placed)
        _settle(sets, frozen, placed, sequences[i].tolist(), -1)
        placed.write(*trial, pending)
        score = 0.0
        for row in placed.chosen:
            score += sets.scores[row]
        is_used[trial[2]] = True
        found[i] = score
        if score >= record - slack(record):
            record = max(record, score)
            for ours, theirs in zip(trial, best, strict=True):
                theirs[:] = ours


def _choose_all(sets, placed):
    """Choose for every node the best set of those before it; those are pending whose set changes."""
    for y, not_before in zip(placed.order, placed.from_here, strict=True):
        _choose(sets, placed, y, not_before)


def _choose(sets, placed, y, not_before):
    row = sets.first_within(sets.first[y], sets.first[y + 1], not_before)
    placed.pending[y] |= row != placed.chosen[y]
    placed.chosen[y] = row


def _settle(sets, frozen, placed, sequence, most_tries):
    is_free, n_tries = not frozen.any(), 0
    low, high = 0, len(sequence) - 1
    while any(placed.pending):
        for x in sequence:
            if not placed.pending[x]:
                continue
            if n_tries == most_tries:
                return False
            n_tries += 1
            placed.pending[x] = False
            totals = _totals_by_place(sets, placed, x)
            if not is_free:
                low, high = place_bounds(frozen, np.array(placed.position), x)
            now = placed.position[x]
            place = totals.index(max(totals[low : high + 1]), low)  # the first of the best
            if totals[place] > totals[now] + slack(totals[now]):
                _move(sets, placed, x, place)
    return True


def _totals_by_place(sets, placed, x):
    """The score of the order with x in each place, summed as the kernel does."""
    first, scores, chosen, position = sets.first, sets.scores, placed.chosen, placed.position
    now, own = position[x], 1 << x
    before = [scores[chosen[y]] for y in placed.order]  # of each, with x before all of them
    gains = [0.0] * len(before)  # where x comes behind one more
    for y in sets.listeners[x]:
        i = position[y]
        if i > now:
            if sets.bits[chosen[y]] & own:
                row = sets.first_within(chosen[y], first[y + 1], placed.from_here[i] | own)
                gains[i] = scores[row] - before[i]
        else:
            row = sets.first_within(first[y], chosen[y] + 1, placed.from_here[i] & ~own)
            gains[i + 1] = before[i] - scores[row]
            before[i] = scores[row]
    del before[now]
    total = 0.0
    for score in before:
        total += score
    gains[0] = total
    return list(map(add, accumulate(gains), _own_scores(sets, placed, x)))


def _own_scores(sets, placed, x):
    """The score of x itself in each place: the best row holds down to the last of its members."""
    position, end = placed.position, sets.first[x + 1]
    now, n_open, row = position[x], len(position), sets.first[x]
    own = [sets.scores[-1]] * n_open  # where no row is known, as the kernel has it
    while row >= 0 and n_open > 0:
        last = max([position[member] for member in sets.members[row]], default=-1)
        place = last + (last < now)
        own[place:n_open] = [sets.scores[row]] * (n_open - place)
        n_open = place
        if place > 0:
            row = sets.first_within(row + 1, end, placed.from_here[place - 1 if place <= now else place])
    return own


def _move(sets, placed, x, place):
    """Put x at a place in the order, and mark the nodes whose parents this changes."""
    order, now = placed.order, placed.position[x]
    order.insert(place, order.pop(now))
    low, high = min(now, place), max(now, place)
    not_before, listeners = placed.from_here[low], {x, *sets.listeners[x]}
    for i in range(low, high + 1):
        y = order[i]
        placed.position[y], placed.from_here[i] = i, not_before
        not_before ^= 1 << y
    for i in range(low, high + 1):
        if order[i] in listeners:
            _choose(sets, placed, order[i], placed.from_here[i])


def _bits(nodes):
    bits = 0
    for node in nodes:
        bits |= 1 << node
    return bits

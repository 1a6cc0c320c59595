"""Where in an order a node scores most, when families grow along trees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn import rounding
from structlearn.compile import kernel
from structlearn.rounding import ENOUGH

UNKNOWN = -1

slack = kernel(rounding.slack)


class Trees(NamedTuple):
    """A tree per child; each of its tree nodes is a parent set.

    The branches of tree node t are the further parents that raise the score, best first, in
    `parents[first[t] : first[t] + n_branches[t]]`; `leads_to` has the tree node behind a branch, or
    UNKNOWN. `value[t]` is the score of the set after shrinking. Besides from its root, a child may
    grow from its spare sets, tree nodes that no path from the root may lead to; their `spare_members`
    are filled up with −1. `listens[y, x]` says whether x is a branch or in a spare set of y: if not,
    y does not care where x is.
    """

    roots: NDArray[np.int64]
    first: NDArray[np.int64]
    n_branches: NDArray[np.int64]
    value: NDArray[np.float64]
    parents: NDArray[np.int64]
    leads_to: NDArray[np.int64]
    first_spare: NDArray[np.int64]
    n_spares: NDArray[np.int64]
    spares: NDArray[np.int64]
    spare_members: NDArray[np.int64]
    listens: NDArray[np.bool_]


@kernel
def grow(trees, child, position, limit):
    """Grow the parents of a child from the nodes before `limit`, from the root or from a spare set.

    Returns the best tree node where no branch is left, or −1 − b where branch b leads to UNKNOWN.
    """
    best = grow_from(trees, trees.roots[child], position, limit)
    for i in range(trees.first_spare[child], trees.first_spare[child] + trees.n_spares[child]):
        if best < 0 or not all_before(trees.spare_members[i], position, limit):
            continue
        at = grow_from(trees, trees.spares[i], position, limit)
        if at < 0 or trees.value[at] > trees.value[best] + ENOUGH:
            best = at
    return best


@kernel
def all_before(members, position, limit):
    """Whether all members of a set, up to the first −1, are before `limit`."""
    for i in range(members.size):
        if members[i] < 0:
            return True
        if position[members[i]] >= limit:
            return False
    return True


@kernel
def grow_from(trees, at, position, limit):
    """Follow the best branch to a node before `limit`, each time, from a tree node on."""
    branch = trees.first[at]
    while branch < trees.first[at] + trees.n_branches[at]:
        if position[trees.parents[branch]] >= limit:
            branch += 1
            continue
        if trees.leads_to[branch] == UNKNOWN:
            return -1 - branch
        at = trees.leads_to[branch]
        branch = trees.first[at]
    return at


@kernel
def grow_all(trees, order, position, grown):
    """Grow the parents of every node from those before it."""
    for i in range(order.size):
        grown[order[i]] = grow(trees, order[i], position, i)


@kernel
def note_value(trees, at, wanted, n_wanted):
    """The value of a tree node; where a branch is UNKNOWN, zero, and the branch is noted."""
    if at >= 0:
        return trees.value[at], n_wanted
    wanted[n_wanted] = -1 - at
    return 0.0, n_wanted + 1


@kernel
def totals_by_place(trees, order, position, grown, x, totals, wanted, n_wanted):
    """Score the orders in which x is the first, the second, … node and the others keep theirs.

    `grown` has the tree node of every other node in the present order. Branches to UNKNOWN are
    added to the `n_wanted` in `wanted`, and their new number is returned: unless it is the old one,
    the totals mean nothing.
    """
    n = order.size
    now = position[x]
    behind = np.empty(n)  # what a node scores when x is before it, and what more when x is not
    change = np.zeros(n)
    total = 0.0
    for i in range(n):
        y = order[i]
        if y == x:
            continue
        behind[y], n_wanted = note_value(trees, grown[y], wanted, n_wanted)
        if trees.listens[y, x]:
            position[x] = -1 if i < now else n
            other, n_wanted = note_value(trees, grow(trees, y, position, i), wanted, n_wanted)
            change[y] = other - behind[y]
            if i < now:
                behind[y], change[y] = other, -change[y]
        total += behind[y]
    position[x] = n
    own, n_wanted = note_value(trees, grow(trees, x, position, 0), wanted, n_wanted)
    totals[0] = total + own
    slot = 0
    for i in range(n):
        y = order[i]
        if y == x:
            continue
        total += change[y]
        if trees.listens[x, y]:
            own, n_wanted = note_value(trees, grow(trees, x, position, i + 1), wanted, n_wanted)
        slot += 1
        totals[slot] = total + own
    position[x] = now
    return n_wanted


@kernel
def best_place(totals, frozen, position, x):
    """The first of the best places of x, behind its required parents and before its required children."""
    low, high = 0, totals.size - 1
    for y in range(totals.size):
        if frozen[x, y]:
            low = max(low, position[y] + 1)
        if frozen[y, x]:
            high = min(high, position[y] - 1)
    best = low
    for place in range(low + 1, high + 1):
        if totals[place] > totals[best]:
            best = place
    return best


@kernel
def move_node(trees, order, position, grown, x, place, pending):
    """Put x at a place in the order, and mark the nodes whose parents this changes."""
    now = position[x]
    step = 1 if place > now else -1
    for i in range(now, place, step):
        order[i] = order[i + step]
        position[order[i]] = i
    order[place] = x
    position[x] = place
    for i in range(min(now, place), max(now, place) + 1):
        y = order[i]
        before = grown[y]
        if y == x or trees.listens[y, x]:
            grown[y] = grow(trees, y, position, i)
        pending[y] |= grown[y] != before


@kernel
def settle(trees, frozen, order, position, grown, pending, sequence, totals, wanted, most_tries):
    """Move the pending nodes, in their sequence, to their best places until none is pending.

    Returns how many branches to UNKNOWN stopped it, listed in `wanted`, 0 when all is done, or −1
    after `most_tries` nodes; it goes on where it was when it is called again. Once a node has to
    wait, the wishes of those that follow are collected too, as many as `wanted` has room for.
    """
    n_tries = 0
    n_wanted = 0
    is_done = False
    while not is_done:
        is_done = True
        for i in range(sequence.size):
            x = sequence[i]
            if not pending[x]:
                continue
            if n_tries == most_tries:
                return n_wanted if n_wanted > 0 else -1
            n_tries += 1
            n_wanted = totals_by_place(trees, order, position, grown, x, totals, wanted, n_wanted)
            if n_wanted + 3 * order.size > wanted.size:
                return n_wanted
            if n_wanted > 0:
                continue
            pending[x] = False
            is_done = False
            place = best_place(totals, frozen, position, x)
            now = totals[position[x]]
            if totals[place] > now + slack(now):
                move_node(trees, order, position, grown, x, place, pending)
        if n_wanted > 0:
            return n_wanted
    return 0

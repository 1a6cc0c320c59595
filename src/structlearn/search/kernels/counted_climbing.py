"""A climb that counts and scores the families it comes to itself, where scores are likelihoods of tables.

A family is its child and then its parents, in rising order.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel
from structlearn.rounding import TIE
from structlearn.scores.kernels.discrete import log_likelihoods
from structlearn.search.kernels.climbing import IN_DOUBT, UNKNOWN, climb_on, find_slot, freshen, slack, total
from structlearn.statistics.kernels.counting import RoomForMasks, count_by_codes, count_by_masks, table_shapes


class Known(NamedTuple):
    """Families with their scores, found by their keys; `sizes` says how many rows and families there are."""

    slots: NDArray[np.int64]
    keys: NDArray[np.uint64]
    scores: NDArray[np.float64]
    families: NDArray[np.int64]
    sizes: NDArray[np.int64]


class Room(NamedTuple):
    """What is written to on the way, for a batch of families and their tables."""

    family: NDArray[np.int64]
    smaller: NDArray[np.int64]
    others: NDArray[np.int64]
    found: NDArray[np.float64]
    sets: NDArray[np.int64]
    strata: NDArray[np.float64]
    n_strata: NDArray[np.int64]
    widths: NDArray[np.int64]
    by_masks: NDArray[np.bool_]
    starts: NDArray[np.int64]
    levels: NDArray[np.int64]
    counts: NDArray[np.int64]
    of_masks: RoomForMasks
    states: NDArray[np.int64]


@kernel(inline=True)
def known_score(known, key):
    """The score of a family, NaN where it is not known."""
    row = known.slots[find_slot(known.slots, known.keys, key)]
    return known.scores[row] if row >= 0 else math.nan


@kernel(inline=True)
def remember(known, key, score, family, n_members, last):
    """Note the score of a family with one parent more, unless it is known."""
    slot = find_slot(known.slots, known.keys, key)
    if known.slots[slot] >= 0:
        return
    row = known.sizes[1]
    known.slots[slot] = row
    known.keys[row], known.scores[row] = key, score
    for place in range(known.families.shape[1]):
        known.families[row, place] = family[place] if place < n_members else -1
    known.families[row, n_members] = last
    known.sizes[1] = row + 1


@kernel
def write_family(arcs, child, family):
    """Write the child and its parents, as many as there is room for; returns how many they are."""
    family[0], n_members = child, 1
    for u in range(arcs.shape[0]):
        if arcs[child, u]:
            if n_members < family.size:
                family[n_members] = u
            n_members += 1
    return n_members


@kernel
def score_with_each(family, n_members, n_others, tables, room):
    """Write the score of a family with each of some others as one more parent; whether the tables fit."""
    width, child, levels = n_members + 1, family[0], tables.levels
    sets = room.sets[: n_others * width].reshape(n_others, width)
    for i in range(n_others):
        for place in range(1, n_members):
            sets[i, place - 1] = family[place]
        sets[i, n_members - 1], sets[i, n_members] = child, room.others[i]
        room.levels[i], room.levels[n_others + i] = levels[child], levels[room.others[i]]
    shapes = room.strata[:n_others], room.widths[:n_others], room.by_masks[:n_others]
    most = room.of_masks[0].shape[0]
    largest = table_shapes(levels, tables.first_mask, sets, most, shapes[0], shapes[1], shapes[2])
    if largest > room.counts.size:
        return False
    first = 0
    while first < n_others:
        end, n_cells = first, 0
        while end < n_others and n_cells + room.strata[end] * room.widths[end] <= room.counts.size:
            room.starts[end], room.n_strata[end] = n_cells, np.int64(room.strata[end])
            n_cells += room.n_strata[end] * room.widths[end]
            end += 1
        room.counts[:n_cells] = 0
        count_and_score(sets[first:end], first, end, n_others, tables, room)
        first = end
    for i in range(n_others):
        n_free = room.strata[i] * levels[room.others[i]] * (levels[child] - 1.0)
        room.found[i] -= tables.price * n_free
    return True


@kernel
def count_and_score(sets, first, end, n_others, tables, room):
    """Fill the tables of some sets, and write the likelihoods of their families."""
    starts, by_masks = room.starts[first:end], room.by_masks[first:end]
    how, words = (tables.codes, tables.masks, tables.first_mask), (0, tables.masks.shape[1])
    shown = tables.levels, tables.n_counted, tables.bits, words
    count_by_masks(*how, *shown, sets, starts, by_masks, room.of_masks, room.counts)
    count_by_codes(tables.codes, tables.levels, words, sets, starts, by_masks, room.states, room.counts)
    of_child, of_last = room.levels[first:end], room.levels[n_others + first : n_others + end]
    shapes = starts, room.n_strata[first:end], of_child, of_last
    log_likelihoods(room.counts, *shapes, tables.n_log_n, room.found[first:end])


@kernel
def score_of(family, n_members, key, tables, known, room):
    """The score of one family, which is then known; NaN where its table is too large."""
    if n_members == 1:
        return tables.alone[family[0]]
    score = known_score(known, key)
    if not math.isnan(score):
        return score
    room.others[0] = family[n_members - 1]
    if not score_with_each(family, n_members - 1, 1, tables, room):
        return math.nan
    remember(known, key, room.found[0], family, n_members - 1, family[n_members - 1])
    return room.found[0]


@kernel
def add_row(child, arcs, key, rows, arc_keys, tables, known, room):
    """Score a family that has no row, and with each parent less; whether there was room.

    More parents have the bounds of `Tables.most_gains`.
    """
    family, n = room.family, arcs.shape[0]
    n_members, row = write_family(arcs, child, family), known.sizes[0]
    if n_members >= family.size or row == rows.keys.size or known.sizes[1] + n > known.keys.size:
        return False
    now = score_of(family, n_members, key, tables, known, room)
    n_free = tables.levels[child] - 1.0
    for place in range(1, n_members):
        n_free *= tables.levels[family[place]]
    left = -(now + tables.price * n_free)  # what is unknown of the child, given its parents
    rounding = TIE * (tables.size + abs(now))  # a bound must stay one whatever is rounded
    for u in range(n):
        n_more = tables.levels[u] - 1.0
        most = min(left, -(tables.alone[u] + tables.price * n_more)) + rounding
        rows.gains[row, u], rows.is_bound[row, u] = most - tables.price * n_free * n_more, True
    rows.gains[row, child], rows.is_bound[row, child] = 0.0, False
    is_whole = not math.isnan(now)
    for place in range(1, n_members):
        for other in range(n_members - 1):
            room.smaller[other] = family[other if other < place else other + 1]
        u = family[place]
        score = score_of(room.smaller, n_members - 1, key ^ arc_keys[child, u], tables, known, room)
        rows.gains[row, u], rows.is_bound[row, u] = score - now, False
        is_whole = is_whole and not math.isnan(score)
    if is_whole:
        rows.keys[row], rows.scores[row] = key, now
        rows.slots[find_slot(rows.slots, rows.keys, key)] = row
        known.sizes[0] = row + 1
    return is_whole


@kernel
def settle(child, least, arcs, present, rows, arc_keys, tables, known, room):
    """Replace bounds of a child by gains where they are no less; whether there was room for all."""
    family, n_others = room.family, 0
    n_members, key = write_family(arcs, child, family), present.keys[child]
    for u in range(arcs.shape[0]):
        if present.is_bound[child, u] and present.gains[child, u] >= least:
            room.others[n_others] = u
            n_others += 1
    if n_members >= family.size or known.sizes[1] + n_others > known.keys.size:
        return False
    if not score_with_each(family, n_members, n_others, tables, room):
        return False
    row = rows.slots[find_slot(rows.slots, rows.keys, key)]
    for i in range(n_others):
        u, gain = room.others[i], room.found[i] - present.scores[child]
        present.gains[child, u], present.is_bound[child, u] = gain, False
        if row >= 0:
            rows.gains[row, u], rows.is_bound[row, u] = gain, False
        remember(known, key ^ arc_keys[child, u], room.found[i], family, n_members, u)
    return True


@kernel
def settle_doubts(doubts, gain, arcs, present, rows, arc_keys, tables, known, room):
    """Settle what could be the best move; where there is no room for a child its doubts are left."""
    is_settled = True
    for child in range(doubts.size):
        if math.isnan(doubts[child]):
            continue
        # Whatever could improve the graph is needed before long, and a batch is cheap.
        least = min(doubts[child], 2.0 * gain, 0.0)
        if settle(child, least, arcs, present, rows, arc_keys, tables, known, room):
            doubts[child] = math.nan
        else:
            is_settled = False
    return is_settled


@kernel
def find_rows(arcs, present, rows, arc_keys, tables, known, room):
    """Bring all families up to date; whether there was room for what was not known of them."""
    child = freshen(arcs, present, rows)
    while child >= 0:
        if not add_row(child, arcs, present.keys[child], rows, arc_keys, tables, known, room):
            return False
        child = freshen(arcs, present, rows)
    return True


@kernel
def climb_counting(graph, present, rows, arc_keys, walk, steps, worths, doubts, tables, known, room):
    """What `climb_on` does; families that it would give back for are scored, while there is room."""
    tabu, n_visited, best, n_fruitless, patience = walk
    n_steps = 0
    while True:
        here = tabu, n_visited + n_steps, best, n_fruitless, patience
        why, n_new, gain = climb_on(
            graph, present, rows, arc_keys, here, steps[n_steps:], worths[n_steps:], doubts
        )
        first, n_steps = n_steps, n_steps + n_new
        if why == UNKNOWN:
            if not find_rows(graph[0], present, rows, arc_keys, tables, known, room):
                return why, n_steps, gain
            worths[n_steps - 1, 1] = total(present.scores)
        elif why != IN_DOUBT or not settle_doubts(
            doubts, gain, graph[0], present, rows, arc_keys, tables, known, room
        ):
            return why, n_steps, gain
        for i in range(first, n_steps):
            n_fruitless += 1
            if worths[i, 1] > best + slack(best):
                best, n_fruitless = worths[i, 1], 0

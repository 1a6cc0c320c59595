"""A climb over DAGs, move after move, as far as the families that it comes to are known."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn import rounding
from structlearn.compile import kernel
from structlearn.search.kernels.moves import (
    ADD,
    NONE,
    REMOVE,
    REVERSE,
    UNSURE,
    add_arc,
    best_move,
    remove_arc,
    reopen,
)

ENDED, PAUSED, IN_DOUBT, UNKNOWN = 0, 1, 2, 3

slack = kernel(rounding.slack)


class Rows(NamedTuple):
    """What toggling each node does to families, a row for each: `gains`, or bounds where `is_bound`.

    Rows are found by the families' keys: `slots` has a power of two of them, −1 where there is none.
    """

    slots: NDArray[np.int64]
    keys: NDArray[np.uint64]
    scores: NDArray[np.float64]
    gains: NDArray[np.float64]
    is_bound: NDArray[np.bool_]


class Present(NamedTuple):
    """The families of a DAG, one of each child, with their rows of gains; those that `is_stale` are old.

    `most` has for each child a gain that no legal move of it exceeds.
    """

    gains: NDArray[np.float64]
    is_bound: NDArray[np.bool_]
    most: NDArray[np.float64]
    scores: NDArray[np.float64]
    keys: NDArray[np.uint64]
    is_stale: NDArray[np.bool_]


@kernel
def find_slot(slots, keys, key):
    """The slot with the row of a family, or the empty one where it would be."""
    last = slots.size - 1
    slot = np.int64(np.uint64(key) & np.uint64(last))
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & last
    return slot


@kernel
def place_all(slots, keys, n_keys):
    """Write where each key is to empty slots."""
    for row in range(n_keys):
        slots[find_slot(slots, keys, keys[row])] = row


@kernel
def make_move(kind, u, v, graph, present, arc_keys):
    """Change the arcs and what follows from them; the families that this changes become stale."""
    arcs, ancestors = graph[0], graph[1]
    if kind == ADD:
        add_arc(arcs, ancestors, u, v)
    else:
        remove_arc(arcs, ancestors, u, v)
        reopen(present.most, present.gains, arcs, ancestors, u, v)
    if kind == REVERSE:
        add_arc(arcs, ancestors, v, u)
        present.keys[u] ^= arc_keys[u, v]
        present.is_stale[u] = True
    present.keys[v] ^= arc_keys[v, u]
    present.is_stale[v] = True


@kernel
def take_back(steps, graph, present, arc_keys):
    """Take steps (kind, u, v) back, the last one first."""
    for i in range(steps.shape[0] - 1, -1, -1):
        kind, u, v = steps[i, 0], steps[i, 1], steps[i, 2]
        if kind == REVERSE:
            make_move(REVERSE, v, u, graph, present, arc_keys)
        else:
            make_move(ADD if kind == REMOVE else REMOVE, u, v, graph, present, arc_keys)


def copy_row_at_once(rows, row, present, v):
    """What `copy_row` does, by whole arrays."""
    present.gains[v] = rows.gains[row]
    present.is_bound[v] = rows.is_bound[row]


@kernel(instead=copy_row_at_once)
def copy_row(rows, row, present, v):
    """Take over the gains of a family; loops compile in a fraction of the time of whole arrays."""
    for u in range(present.most.size):
        present.gains[v, u] = rows.gains[row, u]
        present.is_bound[v, u] = rows.is_bound[row, u]


@kernel
def freshen(arcs, present, rows):
    """Look up the rows of stale families; returns the first child whose family has none, or −1."""
    n = arcs.shape[0]
    for v in range(n):
        if not present.is_stale[v]:
            continue
        row = rows.slots[find_slot(rows.slots, rows.keys, present.keys[v])]
        if row < 0:
            return v
        copy_row(rows, row, present, v)
        present.scores[v] = rows.scores[row]
        present.is_stale[v] = False
        present.most[v] = np.inf
        for w in range(n):
            if arcs[w, v]:
                present.most[w] = np.inf  # an arc to a child can be reversed
    return -1


@kernel
def total(scores):
    """The sum of scores, with what is lost to rounding (Neumaier, 1974)."""
    whole, lost = 0.0, 0.0
    for i in range(scores.size):
        score = scores[i]
        after = whole + score
        if not math.isfinite(after):
            return after
        lost += (whole - after) + score if abs(whole) >= abs(score) else (score - after) + whole
        whole = after
    return whole + lost


@kernel
def climb_on(graph, present, rows, arc_keys, walk, steps, worths, doubts):
    """Make the best move to a graph that is none of the last, until patience is out: (why, n_steps, gain).

    `walk` is (tabu, n_visited, best, n_fruitless, patience): the ring of the last graphs, how many there
    were, the best score, and for how many moves it has been so. `steps` (kind, u, v) and `worths` (gain,
    score after it) have room for the moves. It ends where nothing is left to do, and otherwise gives back:
    as there is no more room, as `doubts` about moves that gain as much as the best have to be settled, or as
    the family of a stale child is unknown.
    """
    tabu, n_visited, best, n_fruitless, patience = walk
    n_steps, gain, key = 0, 0.0, np.uint64(0)
    for v in range(present.keys.size):
        key ^= present.keys[v]
    while True:
        if freshen(graph[0], present, rows) >= 0:
            return UNKNOWN, n_steps, gain
        score = total(present.scores)
        if n_steps > 0:
            worths[n_steps - 1, 1] = score
            n_fruitless += 1
            if score > best + slack(best):
                best, n_fruitless = score, 0
        if n_fruitless >= patience:
            return ENDED, n_steps, gain
        if n_steps == steps.shape[0]:
            return PAUSED, n_steps, gain
        visited = tabu[: min(n_visited, tabu.size)]
        table = present.gains, present.is_bound, present.most
        kind, u, v, gain = best_move(*table, graph, key, arc_keys, visited, doubts)
        if kind == UNSURE:
            return IN_DOUBT, n_steps, gain
        if kind == NONE or (tabu.size == 0 and gain <= slack(score)):
            return ENDED, n_steps, gain
        if tabu.size > 0:
            tabu[n_visited % tabu.size] = key
            n_visited += 1
        make_move(kind, u, v, graph, present, arc_keys)
        key ^= arc_keys[v, u]
        if kind == REVERSE:
            key ^= arc_keys[u, v]
        steps[n_steps, 0], steps[n_steps, 1], steps[n_steps, 2] = kind, u, v
        worths[n_steps, 0] = gain
        n_steps += 1

"""Every MAG over a few labelled nodes, class by class: all graphs of marks, tried one and all.

Arrays hold a graph in each row. `docs/references/graphs-with-marks.md` has the definitions and the counts.
"""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from tests.oracles.mixed_graphs import ARROW, CIRCLE, TAIL

CHUNK = 5**8
MARKS = {1: ARROW, 2: TAIL, 3: CIRCLE}  # as bits: in some members an arrow, in some a tail, in some each
WAYS = [(0, 0), (2, 1), (1, 2), (1, 1), (2, 2)]  # bits at the lower and the higher end


class Classes(NamedTuple):
    """The MAGs as `marks[i, a, b]`, the bit of the mark at b of a, b; the class of each; all PAGs as bits."""

    marks: np.ndarray
    of: np.ndarray
    pags: np.ndarray
    signatures: dict


@cache
def all_classes(n_nodes, *, with_lines):
    """Every class of MAGs, with or without undirected edges."""
    found = np.concatenate(list(_ancestral(n_nodes, with_lines=with_lines)))
    separated = separations(found)
    mags, separated = found[_is_maximal(found, separated)], separated[_is_maximal(found, separated)]
    keys, of = np.unique(np.packbits(separated, axis=1), axis=0, return_inverse=True)
    pags = np.zeros((len(keys), n_nodes, n_nodes), dtype=np.uint8)
    np.bitwise_or.at(pags, of.ravel(), mags)
    return Classes(mags, of.ravel(), pags, {key.tobytes(): i for i, key in enumerate(keys)})


def class_of(classes, marks):
    """Which class a MAG, as an array of its bits, belongs to."""
    return classes.signatures[np.packbits(separations(marks[None]), axis=1)[0].tobytes()]


def edges_of(bits):
    """A graph as the plain oracle writes it: (a, mark at a, mark at b, b), a < b."""
    return frozenset(
        (a, MARKS[int(bits[b, a])], MARKS[int(bits[a, b])], b)
        for a, b in combinations(range(len(bits)), 2)
        if bits[a, b]
    )


def bits_of(n_nodes, edges):
    """The array of edges as the plain oracle writes them."""
    bit = {mark: number for number, mark in MARKS.items()}
    found = np.zeros((n_nodes, n_nodes), dtype=np.uint8)
    for a, at_a, at_b, b in edges:
        found[a, b], found[b, a] = bit[at_b], bit[at_a]
    return found


def descendants(marks):
    """Whether a directed path leads from a to b, at [graph, a, b]."""
    return _reachable(_arrows(marks))


def separations(marks):
    """For every x < y and every set of others, whether it m-separates them: a column for each."""
    n_nodes = marks.shape[1]
    below = descendants(marks) | np.eye(n_nodes, dtype=bool)
    columns = []
    for x in range(n_nodes):
        for given in product([False, True], repeat=n_nodes):
            if not given[x]:
                reached = _reached(marks, below, x, np.array(given))
                columns += [~reached[:, y] for y in range(x + 1, n_nodes) if not given[y]]
    return np.stack(columns, axis=1)


def _reached(marks, below, x, given):
    """Where open walks from x lead: states are nodes, entered by an arrow or not."""
    n_nodes = marks.shape[1]
    above_given = (below & given).any(axis=2)
    state = np.zeros((len(marks), n_nodes, 2), dtype=bool)
    for y in range(n_nodes):
        for by_arrow in (0, 1):
            state[:, y, by_arrow] = (marks[:, x, y] > 0) & ((marks[:, x, y] == 1) == by_arrow)
    while True:
        before = state.copy()
        for u, v in product(range(n_nodes), repeat=2):
            leaves_by_arrow = marks[:, v, u] == 1
            is_open = (state[:, u, 0] | (state[:, u, 1] & ~leaves_by_arrow)) & (not given[u])
            is_open |= state[:, u, 1] & leaves_by_arrow & above_given[:, u]
            is_open &= marks[:, u, v] > 0
            state[:, v, 1] |= is_open & (marks[:, u, v] == 1)
            state[:, v, 0] |= is_open & (marks[:, u, v] != 1)
        if (state == before).all():
            return state.any(axis=2)


def _ancestral(n_nodes, *, with_lines):
    pairs = list(combinations(range(n_nodes), 2))
    base = len(WAYS) if with_lines else len(WAYS) - 1
    ways = np.array(WAYS, dtype=np.uint8)
    for start in range(0, base ** len(pairs), CHUNK):
        codes = np.arange(start, min(start + CHUNK, base ** len(pairs)))
        marks = np.zeros((len(codes), n_nodes, n_nodes), dtype=np.uint8)
        for a, b in pairs:
            codes, way = np.divmod(codes, base)
            marks[:, b, a], marks[:, a, b] = ways[way].T
        yield marks[_is_ancestral(marks)]


def _is_ancestral(marks):
    arrows = _arrows(marks)
    below = _reachable(arrows)
    turned = marks.transpose(0, 2, 1)
    is_arc, is_line = (marks == 1) & (turned == 1), (marks == 2) & (turned == 2)
    has_head, has_line = (marks == 1).any(axis=1), is_line.any(axis=1)
    cyclic = np.einsum("gii->gi", below).any(axis=1) | (below & is_arc).any(axis=(1, 2))
    return ~cyclic & ~(has_head & has_line).any(axis=1)


def _is_maximal(marks, separated):
    """Whether some set separates every pair that no edge joins."""
    n_nodes = marks.shape[1]
    names = [
        (x, y)
        for x in range(n_nodes)
        for given in product([False, True], repeat=n_nodes)
        if not given[x]
        for y in range(x + 1, n_nodes)
        if not given[y]
    ]
    is_maximal = np.ones(len(marks), dtype=bool)
    for x, y in combinations(range(n_nodes), 2):
        columns = [i for i, pair in enumerate(names) if pair == (x, y)]
        is_maximal &= (marks[:, x, y] > 0) | separated[:, columns].any(axis=1)
    return is_maximal


def _arrows(marks):
    return (marks == 1) & (marks.transpose(0, 2, 1) == 2)


def _reachable(arrows):
    below = arrows.copy()
    for via in range(arrows.shape[1]):
        below |= below[:, :, via, None] & below[:, None, via, :]
    return below

"""How many ways there are to direct a chordal graph without cycles and v-structures, and a random one.

Every such orientation begins with one clique. The number is a sum over the cliques of a tree, of the orders
of its nodes that do not belong to a clique before it; what lies behind a clique falls into parts that are
directed by themselves [1]_. There are fewer than two parts for each clique: hundreds of nodes take moments.

References
----------
.. [1] Wienöbst, Bannach and Liśkiewicz (2021), Polynomial-time algorithms for counting and sampling Markov
   equivalent DAGs, AAAI.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from structlearn.graphs.uniform_dags import drawn_place

Nodes = frozenset[int]


class Pick(NamedTuple):
    """A clique to begin with: the sets that no order of it may begin with, and the parts behind it."""

    clique: Nodes
    not_first: tuple[Nodes, ...]
    behind: tuple[Nodes, ...]

    @property
    def n_orders(self) -> int:
        """How many orders of the clique begin with none of the sets."""
        return n_orders(len(self.clique), tuple(map(len, self.not_first)))


class CliquePicking:
    """Counts and draws orientations of a chordal graph.

    Parameters
    ----------
    adjacent : mapping
        The neighbours of each node.
    """

    def __init__(self, adjacent: Mapping[int, Nodes]) -> None:
        self._adjacent = adjacent
        self._known: dict[Nodes, int] = {}
        self._picks: dict[Nodes, list[Pick]] = {}

    def count(self, nodes: Nodes) -> int:
        """How many orientations the connected subgraph of some nodes has."""
        waiting = [nodes]
        while waiting:
            part = waiting[-1]
            missing = [] if part in self._known else self._missing(part)
            if not missing:
                if part not in self._known:
                    self._known[part] = sum(map(self._weight, self._picks[part]))
                waiting.pop()
            waiting += missing
        return self._known[nodes]

    def draw(self, nodes: Nodes, generator: np.random.Generator) -> list[int]:
        """An order of the nodes along which all lines point: every orientation alike."""
        self.count(nodes)
        found: list[int] = []
        waiting = [nodes]
        while waiting:
            picks = self._picks_of(waiting.pop())
            pick = picks[drawn_place([self._weight(pick) for pick in picks], generator)]
            found += _drawn_order(pick, generator)
            waiting += reversed(pick.behind)
        return found

    def _missing(self, part: Nodes) -> list[Nodes]:
        return [each for pick in self._picks_of(part) for each in pick.behind if each not in self._known]

    def _weight(self, pick: Pick) -> int:
        return pick.n_orders * prod(self._known[part] for part in pick.behind)

    def _picks_of(self, part: Nodes) -> list[Pick]:
        if part not in self._picks:
            within = {node: self._adjacent[node] & part for node in part}
            self._picks[part] = [
                Pick(clique, not_first, tuple(_behind(within, clique)))
                for clique, not_first in _clique_tree(within)
            ]
        return self._picks[part]


@cache
def n_orders(size: int, prefixes: tuple[int, ...]) -> int:
    """The orders of so many nodes of which no first part is one of nested sets of these sizes."""
    return factorial(size) - sum(
        factorial(size - prefix) * n_orders(prefix, prefixes[:i]) for i, prefix in enumerate(prefixes)
    )


def _clique_tree(adjacent: Mapping[int, Nodes]) -> list[tuple[Nodes, tuple[Nodes, ...]]]:
    """Each maximal clique, and the separators on the way to it from the first that it contains.

    Maximum cardinality search: a clique ends where a node has no more neighbours before it than the
    last one had; the next hangs on the clique of the latest of these (Blair and Peyton, 1993).
    """
    cliques: list[set[int]] = []
    on_the_way: list[set[Nodes]] = []
    at: dict[int, int] = {}
    n_last = -1
    for node, before in _cardinality_search(adjacent):
        if len(before) <= n_last or not cliques:
            on_the_way.append(on_the_way[at[before[-1]]] | {frozenset(before)} if before else set())
            cliques.append(set(before))
        cliques[-1].add(node)
        at[node], n_last = len(cliques) - 1, len(before)
    return [
        (frozenset(clique), tuple(sorted((s for s in way if s <= clique), key=len)))
        for clique, way in zip(cliques, on_the_way, strict=True)
    ]


def _cardinality_search(adjacent: Mapping[int, Nodes]) -> Iterable[tuple[int, list[int]]]:
    """The nodes, each time one with most neighbours among those before it, with these in their order."""
    before: dict[int, list[int]] = {node: [] for node in sorted(adjacent)}
    while before:
        node = max(before, key=lambda each: len(before[each]))
        yield node, before.pop(node)
        for other in adjacent[node]:
            if other in before:
                before[other].append(node)


def _behind(adjacent: Mapping[int, Nodes], clique: Nodes) -> Iterable[Nodes]:
    """The parts that are left without a direction where a clique comes first, the first first.

    Lexicographic breadth-first search from the clique: a set of nodes that no node before tells apart is
    directed by itself, and falls into its connected parts.
    """
    row = _Row([set(clique), set(adjacent) - clique])
    done = set(clique)
    while first := row.first():
        node = min(first)
        if node not in done:
            done |= first
            yield from _components(adjacent, frozenset(first))
        row.take(node)
        row.split(adjacent[node])


class _Row:
    """Sets of nodes in a row, of which nodes are taken and which are split, in time of what is moved."""

    def __init__(self, sets: list[set[int]]) -> None:
        self._sets = dict(enumerate(sets))
        self._next: dict[int, int] = {-1: 0} | {i: i + 1 for i in range(len(sets))}  # -1 is before the first
        self._before = {after: before for before, after in self._next.items()}
        self._end = len(sets)
        self._fresh = len(sets) + 1
        self._place = {node: i for i, nodes in enumerate(sets) for node in nodes}

    def first(self) -> set[int] | None:
        """The first set that is not empty; None where all are."""
        while (place := self._next[-1]) != self._end:
            if self._sets[place]:
                return self._sets[place]
            self._next[-1] = self._next[place]
            self._before[self._next[place]] = -1
        return None

    def take(self, node: int) -> None:
        """Take a node out."""
        self._sets[self._place.pop(node)].remove(node)

    def split(self, around: Nodes) -> None:
        """Put the nodes of each set that are around before the others."""
        met: dict[int, set[int]] = {}
        for node in around:
            if node in self._place:
                met.setdefault(self._place[node], set()).add(node)
        for place, inside in met.items():
            self._sets[place] -= inside
            fresh, before = self._fresh, self._before[place]
            self._fresh += 1
            self._sets[fresh] = inside
            self._next[before], self._next[fresh] = fresh, place
            self._before[fresh], self._before[place] = before, fresh
            self._place.update(dict.fromkeys(inside, fresh))


def _components(adjacent: Mapping[int, Nodes], nodes: Nodes) -> Iterable[Nodes]:
    left = set(nodes)
    while left:
        found, waiting = set(), [min(left)]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting.extend(adjacent[node] & left)
        left -= found
        yield frozenset(found)


def _drawn_order(pick: Pick, generator: np.random.Generator) -> list[int]:
    """An order of a clique that begins with none of its sets; most orders are of this kind."""
    while True:
        order: list[int] = generator.permutation(sorted(pick.clique)).tolist()
        if all(frozenset(order[: len(part)]) != part for part in pick.not_first):
            return order

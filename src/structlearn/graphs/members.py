"""The DAGs of an equivalence class: one after the other, or a summary of them all.

A graph closed under Meek's (1995) rules falls into parts, the nodes joined by lines, that are
directed independently of each other: whatever points into one node of a part from outside points
into all of them, so no choice in one part makes a cycle or a v-structure with another.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import Generic, TypeVar

import numpy as np

from structlearn.graphs.clique_picking import CliquePicking
from structlearn.graphs.equivalence import consistent_extension, meek_closure
from structlearn.graphs.links import Links
from structlearn.graphs.uniform_dags import drawn_place

Value = TypeVar("Value")
Pair = tuple[int, int]


def members(links: Links) -> Iterator[Links]:
    """Direct the lines in every way that adds no cycle and no v-structure.

    After each choice the rules direct what follows from it. Meek (1995) proved that then either
    direction of any line left is that of some member, so no choice is a dead end.
    """
    if consistent_extension(links) is None:
        return
    waiting = [meek_closure(links)]
    while waiting:
        here = waiting.pop()
        if not len(here.lines):
            yield here
            continue
        source, target = here.lines[0].tolist()
        waiting += [_with_arrows(here, [(target, source)]), _with_arrows(here, [(source, target)])]


def n_members(links: Links) -> int:
    """Count the members: hundreds of nodes, and with arrows that are known besides while these are few."""
    counting: Summary[int] = Summary(leaf=lambda *_: 1, together=prod, either=sum, shortcut=_orientations)
    return counting.of(links) or 0


def drawn_members(links: Links, n: int, generator: np.random.Generator) -> Iterator[Links]:
    """Members drawn uniformly, each by itself; none where there are none."""
    if consistent_extension(links) is None:
        return
    closed = meek_closure(links)
    picking = {part: part.picking() for part in parts(closed, nodes=tuple(range(closed.n_nodes)))}
    for _ in range(n):
        yield _drawn_member(closed, picking, generator)


@dataclass(frozen=True)
class Part:
    """Nodes joined by lines, the edges among them, and the nodes that point into all of them."""

    nodes: tuple[int, ...]
    arrows: frozenset[Pair]
    lines: frozenset[Pair]
    outside: frozenset[int]

    @cached_property
    def is_complete(self) -> bool:
        """Whether a line joins every two nodes."""
        return len(self.lines) == len(self.nodes) * (len(self.nodes) - 1) // 2

    def picking(self) -> CliquePicking:
        """What counts and draws the directions of the lines, where there are no arrows inside."""
        around: dict[int, set[int]] = {node: set() for node in self.nodes}
        for a, b in self.lines:
            around[a].add(b)
            around[b].add(a)
        return CliquePicking({node: frozenset(others) for node, others in around.items()})

    def choices(self) -> Iterator["list[Part]"]:
        """Settle one question in each possible way; give the parts that are then left.

        Without arrows inside, every member has one source (He, Jia and Yu, 2015), and the question
        is which; otherwise it is the direction of one line.
        """
        if not self.arrows:
            for root in self.nodes:
                yield self._rooted(root)
            return
        source, target = min(self.lines)
        yield self._after([(source, target)])
        yield self._after([(target, source)])

    def _rooted(self, root: int) -> "list[Part]":
        if not self.is_complete:
            return self._after([(root, a if b == root else b) for a, b in self.lines if root in (a, b)])
        others = tuple(node for node in self.nodes if node != root)
        lines = frozenset(pair for pair in self.lines if root not in pair)
        return [
            Part((root,), frozenset(), frozenset(), self.outside),
            Part(others, frozenset(), lines, self.outside | {root}),
        ]

    def _after(self, chosen: list[Pair]) -> "list[Part]":
        settled = {frozenset(pair) for pair in chosen}
        place = {node: i for i, node in enumerate(self.nodes)}
        arrows = [(place[a], place[b]) for a, b in [*sorted(self.arrows), *chosen]]
        lines = [(place[a], place[b]) for a, b in sorted(self.lines) if frozenset((a, b)) not in settled]
        closed = meek_closure(Links(len(self.nodes), arrows=arrows, lines=lines))
        return parts(closed, nodes=self.nodes, outside=self.outside)


def parts(closed: Links, *, nodes: tuple[int, ...], outside: frozenset[int] = frozenset()) -> list[Part]:
    """Take a closed graph apart; `nodes` has the names of its positions."""
    owner = _owners(closed)
    inside: dict[int, list[int]] = {}
    for i, first in enumerate(owner):
        inside.setdefault(first, []).append(i)
    arrows: dict[int, list[Pair]] = {first: [] for first in inside}
    lines: dict[int, list[Pair]] = {first: [] for first in inside}
    for a, b in closed.arrows.tolist():
        if owner[a] == owner[b]:
            arrows[owner[a]].append((nodes[a], nodes[b]))
    for a, b in closed.lines.tolist():
        lines[owner[a]].append((nodes[a], nodes[b]))
    return [
        Part(
            nodes=tuple(nodes[i] for i in group),
            arrows=frozenset(arrows[first]),
            lines=frozenset(lines[first]),
            outside=outside | {nodes[i] for i in closed.parents(first).tolist() if owner[i] != first},
        )
        for first, group in inside.items()
    ]


@dataclass(frozen=True)
class Summary(Generic[Value]):
    """What to know of all members, computed part by part instead of member by member.

    Parameters
    ----------
    leaf : callable (node, parents) -> value
        The value of a node whose parents are settled.
    together : callable (values) -> value
        The value of parts beside each other.
    either : callable (values) -> value
        The value of alternatives.
    shortcut : callable (part) -> value or None, optional
        The value of a part, where it is known without looking inside.
    most_parts : int, optional
        How many different parts to look into before giving up.
    """

    leaf: Callable[[int, frozenset[int]], Value]
    together: Callable[[Iterable[Value]], Value]
    either: Callable[[Iterable[Value]], Value]
    shortcut: Callable[[Part], Value | None] = lambda _part: None
    most_parts: float = float("inf")

    def of(self, links: Links) -> Value | None:
        """Give the value, or None where there is no member or `most_parts` are not enough."""
        if consistent_extension(links) is None:
            return None
        known: dict[Part, Value] = {}
        found = parts(meek_closure(links), nodes=tuple(range(links.n_nodes)))
        try:
            return self.together([self._value(part, known) for part in found])
        except _TooManyPartsError:
            return None

    def _value(self, part: Part, known: dict[Part, Value]) -> Value:
        if len(part.nodes) == 1:
            return self.leaf(part.nodes[0], part.outside)
        if part not in known:
            if len(known) >= self.most_parts:
                raise _TooManyPartsError
            value = self.shortcut(part)
            known[part] = self._from_choices(part, known) if value is None else value
        return known[part]

    def _from_choices(self, part: Part, known: dict[Part, Value]) -> Value:
        return self.either(
            [self.together([self._value(smaller, known) for smaller in left]) for left in part.choices()]
        )


class _TooManyPartsError(Exception):
    """The class is too large to be summarised."""


def _orientations(part: Part) -> int | None:
    if part.is_complete:
        return factorial(len(part.nodes))
    return None if part.arrows else part.picking().count(frozenset(part.nodes))


def _drawn_member(links: Links, picking: dict[Part, CliquePicking], generator: np.random.Generator) -> Links:
    """Direct one part after the other; lines beside known arrows one by one, by what each way leaves."""
    while len(links.lines):
        open_parts = (part for part in parts(links, nodes=tuple(range(links.n_nodes))) if part.lines)
        part = next(open_parts)
        if not part.arrows:
            if part not in picking:
                picking[part] = part.picking()
            rank = {v: i for i, v in enumerate(picking[part].draw(frozenset(part.nodes), generator))}
            chosen = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in part.lines]
            links = _with_arrows(links, chosen)
        else:
            a, b = min(part.lines)
            ways = [_with_arrows(links, [way]) for way in ((a, b), (b, a))]
            links = ways[drawn_place([n_members(way) for way in ways], generator)]
    return links


def _with_arrows(links: Links, chosen: list[Pair]) -> Links:
    settled = {frozenset(pair) for pair in chosen}
    lines = [pair for pair in links.lines.tolist() if frozenset(pair) not in settled]
    return meek_closure(Links(links.n_nodes, arrows=[*links.arrows.tolist(), *chosen], lines=lines))


def _owners(links: Links) -> list[int]:
    """Give for each node the first node that lines join it to."""
    owner = [-1] * links.n_nodes
    for first in range(links.n_nodes):
        waiting = [first] if owner[first] < 0 else []
        while waiting:
            node = waiting.pop()
            if owner[node] < 0:
                owner[node] = first
                waiting.extend(links.neighbors(node).tolist())
    return owner

"""The moves between equivalence classes: insert, delete or turn one edge of a CPDAG.

A move is told as what it does to a member of the class: it changes the edge between `source` and
`target` after every undirected neighbour of `target` in `before` has become its parent and
every other its child. Chickering (2002) and Hauser and Bühlmann (2012) say when there is such
a member, and the change of score follows from two of its families at most.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from structlearn.learners.score.class_pattern import Arrow, Pattern
from structlearn.scores import FamilyScores

DIGITS = 6  # gains that agree so far are a tie

MoveKind = Literal["insert", "delete", "turn"]
Nodes = frozenset[int]


class ClassMove(NamedTuple):
    """One change of one edge; moves sort from the largest gain to the smallest, then by position."""

    rank: float
    source: int
    target: int
    before: tuple[int, ...]
    kind: MoveKind
    gain: float


def insertions(
    pattern: Pattern, scores: FamilyScores, target: int, *, most_parents: int, least: float
) -> list[ClassMove]:
    """Every source → target that gains more than `least` and whose parents are a clique, best first.

    Whether it would close a cycle depends on edges far away, and is asked only of the best.
    """
    apart = np.ones(pattern.n_nodes, dtype=np.bool_)
    apart[[target, *pattern.adjacent[target]]] = False
    moves = []
    largest = most_parents - 1 - len(pattern.parents[target])
    for before in cliques(pattern, pattern.neighbors[target], largest):
        gains = scores.toggles(target, pattern.parents[target] | before)
        rest = pattern.neighbors[target] - before
        moves += [
            _move("insert", source, target, before, float(gains[source]))
            for source in np.flatnonzero(apart & (gains > least)).tolist()
            if rest.isdisjoint(pattern.adjacent[source])
        ]
    return sorted(moves)


def deletions(pattern: Pattern, scores: FamilyScores, target: int, *, least: float) -> list[ClassMove]:
    """Every removal of source → target or source — target that gains more than `least`, best first."""
    moves = []
    for source in sorted(pattern.parents[target] | pattern.neighbors[target]):
        near = pattern.neighbors[target] & pattern.adjacent[source]
        for before in cliques(pattern, near, len(near)):
            without = (pattern.parents[target] | before) - {source}
            gain = scores.local(target, without) - scores.local(target, without | {source})
            if gain > least:
                moves.append(_move("delete", source, target, before, gain))
    return sorted(moves)


def turns(
    pattern: Pattern, scores: FamilyScores, target: int, *, most_parents: int, least: float
) -> list[ClassMove]:
    """Every turn of target → source or target — source that leaves the class and gains, best first.

    Of an arrow, as of an insertion, only the best is asked whether it would close a cycle.
    """
    moves = []
    neighbors = pattern.neighbors[target]
    largest = most_parents - 1 - len(pattern.parents[target])
    for before in cliques(pattern, neighbors, largest):
        for source in sorted((neighbors - before) | pattern.children[target]):
            if not _may_turn(pattern, source, target, before):
                continue
            gain = _gain_of_turning(pattern, scores, source, target, before)
            if gain > least:
                moves.append(_move("turn", source, target, before, gain))
    return sorted(moves)


def closes_a_cycle(pattern: Pattern, move: ClassMove) -> bool:
    """Whether a path that the member may direct leads from the target to the source."""
    if move.kind == "delete" or move.source in pattern.neighbors[move.target]:
        return False
    reached = pattern.reached(move.target, move.before)
    if move.kind == "insert":
        return bool(reached >> move.source & 1)
    # Another path to the source of a turned arrow ends in one of its other parents: the
    # lines at the source are directed away from it.
    return any(reached >> parent & 1 for parent in pattern.parents[move.source] - {move.target})


def after(pattern: Pattern, move: ClassMove) -> Pattern | None:
    """The class that a move leads to; None where no member is as the move needs it."""
    source, target = move.source, move.target
    member = pattern.member_with(_arrows_around(pattern, move))
    if member is None:
        return None
    member[source] = member[source] - {target}
    member[target] = member[target] ^ {source}
    return Pattern(member)


def cliques(pattern: Pattern, among: set[int], largest: int) -> Iterator[Nodes]:
    """Every set of at most `largest` pairwise adjacent nodes, smaller ones before those they grow into."""
    waiting = [(frozenset[int](), sorted(among))] if largest >= 0 else []
    while waiting:
        clique, candidates = waiting.pop()
        yield clique
        if len(clique) == largest:
            continue
        for place, node in enumerate(candidates):
            later = [other for other in candidates[place + 1 :] if other in pattern.adjacent[node]]
            waiting.append((clique | {node}, later))


def _may_turn(pattern: Pattern, source: int, target: int, before: Nodes) -> bool:
    """Whether some member has these parents above the target and its turned edge leaves the class.

    An arrow needs all neighbours of the target that are adjacent to the source among them. A line
    needs one that is not adjacent to it, or the turn would stay in the class; and no path of lines
    among the target's neighbours, past the shared ones, from there to the others adjacent to it.
    """
    near = pattern.neighbors[target] & pattern.adjacent[source]
    if source not in pattern.neighbors[target]:
        return near <= before
    apart, rest = before - near, near - before
    if not apart:
        return False
    inside = pattern.neighbors[target] - (before & near)
    seen = set(apart)
    waiting = list(apart)
    while waiting:
        fresh = (pattern.neighbors[waiting.pop()] & inside) - seen
        seen |= fresh
        waiting.extend(fresh)
    return seen.isdisjoint(rest)


def _gain_of_turning(
    pattern: Pattern, scores: FamilyScores, source: int, target: int, before: Nodes
) -> float:
    into_target = pattern.parents[target] | before
    into_source = pattern.parents[source] - {target}
    if source in pattern.neighbors[target]:
        into_source = into_source | (before & pattern.adjacent[source])
    return (
        scores.local(target, into_target | {source})
        - scores.local(target, into_target)
        + scores.local(source, into_source)
        - scores.local(source, into_source | {target})
    )


def _move(kind: MoveKind, source: int, target: int, before: Nodes, gain: float) -> ClassMove:
    return ClassMove(-round(gain, DIGITS), source, target, tuple(sorted(before)), kind, gain)


def _arrows_around(pattern: Pattern, move: ClassMove) -> set[Arrow]:
    """Directions for the lines at the target and, where an edge is turned, at the source."""
    above = set(move.before)
    if move.kind == "delete":
        above.add(move.source)
    chosen = _directed_at(pattern, move.target, above)
    if move.kind == "turn":
        chosen |= _directed_at(pattern, move.source, above | {move.target})
    return chosen


def _directed_at(pattern: Pattern, node: int, above: set[int]) -> set[Arrow]:
    """Arrows from the neighbours in `above` to the node, and from the node to its other ones."""
    return {(other, node) if other in above else (node, other) for other in pattern.neighbors[node]}

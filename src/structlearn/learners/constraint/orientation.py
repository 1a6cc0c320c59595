"""Directing a skeleton: knowledge, colliders, and what follows from them."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.equivalence import meek_closure
from structlearn.graphs.links import Links
from structlearn.graphs.marks import Marks
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.skeleton import Ends, Separators, Skeleton

Triples = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Oriented:
    """The directed skeleton, and the colliders that could not be had."""

    links: Links
    conflicts: list[tuple[int, int, int]]


def orient(n_nodes: int, skeleton: Skeleton, ends: Ends, asker: Asker) -> Oriented:
    """Direct the edges of a skeleton as far as knowledge and the separating sets say.

    A collider that would reverse an arrow or close a directed cycle is left out and reported;
    those with the strongest evidence go first.
    """
    lines = Links(n_nodes, lines=skeleton.edges)
    marks = Marks(lines)
    for source, target in ends.directions(skeleton.edges).tolist():
        marks.direct(source, target)
    triples = colliders(unshielded_triples(lines), skeleton.separators)
    conflicts = []
    for a, b, c in by_strength(triples, skeleton.separators, asker).tolist():
        if all(_may_point(marks, end, b) for end in (a, c)):
            _point(marks, a, b)
            _point(marks, c, b)
        else:
            conflicts.append((a, b, c))
    return Oriented(meek_closure(marks.links()), conflicts)


def unshielded_triples(lines: Links) -> Triples:
    """Each (a, b, c) with a — b — c, a < c, and a, c not adjacent, ordered by b, a, c."""
    adjacent = [set(lines.neighbors(node).tolist()) for node in range(lines.n_nodes)]
    triples = [
        (a, b, c)
        for b in range(lines.n_nodes)
        for a, c in combinations(lines.neighbors(b).tolist(), 2)
        if c not in adjacent[a]
    ]
    return np.array(triples, dtype=np.int64).reshape(-1, 3)


def colliders(triples: Triples, separators: Separators) -> Triples:
    """The triples whose middle is not in the set that separates their ends."""
    at = separators.find(triples[:, 0], triples[:, 2])
    is_known = at >= 0
    triples, at = triples[is_known], at[is_known]
    is_collider: NDArray[np.bool_] = ~(separators.given[at] == triples[:, 1:2]).any(axis=1)
    return triples[is_collider]


def by_strength(triples: Triples, separators: Separators, asker: Asker) -> Triples:
    """Order colliders by how surely their middle, once given, makes their ends dependent."""
    given = separators.given[separators.find(triples[:, 0], triples[:, 2])]
    sizes = (given >= 0).sum(axis=1)
    p_value = np.ones(len(triples))
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        a, b, c = triples[rows].T
        questions = np.column_stack([a, c, given[rows, :size], b])
        p_value[rows] = asker.ask(questions).p_value
    return triples[np.argsort(p_value, kind="stable")]


def _may_point(marks: Marks, source: int, target: int) -> bool:
    if source in marks.parents[target]:
        return True
    return source in marks.neighbors[target] and not marks.leads(target, source)


def _point(marks: Marks, source: int, target: int) -> None:
    if source in marks.neighbors[target]:
        marks.direct(source, target)

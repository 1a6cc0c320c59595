"""Directing a skeleton: knowledge, colliders, and what follows from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.equivalence import propagate
from structlearn.graphs.links import Links
from structlearn.graphs.mutable_links import MutableLinks
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.run import MustStop, never

Triples = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Colliders:
    """The triples a → b ← c that tests ask for, those with the strongest evidence first.

    Of the `ambiguous` triples the tests do not say whether they are colliders.
    """

    triples: Triples
    ambiguous: Triples


@dataclass(frozen=True, slots=True)
class Oriented:
    """The directed skeleton, and the arrows (a, b) and colliders (a, b, c) that could not be had."""

    links: Links
    conflicts: list[tuple[int, ...]]


def orient(
    lines: Links,
    colliders: Colliders,
    known_pairs: KnownPairs,
    asker: Asker,
    *,
    told: Iterable[tuple[int, int]] = (),
) -> Oriented:
    """Direct the edges of a skeleton as far as knowledge, arrows that are told and its colliders say.

    An arrow or collider that would reverse an arrow or close a directed cycle is left out and reported. When
    time is up, what the colliders say about an unfinished skeleton is left out too.
    """
    pdag = MutableLinks(lines)
    for source, target in known_pairs.directions(lines.lines).tolist():
        pdag.direct(source, target)
    conflicts: list[tuple[int, ...]] = []
    for source, target in told:
        if _may_point(pdag, source, target):
            _point(pdag, source, target)
        else:
            conflicts.append((source, target))
    for a, b, c in colliders.triples.tolist():
        if asker.must_stop():
            break
        if all(_may_point(pdag, end, b) for end in (a, c)):
            _point(pdag, a, b)
            _point(pdag, c, b)
        else:
            conflicts.append((a, b, c))
    links, refused = propagate(pdag.frozen(), colliders.ambiguous.tolist(), are_at_odds=bool(conflicts))
    return Oriented(links, [*conflicts, *refused])


def unshielded_triples(lines: Links, must_stop: MustStop = never) -> Triples:
    """Each (a, b, c) with a — b — c, a < c, and a, c not adjacent, by b, a, c, as time allows."""
    adjacent = [set(lines.neighbors(node).tolist()) for node in range(lines.n_nodes)]
    triples = [
        (a, b, c)
        for b in range(lines.n_nodes)
        if not must_stop()
        for a, c in combinations(lines.neighbors(b).tolist(), 2)
        if c not in adjacent[a]
    ]
    return as_triples(triples)


def colliders_by_separator(triples: Triples, separators: Separators, asker: Asker) -> Colliders:
    """The triples whose middle is not in the set that separates their ends.

    First come those whose ends are most surely dependent once the middle is given too; where the test takes
    no conditions, those of the first columns.
    """
    triples, given = outside_separators(triples, separators)
    if not getattr(asker.test, "takes_conditions", True):
        return Colliders(triples, as_triples(()))
    a, b, c = triples.T
    p_value = asker.p_values_of_any_size(np.column_stack([a, c, given, b]))
    return Colliders(triples[np.argsort(p_value, kind="stable")], as_triples(()))


def outside_separators(triples: Triples, separators: Separators) -> tuple[Triples, NDArray[np.int64]]:
    """The triples whose middle is not in the set that separates their ends, and these sets."""
    at = separators.find(triples[:, 0], triples[:, 2])
    triples, at = triples[at >= 0], at[at >= 0]
    given = separators.given[at]
    is_collider: NDArray[np.bool_] = ~(given == triples[:, 1:2]).any(axis=1)
    return triples[is_collider], given[is_collider]


def as_triples(triples: Iterable[tuple[int, int, int]]) -> Triples:
    """Triples as an array, also when there are none."""
    return np.array(list(triples), dtype=np.int64).reshape(-1, 3)


def _may_point(pdag: MutableLinks, source: int, target: int) -> bool:
    if source in pdag.parents[target]:
        return True
    return source in pdag.neighbors[target] and not pdag.leads(target, source)


def _point(pdag: MutableLinks, source: int, target: int) -> None:
    if source in pdag.neighbors[target]:
        pdag.direct(source, target)

"""Directing a skeleton: knowledge, colliders, and what follows from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.equivalence import propagate
from structlearn.graphs.links import Links
from structlearn.graphs.mutable_links import MutableLinks
from structlearn.graphs.open_triples import open_triples
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.kernels.colliders import IN, LINE, OUT, point_at_colliders
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.run import MustStop, never

Triples = NDArray[np.int64]
TRIPLES_AT_ONCE = 1 << 10  # between two looks at the clock; each may look for a path through all arrows


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
    links, conflicts = _pointed(lines, known_pairs.directions(lines.lines).tolist(), told)
    links, refused = _with_colliders(links, colliders.triples, asker.must_stop)
    conflicts += refused
    if asker.must_stop():  # two columns that nobody looked at are not apart
        return Oriented(links, conflicts)
    links, more = propagate(links, colliders.ambiguous.tolist(), are_at_odds=bool(conflicts))
    return Oriented(links, [*conflicts, *more])


def _pointed(
    lines: Links, known: list[list[int]], told: Iterable[tuple[int, int]]
) -> tuple[Links, list[tuple[int, ...]]]:
    """The lines directed as knowledge says and then as is told, and what contradicts that."""
    told = list(told)
    conflicts: list[tuple[int, ...]] = []
    if not (known or told):
        return lines, conflicts
    pdag = MutableLinks(lines)
    for source, target in known:
        pdag.direct(source, target)
    for source, target in told:
        if source not in pdag.neighbors[target]:
            is_refused = source not in pdag.parents[target]
        elif not (is_refused := pdag.leads(target, source)):
            pdag.direct(source, target)
        if is_refused:
            conflicts.append((source, target))
    return pdag.frozen(), conflicts


def _with_colliders(
    links: Links, triples: Triples, must_stop: MustStop
) -> tuple[Links, list[tuple[int, ...]]]:
    """The links with arrows towards the middles of triples, and the triples that could not have both."""
    starts, adjacent = links.adjacent_rows
    owners, marks = np.repeat(np.arange(links.n_nodes), np.diff(starts)), np.full(len(adjacent), LINE)
    codes = owners * links.n_nodes + adjacent
    sources, targets = links.arrows.T
    marks[np.searchsorted(codes, sources * links.n_nodes + targets)] = OUT
    marks[np.searchsorted(codes, targets * links.n_nodes + sources)] = IN
    seen, queues = np.zeros(links.n_nodes, dtype=np.int64), np.zeros((2, links.n_nodes), dtype=np.int64)
    room, is_refused = (np.zeros(1, dtype=np.int64), seen, queues), np.zeros(len(triples), dtype=np.bool_)
    for start in range(0, len(triples), TRIPLES_AT_ONCE):
        if must_stop():
            break
        end = min(start + TRIPLES_AT_ONCE, len(triples))
        point_at_colliders(triples, start, end, starts, adjacent, marks, room, is_refused)
    pairs, is_line = np.column_stack([owners, adjacent]), (marks == LINE) & (owners < adjacent)
    found = Links(links.n_nodes, arrows=pairs[marks == OUT], lines=pairs[is_line])
    return found, [(a, b, c) for a, b, c in triples[is_refused].tolist()]


def unshielded_triples(lines: Links, must_stop: MustStop = never) -> Triples:
    """Each (a, b, c) with a — b — c, a < c, and a, c not adjacent, by b, a, c, as time allows."""
    found = takewhile(lambda _: not must_stop(), open_triples(lines.neighbor_rows, lines))
    return np.concatenate([as_triples(()), *found])


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

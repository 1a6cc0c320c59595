"""Directed cycles in what tests say, and how Grow-Shrink gets rid of them."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from structlearn.graphs.links import Links
from structlearn.graphs.mutable_links import MutableLinks
from structlearn.later import networkx as nx
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.skeleton import Skeleton

Arrow = tuple[int, int]
LONGEST_COUNTED = 6  # the number of cycles is exponential in their length


def without_known_cycles(skeleton: Skeleton, known_pairs: KnownPairs) -> Skeleton:
    """Leave out edges whose directions, as knowledge has them, close a cycle; those required stay.

    No DAG has them all, and a line in place of an arrow would say what is forbidden.
    """
    known = [(a, b) for a, b in known_pairs.directions(skeleton.edges).tolist()]
    if not known:
        return skeleton
    edges = [frozenset(edge) for edge in skeleton.edges.tolist()]
    p_value = dict(zip(edges, skeleton.largest_p.tolist(), strict=True))
    fixed = [arrow for arrow in known if known_pairs.is_required(*arrow)]
    removed = break_cycles({arrow: p_value[frozenset(arrow)] for arrow in known}, fixed=fixed)
    if not removed:
        return skeleton
    gone = {frozenset(arrow) for arrow in removed}
    left = [place for place, edge in enumerate(edges) if edge not in gone]
    return replace(
        skeleton, edges=skeleton.edges[left], largest_p=skeleton.largest_p[left], impossible=removed
    )


def break_cycles(arrows: dict[Arrow, float], *, fixed: Collection[Arrow]) -> list[Arrow]:
    """Take arrows out until no directed cycle is left; returns them in that order.

    The arrow on most cycles goes first; among several, the one with the largest p-value, which is what
    `arrows` maps each to. The `fixed` ones stay.
    """
    removed: list[Arrow] = []
    if _is_acyclic(arrows):
        return removed
    while cyclic := arrows_on_cycles(arrows):
        on_cycles = count_cycles(cyclic)
        loose = sorted(cyclic - set(fixed))
        worst = max(loose, key=lambda arrow: (on_cycles[arrow], arrows[arrow]))
        del arrows[worst]
        removed.append(worst)
    return removed


def put_back_reversed(arrows: dict[Arrow, float], removed: list[Arrow]) -> None:
    """Put removed arrows back the other way round, the last removed first.

    One that would close a cycle stays out: its edge has no direction.
    """
    for source, target in reversed(removed):
        if not _leads(arrows, source, target):
            arrows[target, source] = 1.0


def directed_along_paths(links: Links) -> Links:
    """Direct each line whose ends a directed path joins, along the path, until none is left."""
    pdag = MutableLinks(links)
    while True:
        lines = [(a, b) for a, others in enumerate(pdag.neighbors) for b in sorted(others)]
        along = next(((a, b) for a, b in lines if pdag.leads(a, b)), None)
        if along is None:
            return pdag.frozen()
        pdag.direct(*along)


def arrows_on_cycles(arrows: Iterable[Arrow]) -> set[Arrow]:
    """The arrows that lie on some directed cycle: those inside a strongly connected component."""
    graph = nx.DiGraph(list(arrows))
    component = {}
    for i, members in enumerate(nx.strongly_connected_components(graph)):
        component.update(dict.fromkeys(members, i))
    return {(a, b) for a, b in graph.edges if component[a] == component[b]}


def count_cycles(arrows: Iterable[Arrow]) -> Counter[Arrow]:
    """How many simple cycles of limited length each arrow lies on."""
    counted: Counter[Arrow] = Counter()
    for cycle in nx.simple_cycles(nx.DiGraph(sorted(arrows)), length_bound=LONGEST_COUNTED):
        counted.update(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    return counted


def _is_acyclic(arrows: Iterable[Arrow]) -> bool:
    sources: dict[int, list[int]] = {}
    for source, target in arrows:
        sources.setdefault(target, []).append(source)
    try:
        TopologicalSorter(sources).prepare()
    except CycleError:
        return False
    return True


def _leads(arrows: Iterable[Arrow], source: int, target: int) -> bool:
    graph = nx.DiGraph(list(arrows))
    return source in graph and target in graph and nx.has_path(graph, source, target)

"""When a graph of →, — and ↔ is ancestral and maximal (Richardson and Spirtes, 2002); by position.

Ancestral: no directed cycle, no x ↔ y with x an ancestor of y, no arrow at an end of a line. Maximal: some
set separates every two nodes that no edge joins, which fails exactly if an inducing path joins them.
"""

from collections.abc import Callable
from functools import cache

from structlearn.graphs.links import Links
from structlearn.graphs.separation import reachable

Pair = tuple[int, int]


def line_with_an_arrow(links: Links) -> tuple[Pair, Pair] | None:
    """A line and an edge that points at an end of it, as (from, end); None where there is none."""
    for a, b in links.lines.tolist():
        for end in (a, b):
            for other in links.pointing_at(end).tolist():
                return (a, b), (other, end)
    return None


def almost_directed_cycle(links: Links) -> Pair | None:
    """An arc whose first end is an ancestor of its second; None where there is none."""
    above = _ancestors_in(links)
    for a, b in links.arcs.tolist():
        if a in above(b):
            return a, b
        if b in above(a):
            return b, a
    return None


def inseparable_pair(links: Links) -> Pair | None:
    """Two nodes of an ancestral graph that neither an edge joins nor a set separates; None without."""
    above = _ancestors_in(links)
    for x, y in _candidates(links, above):
        if y not in links.adjacent(x) and _has_inducing_path(links, x, y, above(x) | above(y)):
            return x, y
    return None


def _candidates(links: Links, above: Callable[[int], set[int]]) -> list[Pair]:
    """The pairs that an inducing path could join.

    Inside, it runs along arcs, and the node next to either end is an ancestor of the other end: an
    ancestor of its own end would make the graph cyclic, or no ancestral one.
    """
    inner = {node for node in range(links.n_nodes) if links.spouses(node).size}
    beyond = [
        {other for node in (above(end) & inner) - {end} for other in links.pointing_at(node).tolist()}
        for end in range(links.n_nodes)
    ]
    return sorted((x, y) for y, others in enumerate(beyond) for x in others if x < y and y in beyond[x])


def _has_inducing_path(links: Links, x: int, y: int, above: set[int]) -> bool:
    """Whether x *→ v ↔ … ↔ w ←* y with every inner node among `above`, the ancestors of x and y."""
    inner = above - {x, y}
    waiting = [node for node in inner if x in links.pointing_at(node)]
    reached = set(waiting)
    while waiting:
        node = waiting.pop()
        if y in links.pointing_at(node):
            return True
        fresh = (set(links.spouses(node).tolist()) & inner) - reached
        reached |= fresh
        waiting.extend(fresh)
    return False


def _ancestors_in(links: Links) -> Callable[[int], set[int]]:
    @cache
    def above(node: int) -> set[int]:
        return set(reachable(links.parents, [node]))

    return above

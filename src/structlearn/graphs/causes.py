"""What a graph of arrows, lines, arcs and circles says of causes; by position.

A step from a to b is possible unless the marks rule a → b out. In a CPDAG lines are open, as circles are;
in a MAG or PAG a line says that both its ends are causes of what decided which rows there are.
"""

from collections.abc import Iterable

import numpy as np

from structlearn.graphs.links import Links, Positions
from structlearn.graphs.separation import reachable


def possible_links(links: Links, *, lines_are_open: bool) -> Links:
    """An arrow for each step that is possible."""
    open_lines = [links.open_lines, links.lines] if lines_are_open else [links.open_lines]
    both_ways = [pairs[:, order] for pairs in open_lines for order in ([0, 1], [1, 0])]
    arrows = [links.arrows, links.half_arrows, links.half_lines, *both_ways]
    return Links(links.n_nodes, arrows=np.concatenate(arrows))


def possible_descendants(possible: Links, starts: Iterable[int]) -> set[int]:
    """The nodes that possible steps lead to, and the starts."""
    starts = set(starts)
    return starts | set(reachable(possible.children, starts))


def possible_ancestors(possible: Links, ends: Iterable[int]) -> set[int]:
    """The nodes from which possible steps lead to an end, and the ends."""
    ends = set(ends)
    return ends | set(reachable(possible.parents, ends))


def is_visible(links: Links, a: int, b: int) -> bool:
    """Whether the arrow a → b of a MAG or PAG rules a hidden common cause of the two out (Zhang, 2008).

    It does if some c that is not joined to b has an edge into a, or a path of ↔ into a, with an arrow at
    its first node after c, whose inner nodes are all parents of b.
    """
    joined, parents = _set(links.adjacent(b)) | {b}, _set(links.parents(b))
    reached, waiting = {a}, [a]
    while waiting:
        here = waiting.pop()
        if _set(links.pointing_at(here)) - joined:
            return True
        fresh = (_set(links.spouses(here)) & parents) - reached
        reached |= fresh
        waiting.extend(fresh)
    return False


def _set(nodes: Positions) -> set[int]:
    return set(nodes.tolist())

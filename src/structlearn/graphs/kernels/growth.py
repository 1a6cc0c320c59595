"""A network that grows by preferential attachment."""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel


@kernel
def attach(
    n_nodes: int, n_links: int, attractiveness: float, triangles: float, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Grow a star of `n_links` + 1 nodes; each new node joins `n_links` old ones.

    An old node is chosen with probability proportional to degree + `attractiveness`, which is larger
    than -1, the least degree; or, with probability `triangles`, among the neighbours of the node chosen
    before. A row (old, new) per edge.
    """
    pairs = np.empty((n_links * (n_nodes - n_links), 2), dtype=np.int64)
    degrees = np.zeros(n_nodes, dtype=np.int64)
    # The ends of edges at a node form a chain: the latest, and for each end the one before it.
    latest = np.full(n_nodes, -1, dtype=np.int64)
    earlier = np.empty(pairs.size, dtype=np.int64)
    chosen_by = np.full(n_nodes, -1, dtype=np.int64)
    for leaf in range(1, n_links + 1):
        _join(pairs, degrees, latest, earlier, leaf - 1, 0, leaf)
    n_pairs = n_links
    for new in range(n_links + 1, n_nodes):
        n_old_pairs, before = n_pairs, -1
        chosen_by[new] = new
        while n_pairs < n_old_pairs + n_links:
            old = -1
            if before >= 0 and generator.random() < triangles:
                old = _neighbor(pairs, latest, earlier, before, chosen_by, new, generator)
            if old < 0:
                old = _preferred(pairs[:n_old_pairs], degrees, new, attractiveness, generator)
            if chosen_by[old] != new:
                chosen_by[old] = new
                _join(pairs, degrees, latest, earlier, n_pairs, old, new)
                n_pairs += 1
                before = old
    return pairs


@kernel
def _join(pairs, degrees, latest, earlier, place, old, new):
    for side, node in ((0, old), (1, new)):
        pairs[place, side] = node
        degrees[node] += 1
        earlier[2 * place + side] = latest[node]
        latest[node] = 2 * place + side


@kernel
def _preferred(pairs, degrees, n_old, attractiveness, generator):
    """Draw an end of an edge, so by degree; mix with or thin to degree + attractiveness."""
    extra = max(attractiveness, 0.0) * n_old
    if generator.random() * (2 * len(pairs) + extra) < extra:
        return int(generator.random() * n_old)
    while True:
        end = int(generator.random() * 2 * len(pairs))
        node = pairs[end // 2, end % 2]
        if attractiveness >= 0 or generator.random() < 1 + attractiveness / degrees[node]:
            return node


@kernel
def _neighbor(pairs, latest, earlier, node, chosen_by, new, generator):
    """Draw a neighbour of `node` that `new` has not joined, each alike; -1 if there is none."""
    drawn, n_seen = -1, 0
    end = latest[node]
    while end >= 0:
        other = pairs[end // 2, 1 - end % 2]
        if chosen_by[other] != new:
            n_seen += 1
            if generator.random() * n_seen < 1:
                drawn = other
        end = earlier[end]
    return drawn

"""How a graph compares with random ones and with a ring: the small-world coefficients."""

import math
from dataclasses import dataclass

import numpy as np

from structlearn.graphs.kernels.rewiring import exchange_ends, join_nearest
from structlearn.graphs.links import Links, Positions
from structlearn.graphs.measures import clustering, distances, mean

EXCHANGES_PER_EDGE = 10


@dataclass(frozen=True)
class Baseline:
    """The clustering and path length of comparable random graphs, and the clustering of a ring."""

    random_clustering: float
    random_path_length: float
    ring_clustering: float

    def sigma(self, average_clustering: float, path_length: float) -> float:
        """Humphries and Gurney's (2008) ratio of ratios: above 1 in a small world."""
        clustered = _ratio(average_clustering, self.random_clustering)
        return _ratio(clustered, _ratio(path_length, self.random_path_length))

    def omega(self, average_clustering: float, path_length: float) -> float:
        """Telesford and others' (2011) difference: near 0 in a small world, -1 a ring, 1 random."""
        return _ratio(self.random_path_length, path_length) - _ratio(average_clustering, self.ring_clustering)


def analytic_baseline(n_nodes: int, n_edges: int) -> Baseline:
    """The limits for a random graph and a ring with the same mean degree k.

    Clustering k / (n - 1) and path length ln n / ln k; and 3 (k - 2) / (4 (k - 1)) in the ring.
    """
    if n_nodes < 2:
        return Baseline(math.nan, math.nan, math.nan)
    degree = 2 * n_edges / n_nodes
    return Baseline(
        degree / (n_nodes - 1),
        math.log(n_nodes) / math.log(degree) if degree > 1 else math.nan,
        3 * (degree - 2) / (4 * (degree - 1)) if degree > 2 else math.nan,
    )


def rewired_baseline(
    pairs: Positions,
    n_nodes: int,
    *,
    n_random: int,
    n_sources: int | None,
    generator: np.random.Generator,
) -> Baseline:
    """Give the means over graphs whose edges had their ends exchanged, and the ring of the same degrees."""
    found = []
    for child in generator.spawn(n_random):
        shuffled = rewired(pairs, n_nodes, generator=child)
        lengths = distances(shuffled, n_nodes, drawn_sources(n_nodes, n_sources, child))
        found.append((mean(clustering(shuffled, n_nodes)), lengths.average))
    random_clustering, random_path_length = np.mean(found, axis=0).tolist()
    return Baseline(
        random_clustering, random_path_length, mean(clustering(ring_like(pairs, n_nodes), n_nodes))
    )


def rewired(pairs: Positions, n_nodes: int, *, generator: np.random.Generator) -> Positions:
    """Exchange ends of edges at random (Maslov and Sneppen, 2002): every node keeps its degree."""
    starts, others = Links(n_nodes, lines=pairs).neighbor_rows
    changed = np.array(pairs, dtype=np.int64)
    if len(pairs) > 1:
        exchange_ends(starts, others.copy(), changed, EXCHANGES_PER_EDGE * len(pairs), generator)
    return changed


def ring_like(pairs: Positions, n_nodes: int) -> Positions:
    """Join nodes to the nearest on a ring, those of the largest degree first, up to their degrees."""
    degrees = np.bincount(pairs.ravel(), minlength=n_nodes)
    found: Positions = join_nearest(np.argsort(-degrees, kind="stable"), degrees)
    return found


def drawn_sources(n_nodes: int, n_sources: int | None, generator: np.random.Generator) -> Positions | None:
    """Some nodes to measure distances from; None where that is all of them."""
    if n_sources is None or n_sources >= n_nodes:
        return None
    return np.sort(generator.choice(n_nodes, n_sources, replace=False))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan

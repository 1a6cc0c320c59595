"""Distances, clustering and degrees of undirected simple graphs given by pairs of positions."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.kernels.distances import component_of, distance_counts
from structlearn.graphs.kernels.triangles import n_triangles
from structlearn.graphs.links import Links, Positions

Numbers = NDArray[np.float64]


def mean(values: Numbers) -> float:
    """The mean, NaN where there is nothing."""
    return float(values.mean()) if values.size else math.nan


@dataclass(frozen=True)
class Distances:
    """How many ordered pairs of nodes are how far apart, from some or all sources.

    Parameters
    ----------
    counts : array of shape (longest distance + 1,)
        The pairs (source, other node) at each distance; 0 at distance 0.
    n_pairs : int
        All such pairs, connected or not.
    """

    counts: Positions
    n_pairs: int

    @property
    def are_all_finite(self) -> bool:
        """Whether a path joins every source to every node."""
        return int(self.counts.sum()) == self.n_pairs

    @property
    def longest(self) -> float:
        """The longest distance, infinite where a pair is not connected, NaN without pairs."""
        if self.n_pairs == 0:
            return math.nan
        return float(len(self.counts) - 1) if self.are_all_finite else math.inf

    @property
    def average(self) -> float:
        """The mean over connected pairs, NaN where there is none."""
        n_connected = int(self.counts.sum())
        return float(self.counts @ np.arange(len(self.counts))) / n_connected if n_connected else math.nan

    @property
    def efficiency(self) -> float:
        """The mean of 1 / distance, 0 for a pair that is not connected."""
        if self.n_pairs == 0:
            return math.nan
        return float((self.counts[1:] / np.arange(1, len(self.counts))).sum()) / self.n_pairs


def distances(pairs: Positions, n_nodes: int, sources: Positions | None = None) -> Distances:
    """Measure from `sources`, or from every node: 64 breadth-first searches at a time."""
    starts = np.arange(n_nodes, dtype=np.int64) if sources is None else sources
    counts = distance_counts(Links(n_nodes, lines=pairs).neighbor_rows, starts)
    longest = int(np.flatnonzero(counts).max(initial=0))
    return Distances(counts[: longest + 1], len(starts) * (n_nodes - 1) if n_nodes else 0)


def components(pairs: Positions, n_nodes: int) -> Positions:
    """The number of the component that each node is in."""
    found: Positions = component_of(Links(n_nodes, lines=pairs).neighbor_rows)
    return found


def triangles(pairs: Positions, n_nodes: int) -> Positions:
    """The number of triangles at each node."""
    degrees = np.bincount(pairs.ravel(), minlength=n_nodes)
    rank = np.empty(n_nodes, dtype=np.int64)
    rank[np.argsort(degrees, kind="stable")] = np.arange(n_nodes)
    forward = np.sort(rank[pairs], axis=1)
    found: Positions = n_triangles(Links(n_nodes, arrows=forward).child_rows)
    return found[rank]


def clustering(pairs: Positions, n_nodes: int) -> Numbers:
    """The share of the pairs of neighbours of each node that are joined; 0 with less than two."""
    degrees = np.bincount(pairs.ravel(), minlength=n_nodes)
    possible = degrees * (degrees - 1) / 2
    return np.divide(triangles(pairs, n_nodes), possible, out=np.zeros(n_nodes), where=possible > 0)


def transitivity(pairs: Positions, n_nodes: int) -> float:
    """Three times the triangles, by the paths of two edges; 0 where there are none."""
    degrees = np.bincount(pairs.ravel(), minlength=n_nodes)
    n_paths = float((degrees * (degrees - 1)).sum()) / 2
    return float(triangles(pairs, n_nodes).sum()) / n_paths if n_paths else 0.0


def assortativity(pairs: Positions, n_nodes: int) -> float:
    """The correlation of the degrees at both ends of an edge; NaN where all degrees are equal."""
    degrees = np.bincount(pairs.ravel(), minlength=n_nodes)
    ends = degrees[np.concatenate([pairs, pairs[:, ::-1]])].astype(np.float64)
    if len(ends) == 0 or (ends == ends[0, 0]).all():
        return math.nan
    centred = ends[:, 0] - ends[:, 0].mean()
    return float(centred @ (ends[:, 1] - ends[:, 1].mean()) / (centred @ centred))


def by_degree(values: Numbers, degrees: Positions) -> dict[int, float]:
    """The mean of `values` over the nodes of each degree that occurs."""
    return {int(k): float(values[degrees == k].mean()) for k in np.unique(degrees)}

"""The tree of clusters, and the clusters at any scale."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.later import distance, hierarchy

Linkage = Literal["average", "single", "complete", "ward"]
MOST_LEAVES_IN_BEST_ORDER = 500  # the order of least distances takes O(p³): a second here, minutes beyond


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """Columns joined step by step, the nearest clusters first.

    Parameters
    ----------
    names : tuple of str
        The columns.
    merges : array of shape (p − 1, 4)
        In the form of scipy: the two clusters of each step, their distance, and how many columns they have.
    linkage : str
        What the distance of two clusters is.
    """

    names: tuple[str, ...]
    merges: NDArray[np.float64]
    linkage: Linkage

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The columns in the order in which the tree is drawn without crossings."""
        return tuple(self.names[i] for i in self.places.tolist())

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The places of the leaves among the names."""
        if not len(self.merges):
            return np.arange(len(self.names))
        return np.asarray(hierarchy.leaves_list(self.merges), dtype=np.int64)

    def clusters(
        self,
        n_clusters: int | None = None,
        *,
        height: float | None = None,
        inconsistency: float | None = None,
        min_size: int = 1,
    ) -> tuple[tuple[str, ...], ...]:
        """The clusters where the tree is cut, each in the order of the columns, the largest first.

        Cut into so many, at a height, or at merges that are higher than those below them by this many of
        their deviations. Clusters with fewer columns than `min_size` are left out.
        """
        if [n_clusters, height, inconsistency].count(None) != 2:
            raise OptionError("clusters: say one of n_clusters, height and inconsistency.")
        found: dict[int, list[str]] = {}
        for name, label in zip(self.names, self._labels(n_clusters, height, inconsistency), strict=True):
            found.setdefault(int(label), []).append(name)
        kept = [tuple(each) for each in found.values() if len(each) >= min_size]
        return tuple(sorted(kept, key=lambda each: -len(each)))

    def graph(
        self,
        n_clusters: int | None = None,
        *,
        height: float | None = None,
        inconsistency: float | None = None,
    ) -> Graph:
        """The columns of each cluster joined with each other; a coarser cut has all edges of a finer one."""
        clusters = self.clusters(n_clusters, height=height, inconsistency=inconsistency)
        pairs = [(a, b) for each in clusters for i, a in enumerate(each) for b in each[i + 1 :]]
        return Graph(self.names, undirected=pairs)

    def _labels(
        self, n_clusters: int | None, height: float | None, inconsistency: float | None
    ) -> NDArray[np.int32]:
        if not len(self.merges):
            return np.zeros(len(self.names), dtype=np.int32)
        if n_clusters is not None:
            _refuse_number(n_clusters, len(self.names))
            labels = hierarchy.cut_tree(self.merges, n_clusters=n_clusters)[:, 0]
        elif height is not None:
            labels = hierarchy.fcluster(self.merges, height, criterion="distance")
        else:
            labels = hierarchy.fcluster(self.merges, inconsistency, criterion="inconsistent")
        return np.asarray(labels, dtype=np.int32)


def dendrogram_of(names: tuple[str, ...], distances: NDArray[np.float64], linkage: Linkage) -> Dendrogram:
    """Join the nearest clusters until one is left; of equal distances the lowest places go first."""
    if len(names) < 2:
        return Dendrogram(names, np.zeros((0, 4)), linkage)
    condensed = distance.squareform(distances, checks=False)
    merges = hierarchy.linkage(condensed, linkage, optimal_ordering=len(names) <= MOST_LEAVES_IN_BEST_ORDER)
    return Dendrogram(names, np.asarray(merges), linkage)


def _refuse_number(n_clusters: int, n_columns: int) -> None:
    if not 1 <= n_clusters <= n_columns:
        raise OptionError(
            f"clusters(n_clusters={n_clusters}): {n_columns} columns make from 1 to {n_columns} clusters."
        )

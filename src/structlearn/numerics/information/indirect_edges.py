"""Edges that a third node explains: the weakest of a triangle (data processing inequality)."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.information.columns import Matrix, pairs_where
from structlearn.numerics.information.kernels.indirect_edges import fill_mediators
from structlearn.statistics.blocks import in_blocks

FEW_PER_NODE = 100  # neighbours; up to here one sort of all edges is quicker than one for each node


def mediators_of(
    information: Matrix,
    *,
    factor: float = 1.0,
    difference: float = 0.0,
    may_mediate: NDArray[np.bool_] | None = None,
    n_jobs: int = 1,
) -> NDArray[np.int32]:
    """For each edge i < j a node that it could be indirect through, and -1 where there is none.

    An edge is indirect through k if its information is less than factor · min − difference of those of
    its ends with k. All triangles of the matrix as it is are looked at, so that no order matters. A node
    is asked for its strongest neighbours first, and only for those stronger than the edge: of random
    numbers that takes O(p² log p) steps in all.
    """
    n_nodes = len(information)
    mediators = np.full((n_nodes, n_nodes), -1, dtype=np.int32)
    starts, others = _strongest_first(information, may_mediate)

    def work(block: slice) -> None:
        fill_mediators(information, starts, others, factor, difference, block.start, block.stop, mediators)

    in_blocks(work, n_nodes, cost=float(len(others)) * 10.0, n_jobs=n_jobs)
    return mediators


def _strongest_first(
    information: Matrix, may_mediate: NDArray[np.bool_] | None
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The neighbours of each node that may mediate, one list behind the other, and where each starts."""
    is_there = information > 0.0
    np.fill_diagonal(is_there, val=False)
    if may_mediate is not None:
        is_there &= may_mediate
    starts = np.append(0, np.cumsum(is_there.sum(axis=1)))
    if starts[-1] <= FEW_PER_NODE * len(information):
        nodes, found = pairs_where(is_there)
        return starts, found[np.lexsort((-information[nodes, found], nodes))].astype(np.int32)
    others = np.empty(starts[-1], dtype=np.int32)
    for i, row in enumerate(information):
        found = np.flatnonzero(is_there[i])
        others[starts[i] : starts[i + 1]] = found[np.argsort(-row[found], kind="stable")]
    return starts, others

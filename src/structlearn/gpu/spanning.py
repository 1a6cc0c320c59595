"""The heaviest forest of a matrix on a card (Borůvka); `learners/score/trees/spanning.py` is the twin."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cuda
from structlearn.gpu.pairs import MatrixOnCard

N_THREADS = 128  # of a node: a row is read by four warps


class Gains(NamedTuple):
    """What an edge weighs: its information, of so many rows, less a price for each free parameter.

    Each column has `n_free` of its own; more information than `most` is impossible.
    """

    size: float
    price: float
    n_free: NDArray[np.float64]
    most: float


def heaviest_forest(information: MatrixOnCard, gains: Gains, decimals: int) -> list[tuple[int, int]]:
    """The edges of positive weight that make the heaviest forest, the heaviest first, then in their order.

    In every round each part takes the heaviest edge out of it; weights that agree in `decimals` are equal.
    """
    cuda = load_cuda()
    from structlearn.gpu.kernels.spanning import leaving_kernel  # noqa: PLC0415, needs CUDA

    n_nodes, find = len(gains.n_free), leaving_kernel(N_THREADS, float(10**decimals))
    n_free = cuda.to_device(gains.n_free)
    labels, found = np.arange(n_nodes), np.zeros((0, 3))
    weights, others = cuda.device_array(n_nodes, np.float64), cuda.device_array(n_nodes, np.int32)
    while True:
        now = cuda.to_device(labels.astype(np.int32))
        find[n_nodes, N_THREADS](
            information.array, gains.size, gains.price, n_free, gains.most, now, weights, others
        )
        ends = others.copy_to_host()
        nodes = np.flatnonzero(ends >= 0)
        if not len(nodes):
            break
        pairs = np.sort(np.column_stack([nodes, ends[nodes]]), axis=1)
        edges = _in_order(np.column_stack([-weights.copy_to_host()[nodes], pairs]), labels[nodes])
        found = np.unique(np.concatenate([found, edges]), axis=0)
        labels = _joined(labels, edges[:, 1:].astype(np.int64))
    return [(int(a), int(b)) for _, a, b in found]


def _in_order(edges: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """The first edge of each label by what it lacks in weight, then by its ends."""
    order = np.lexsort(edges.T[::-1])
    _, first = np.unique(labels[order], return_index=True)
    return edges[order[first]]


def _joined(labels: NDArray[np.int64], edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """The labels when the parts that edges join have one, that of the lowest."""
    above = np.arange(len(labels))

    def top(label: int) -> int:
        while above[label] != label:
            above[label] = above[above[label]]
            label = int(above[label])
        return label

    for a, b in labels[edges].tolist():
        low, high = sorted((top(a), top(b)))
        above[high] = low
    return np.array([top(int(label)) for label in labels])

"""The weight of every family over all orders, on a card; `learners/order/exact/order_sums.py` is the twin.

Sums over the families within a set are made block by block and never kept, as totals are in `subsets`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cuda
from structlearn.gpu.subsets import in_batches, values_at
from structlearn.run import MustStop

Logs = NDArray[np.float64]
Masks = NDArray[np.int64]
N_LOW = 9  # nine tables of 2^8 numbers, and two of 2^9, leave room for several blocks
N_THREADS = 256
N_BLOCKS = 1 << 12  # for what has no blocks of its own: enough for any card


def bytes_needed(n_nodes: int) -> int:
    """The card's memory that sums over orders take, two for each subset, and half as many around a node."""
    return 20 * (1 << n_nodes)


def sums_around(
    masks: list[Masks], weights: list[Logs], must_stop: MustStop
) -> tuple[list[Logs], float] | None:
    """What all other nodes weigh beside each family of each node, and the sum over all orders.

    `masks` are the parents of the families as bits, and `weights` their logarithms. None where it must stop.
    """
    cuda = load_cuda()
    from structlearn.gpu.kernels import order_sums as kernels  # noqa: PLC0415, needs CUDA

    n = len(masks)
    within, after = (_sums_of_orders(masks, weights, must_stop, is_within=way) for way in (True, False))
    if within is None or after is None:
        return None
    table, found = cuda.device_array(1 << (n - 1), np.float64), []
    for node, of_node in enumerate(masks):
        if must_stop():
            return None
        kernels.sum_around[N_BLOCKS, N_THREADS](node, within, after, table)
        for bit in range(n - 1):
            kernels.add_supersets[N_BLOCKS, N_THREADS](table, 1 << bit)
        found.append(values_at(table, _without(of_node, node)))
    total = values_at(within, np.array([(1 << n) - 1]))
    return found, float(total[0])


def _sums_of_orders(masks: list[Masks], weights: list[Logs], must_stop: MustStop, *, is_within: bool) -> Any:
    """For each subset the sum over the orders of its nodes, or of the others; None where it must stop."""
    cuda = load_cuda()
    from structlearn.gpu.kernels.order_sums import order_kernel  # noqa: PLC0415, needs CUDA

    n = len(masks)
    n_low = min(N_LOW, n)
    fill = order_kernel(n_low)
    sums = cuda.device_array(1 << n, np.float64)
    lists = [cuda.to_device(part) for part in _packed(masks, weights, n_low)]
    batches = list(in_batches(n - n_low))
    for blocks in batches if is_within else reversed(batches):
        if must_stop():
            return None
        origin = 0 if is_within else (1 << n) - 1
        fill[len(blocks), N_THREADS](cuda.to_device(blocks), n, is_within, origin, *lists, sums)
        cuda.synchronize()
    return sums


def _packed(
    masks: list[Masks], weights: list[Logs], n_low: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], Logs]:
    """Families by their lower nodes: where those of each set begin, their upper nodes, and their weights."""
    segments, highs, sorted_weights, start = np.empty((len(masks), (1 << n_low) + 1), np.int64), [], [], 0
    for node, of_node in enumerate(masks):
        lows = of_node & ((1 << n_low) - 1)
        lows = _without(lows, node) if node < n_low else lows
        order = np.argsort(lows, kind="stable")
        segments[node] = start + np.searchsorted(lows[order], np.arange((1 << n_low) + 1))
        highs.append((of_node[order] >> n_low).astype(np.int32))
        sorted_weights.append(weights[node][order])
        start += len(of_node)
    return segments, np.concatenate(highs), np.concatenate(sorted_weights)


def _without(masks: Masks, node: int) -> Masks:
    """The masks with the place of a node, which none of them has, left out."""
    bit = 1 << node
    return (masks & (bit - 1)) | ((masks >> 1) & -bit)

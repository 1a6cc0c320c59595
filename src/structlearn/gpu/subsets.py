"""Best totals over all subsets of the nodes, on a card; `learners/order/kernels/subsets.py` is the twin.

A block of threads fills the totals of one set of upper nodes with all sets of lower ones. Its tables hold
places in the lists of families, sorted by gain, in place of gains: half the bytes, and the gain of the best
family is looked up once. Additions and comparisons are those of the twin, so that no digit differs.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cuda
from structlearn.run import MustStop

N_LOW = 10  # tables of 2^10 places are what a multiprocessor holds for several blocks
N_THREADS = 256
BLOCKS_AT_ONCE = 1 << 17  # between two looks at the clock: some tenths of a second


class PackedFamilies(NamedTuple):
    """The families of each node, the best first: where they start, and their parents' bits and gains.

    The lower bits leave out the node's own.
    """

    starts: NDArray[np.int64]
    lows: NDArray[np.int32]
    highs: NDArray[np.int32]
    gains: NDArray[np.float64]


def bytes_needed(n_nodes: int) -> int:
    """The card's memory that the totals take, and the numbers of the blocks."""
    return 8 * (1 << n_nodes) + 8 * (1 << max(n_nodes - N_LOW, 0))


def fill_totals(families: PackedFamilies, n_nodes: int, must_stop: MustStop) -> Any:
    """The totals of all subsets, in the card's memory; None where the run must stop."""
    cuda = load_cuda()
    from structlearn.gpu.kernels.subsets import subset_kernel  # noqa: PLC0415, needs CUDA

    n_low = min(N_LOW, n_nodes)
    fill = subset_kernel(n_low, N_THREADS)
    totals = cuda.device_array(1 << n_nodes, np.float64)
    lists = [cuda.to_device(part) for part in families]
    for blocks in in_batches(n_nodes - n_low):
        if must_stop():
            return None
        fill[len(blocks), N_THREADS](cuda.to_device(blocks), n_nodes, *lists, totals)
        cuda.synchronize()
    return totals


def values_at(totals: Any, places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Some of the totals: one way to the card and back for all."""
    cuda = load_cuda()
    from structlearn.gpu.kernels.subsets import gather  # noqa: PLC0415, needs CUDA

    found = cuda.device_array(len(places), np.float64)
    gather[-(-len(places) // N_THREADS), N_THREADS](totals, cuda.to_device(places), found)
    values: NDArray[np.float64] = found.copy_to_host()
    return values


def in_batches(n_high: int) -> Iterator[NDArray[np.int64]]:
    """All sets of upper nodes, the smaller first: those of one batch do not need each other."""
    sizes = np.bitwise_count(np.arange(1 << n_high, dtype=np.uint64))
    blocks = np.argsort(sizes, kind="stable")
    ends = np.cumsum(np.bincount(sizes))
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        for first in range(start, end, BLOCKS_AT_ONCE):
            yield blocks[first : min(first + BLOCKS_AT_ONCE, end)]

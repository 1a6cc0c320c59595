"""A number for every two columns, in a card's memory: their information, and which of it is indirect.

The twins are `numerics/information/tables.py`, `correlation.py` and `indirect_edges.py`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cuda, load_cupy

TILE, N_WORDS = 16, 32  # 256 pairs of a block of threads, and 1,024 rows of their columns at once
SIDE = 16  # 32 by 32 pairs of a block of threads, and 16 third nodes at once: 8 KiB of shared memory
PAIRS_AT_ONCE = 1 << 22  # whose third nodes are looked up: 48 MiB
N_ROW_THREADS = 64  # where a thread has a row or a pair: all multiprocessors have some
MOST_LEVELS = 20  # whose masks fit into shared memory

Numbers = NDArray[np.float64]


class StrongPairs(NamedTuple):
    """Pairs i < j in order, their information, and the node that each could be indirect through, or -1."""

    pairs: NDArray[np.int64]
    values: Numbers
    mediators: NDArray[np.int32]


def bytes_needed(n_columns: int, n_rows: int) -> int:
    """The card's memory for the numbers, the list of all pairs or their third nodes, and the columns."""
    return (8 + 6) * n_columns**2 + 8 * n_columns * n_rows


class MatrixOnCard:
    """A symmetric matrix of the numbers of all pairs; its diagonal is put in on the way back."""

    def __init__(self, n_columns: int, diagonal: Numbers | None = None) -> None:
        self._cuda = load_cuda()
        self.array = self._cuda.device_array((n_columns, n_columns), np.float64)
        self._n, self._diagonal = n_columns, diagonal

    def to_host(self) -> Numbers:
        """The matrix in the machine's memory."""
        found: Numbers = self.array.copy_to_host()
        if self._diagonal is not None:
            np.fill_diagonal(found, self._diagonal)
        return found

    def strong_pairs(
        self, threshold: float, factor: float, difference: float, is_regulator: NDArray[np.bool_] | None
    ) -> StrongPairs:
        """The pairs with more than a threshold, and what they are indirect through."""
        from structlearn.gpu.kernels import indirect_edges as kernels  # noqa: PLC0415, needs CUDA

        cuda, room = self._cuda, self._cuda.device_array
        regulates = np.ones(self._n, dtype=np.bool_) if is_regulator is None else is_regulator
        given = self.array, threshold, cuda.to_device(regulates)
        grid, counts = self._rows(N_ROW_THREADS), room(self._n, np.int64)
        kernels.count_strong[grid](*given, counts)
        n_strong = counts.copy_to_host()
        ends = np.cumsum(n_strong)
        n_pairs = int(ends[-1]) if len(ends) else 0
        others, values = room(max(n_pairs, 1), np.int32), room(max(n_pairs, 1), np.float64)
        kernels.write_strong[grid](*given, cuda.to_device(ends - n_strong), others, values)
        first = np.repeat(np.arange(self._n), n_strong)
        pairs = np.column_stack([first, others.copy_to_host()[:n_pairs]]).astype(np.int64)
        strengths = values.copy_to_host()[:n_pairs]
        del others, values  # their place is for the third nodes
        found = np.full(n_pairs, -1, dtype=np.int32)
        if n_pairs and factor > 0.0:
            order = cuda.to_device(_fewest_first(pairs, regulates))
            third = room((self._n, self._n), np.int32)
            fill, n_tiles = kernels.mediator_kernel(SIDE), -(-self._n // (2 * SIDE))
            fill[(n_tiles, n_tiles), (SIDE, SIDE)](*given, order, factor, difference, third)
            for start in range(0, n_pairs, PAIRS_AT_ONCE):
                some = slice(start, start + PAIRS_AT_ONCE)
                asked, answers = cuda.to_device(pairs[some].astype(np.int32)), cuda.to_device(found[some])
                kernels.gather[-(-len(asked) // N_ROW_THREADS), N_ROW_THREADS](third, asked, answers)
                found[some] = answers.copy_to_host()
        return StrongPairs(pairs, strengths, found)

    def tiles(self, side: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """A launch with a thread for each cell."""
        n_tiles = -(-self._n // side)
        return (n_tiles, n_tiles), (side, side)

    def _rows(self, n_threads: int) -> tuple[int, int]:
        return -(-self._n // n_threads), n_threads


def information_of_tables(
    masks: NDArray[np.uint32], margins: NDArray[np.int64], count_logs: Numbers, diagonal: Numbers
) -> MatrixOnCard:
    """The information of pairs of coded columns.

    `masks` is (states, words, columns), of all states but the last of each column, `margins` (columns,
    states) with those of the last behind the others, `count_logs[k]` k log k.
    """
    from structlearn.gpu.kernels.pair_tables import information_kernel  # noqa: PLC0415, needs CUDA

    found = MatrixOnCard(masks.shape[2], diagonal)
    alone = np.zeros(len(margins))
    for state in range(margins.shape[1]):
        alone += count_logs[margins[:, state]]
    given = [load_cuda().to_device(array) for array in (masks, margins.astype(np.int32), alone, count_logs)]
    information_kernel(len(masks), TILE, N_WORDS)[found.tiles(TILE)](*given, found.array)
    return found


def without_bias(found: MatrixOnCard, n_free: Numbers, n_rows: int) -> None:
    """Take off the bias of tables, with so many free states of each column."""
    from structlearn.gpu.kernels.pair_tables import take_off_bias  # noqa: PLC0415, needs CUDA

    take_off_bias[found.tiles(TILE)](load_cuda().to_device(n_free), float(n_rows), found.array)


def products_of_rows(rows: Numbers, change: Callable[[Any], object]) -> MatrixOnCard:
    """The product of every two rows, by one product of matrices that is then changed in place."""
    from structlearn.gpu.kernels.pair_tables import mirror  # noqa: PLC0415, needs CUDA

    found, cupy = MatrixOnCard(len(rows)), load_cupy()
    here, there = cupy.asarray(rows), cupy.asarray(found.array)
    cupy.matmul(here, here.T, out=there)
    change(there)
    mirror[found.tiles(TILE)](found.array)
    return found


def _fewest_first(pairs: NDArray[np.int64], regulates: NDArray[np.bool_]) -> NDArray[np.int32]:
    """The nodes in order of how many neighbours may mediate; those of the same number in their own."""
    lists = np.zeros(len(regulates), dtype=np.int64)
    for near, far in (pairs.T, pairs.T[::-1]):
        lists += np.bincount(near[regulates[far]], minlength=len(regulates))
    return np.argsort(lists, kind="stable").astype(np.int32)

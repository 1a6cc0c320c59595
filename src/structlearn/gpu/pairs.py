"""A number for every two columns, in a card's memory: their information, and which of it is indirect.

The twins are `numerics/information/tables.py`, `correlation.py` and `indirect_edges.py`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cuda, load_cupy

TILE, N_WORDS = 16, 32  # 256 pairs of a block of threads, and 1,024 rows of their columns at once
SIDE = 16  # 32 by 32 pairs of a block of threads, and 16 third nodes at once: 8 KiB of shared memory
PAIRS_AT_ONCE = 1 << 22  # whose third nodes are looked up: 48 MiB
N_ROW_THREADS = 64  # where a thread has a row or a pair: all multiprocessors have some
FEW = 0.05  # pairs for every two columns, a tenth of all: their lists are a hundredth of the triangles
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

        regulates = np.ones(self._n, dtype=np.bool_) if is_regulator is None else is_regulator
        given = self.array, threshold, self._cuda.to_device(regulates)
        starts, others, values = self._lists(given, before=False)
        pairs = np.empty((int(starts[-1]), 2), dtype=np.int64)
        pairs[:, 0] = np.repeat(np.arange(self._n), np.diff(starts))
        pairs[:, 1] = others.copy_to_host()[: len(pairs)]
        strengths = values.copy_to_host()[: len(pairs)]
        del others, values  # their place is for the third nodes
        found = np.full(len(pairs), -1, dtype=np.int32)
        if len(pairs) and factor > 0.0:
            order = _fewest_first(pairs, regulates)
            if len(pairs) <= FEW * self._n**2:
                look_up = self._by_lists(given, factor, difference, order)
            else:
                third = self._cuda.device_array((self._n, self._n), np.int32)
                fill, n_tiles = kernels.mediator_kernel(SIDE), -(-self._n // (2 * SIDE))
                to_fill = *given, self._cuda.to_device(order), factor, difference, third
                fill[(n_tiles, n_tiles), (SIDE, SIDE)](*to_fill)
                look_up = partial(_gather, third)
            for start in range(0, len(pairs), PAIRS_AT_ONCE):
                some = slice(start, start + PAIRS_AT_ONCE)
                asked = [pairs[some].astype(np.int32), strengths[some], found[some]]
                there = [self._cuda.to_device(part) for part in asked]
                look_up(*there)
                found[some] = there[2].copy_to_host()
        return StrongPairs(pairs, strengths, found)

    def _lists(self, given: tuple[Any, ...], *, before: bool) -> tuple[NDArray[np.int64], Any, Any]:
        """Where the strong pairs of each node start, the other ends and the information, the last two there.

        With those before a node, or only those behind it.
        """
        from structlearn.gpu.kernels import indirect_edges as kernels  # noqa: PLC0415, needs CUDA

        room, grid = self._cuda.device_array, (-(-self._n // N_ROW_THREADS), N_ROW_THREADS)
        counts = room(self._n, np.int64)
        kernels.count_strong[grid](*given, before, counts)
        starts = np.concatenate([[0], np.cumsum(counts.copy_to_host())]).astype(np.int64)
        n_written = max(int(starts[-1]), 1)
        others, values = room(n_written, np.int32), room(n_written, np.float64)
        kernels.write_strong[grid](*given, before, self._cuda.to_device(starts), others, values)
        return starts, others, values

    def _by_lists(
        self, given: tuple[Any, ...], factor: float, difference: float, order: NDArray[np.int32]
    ) -> Callable[[Any, Any, Any], None]:
        """The function that looks for the third nodes of pairs in the lists of their ends."""
        from structlearn.gpu.kernels import indirect_edges as kernels  # noqa: PLC0415, needs CUDA

        starts, others, values = self._lists(given, before=True)
        place = self._cuda.to_device(np.argsort(order).astype(np.int32))
        lists = self._cuda.to_device(starts), others, values
        fixed = given[0], given[2], factor, difference, *lists, place

        def look_up(pairs: Any, own: Any, found: Any) -> None:
            kernels.mediators_by_lists[-(-len(found) // N_ROW_THREADS), N_ROW_THREADS](
                *fixed, pairs, own, found
            )

        return look_up

    def tiles(self, side: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """A launch with a thread for each cell."""
        n_tiles = -(-self._n // side)
        return (n_tiles, n_tiles), (side, side)


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


def products_of_rows(rows: Numbers, change: Callable[[Any], object] | None = None) -> MatrixOnCard:
    """The product of every two rows, by one product of matrices that may then be changed in place."""
    from structlearn.gpu.kernels.pair_tables import mirror  # noqa: PLC0415, needs CUDA

    found, cupy = MatrixOnCard(len(rows)), load_cupy()
    here, there = cupy.asarray(rows), cupy.asarray(found.array)
    cupy.matmul(here, here.T, out=there)
    if change is not None:
        change(there)
    mirror[found.tiles(TILE)](found.array)
    return found


def _gather(third: Any, pairs: Any, _own: Any, found: Any) -> None:
    from structlearn.gpu.kernels import indirect_edges as kernels  # noqa: PLC0415, needs CUDA

    kernels.gather[-(-len(found) // N_ROW_THREADS), N_ROW_THREADS](third, pairs, found)


def _fewest_first(pairs: NDArray[np.int64], regulates: NDArray[np.bool_]) -> NDArray[np.int32]:
    """The nodes in order of how many neighbours may mediate; those of the same number in their own."""
    lists = np.zeros(len(regulates), dtype=np.int64)
    for near, far in (pairs.T, pairs.T[::-1]):
        lists += np.bincount(near[regulates[far]], minlength=len(regulates))
    return np.argsort(lists, kind="stable").astype(np.int32)

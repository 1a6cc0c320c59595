"""Pairs that partial correlations separate, on a card; `independence/asking.py` is the twin."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.card import load_cuda
from structlearn.run import MustStop

N_THREADS = 32  # of a pair: they wait for each other, which costs least within a warp
N_ROW_THREADS = 64  # of a block where each thread has a row: all multiprocessors have some
PAIRS_AT_ONCE = 1 << 20  # between two looks at the clock

Positions = NDArray[np.int64]


class Separated(NamedTuple):
    """For each pair how many sets were asked, whether the last separates it, that set, and a correlation.

    The correlation is that given the set, or the smallest of all.
    """

    n_tests: Positions
    is_separated: NDArray[np.bool_]
    given: Positions
    rho: NDArray[np.float64]


def bytes_needed(n_columns: int) -> int:
    """The card's memory for correlations, the list of all pairs or of neighbours, and a batch of pairs.

    Columns that are shorter than they are many, and multiplied there, are gone when the list comes.
    """
    return (8 + 6) * n_columns**2 + 64 * PAIRS_AT_ONCE


class CorrelationsOnCard:
    """A matrix of correlations in the card's memory, and what is asked of it."""

    def __init__(self, correlation: Any, tolerance: float) -> None:
        """Takes what is in the card's memory as it is, and brings there what is not."""
        self._cuda = load_cuda()
        is_here = isinstance(correlation, np.ndarray)
        self._correlation = (
            self._cuda.to_device(np.ascontiguousarray(correlation)) if is_here else correlation
        )
        self._tolerance = tolerance
        self._n_nodes = len(correlation)

    def dependent(self, limit: float) -> tuple[Positions, NDArray[np.float64]]:
        """The pairs whose correlation is beyond the limit, in order, and it."""
        from structlearn.gpu.kernels import partial_correlations as kernels  # noqa: PLC0415, needs CUDA

        grid = -(-self._n_nodes // N_ROW_THREADS), N_ROW_THREADS
        counts = self._cuda.device_array(self._n_nodes, np.int64)
        kernels.count_dependent[grid](self._correlation, limit, self._tolerance, counts)
        n_dependent = counts.copy_to_host()
        ends = np.cumsum(n_dependent)
        others = self._cuda.device_array(max(int(ends[-1]), 1), np.int32)
        values = self._cuda.device_array(max(int(ends[-1]), 1), np.float64)
        starts = self._cuda.to_device(ends - n_dependent)
        kernels.write_dependent[grid](self._correlation, limit, self._tolerance, starts, others, values)
        pairs = np.empty((ends[-1], 2), dtype=np.int64)
        pairs[:, 0] = np.repeat(np.arange(self._n_nodes), n_dependent)
        pairs[:, 1] = others.copy_to_host()[: ends[-1]]
        return pairs, values.copy_to_host()[: ends[-1]]

    def separate(
        self,
        pairs: Positions,
        lists: tuple[Positions, Positions],
        size: int,
        limit: float,
        must_stop: MustStop,
    ) -> Separated:
        """Find for each pair the first set that makes its correlation as small as the limit.

        `lists` has the neighbours of each node, one list behind the other, and before it where each starts.
        Pairs that time does not allow for are asked nothing.
        """
        from structlearn.gpu.kernels import partial_correlations as kernels  # noqa: PLC0415, needs CUDA

        kernel, to_device = kernels.separating_kernel(size, N_THREADS), self._cuda.to_device
        starts, nodes = to_device(lists[0]), to_device(lists[1].astype(np.int32))
        n_tests, rho = np.zeros(len(pairs), dtype=np.int64), np.ones(len(pairs))
        given = np.full((len(pairs), size), -1, dtype=np.int64)
        for start in range(0, len(pairs), PAIRS_AT_ONCE):
            if must_stop():
                break
            some = slice(start, start + PAIRS_AT_ONCE)
            asked = to_device(pairs[some].astype(np.int32))
            found = self._room(len(asked), size)
            kernel[len(asked), N_THREADS](
                self._correlation, asked, starts, nodes, limit, self._tolerance, *found
            )
            n_tests[some], given[some], rho[some] = (part.copy_to_host() for part in found)
        return Separated(np.abs(n_tests), n_tests > 0, given, rho)

    def _room(self, n_pairs: int, size: int) -> tuple[Any, Any, Any]:
        room = self._cuda.device_array
        return room(n_pairs, np.int64), room((n_pairs, size), np.int32), room(n_pairs, np.float64)

"""How far the pairs of discrete columns are from what a network says of them."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.measures.fitted_network import FittedNetwork
from structlearn.learners.score.measures.pair_marginals import cheap_elimination, pair_marginals
from structlearn.run import Run
from structlearn.search.promises import Promises
from structlearn.statistics import Statistics, Tables, from_dataset

MOST_CELLS_TO_VISIT = 2e8  # beyond it, drawing rows is quicker than summing out columns
MOST_COLUMNS_TO_ORDER = 100  # beyond, to order them for each pair takes longer than to draw rows
DEFAULT_SAMPLES = 1_000_000  # a share of them is off by 0.0005 at most, one standard deviation
VALUES_AT_ONCE = 2**26  # 64 MiB of codes
HALF_A_ROW = 0.5  # in each cell of a drawn table, so that none is empty


class TableDiscrepancy:
    """The divergence of each pair's table from the one that the network implies.

    Parameters
    ----------
    statistics : Statistics
        The data, of discrete columns.
    samples : int or None
        How many rows of the network to draw; None to compute its tables where that is quicker.
    rng : Generator
        Where the rows come from.
    """

    def __init__(self, statistics: Statistics, samples: int | None, rng: np.random.Generator) -> None:
        self._statistics = statistics
        self._samples = samples
        self._rng = rng
        self._pairs = np.column_stack(np.triu_indices(len(statistics.names), k=1)).astype(np.int64)

    def of(self, parents: Sequence[Sequence[int]], run: Run) -> Promises:
        """KL(data ‖ network) of each pair, with the network's probabilities fitted to the same data."""
        n = len(parents)
        values = np.zeros((n, n))
        if not len(self._pairs):
            return Promises(values, 0.0)
        network = FittedNetwork.of(self._statistics, parents)
        implied, n_drawn = self._implied(network, run)
        shares, starts = self._observed.counts / self._statistics.size, self._observed.starts
        a, b = self._pairs.T
        values[a, b] = values[b, a] = np.maximum(_divergences(shares, implied, starts), 0.0)
        return Promises(values, _noise(shares, implied, starts, n_drawn) if n_drawn else 0.0)

    @cached_property
    def _observed(self) -> Tables:
        return self._statistics.tables(self._pairs)

    def _implied(self, network: FittedNetwork, run: Run) -> tuple[NDArray[np.float64], int]:
        """The tables of the network, and from how many rows; 0 where they are exact."""
        if self._samples is None and len(network.names) <= MOST_COLUMNS_TO_ORDER:
            order, n_cells = cheap_elimination(network)
            if n_cells <= MOST_CELLS_TO_VISIT:
                return pair_marginals(network, order), 0
        return self._drawn(network, self._samples or DEFAULT_SAMPLES, run)

    def _drawn(self, network: FittedNetwork, n_rows: int, run: Run) -> tuple[NDArray[np.float64], int]:
        """Draw block by block, so that the rows need not all be there at once."""
        counts = np.full(len(self._observed.counts), HALF_A_ROW)
        most = max(VALUES_AT_ONCE // len(network.names), 1)
        n_drawn = 0
        while n_drawn < n_rows and not (n_drawn and run.must_stop()):
            n_block = min(most, n_rows - n_drawn)
            drawn = from_dataset(network.draw(n_block, self._rng), n_jobs=self._statistics.n_jobs)
            counts += drawn.tables(self._pairs).counts
            n_drawn += n_block
            run.show("drawing rows of the network", n_drawn, n_rows)
        starts = self._observed.starts
        n_cells = np.diff(starts, append=len(counts))
        return counts / np.repeat(np.add.reduceat(counts, starts), n_cells), n_drawn


def _divergences(
    shares: NDArray[np.float64], implied: NDArray[np.float64], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    seen = shares > 0.0
    parts = np.zeros(len(shares))
    parts[seen] = shares[seen] * np.log(shares[seen] / implied[seen])
    divergences: NDArray[np.float64] = np.add.reduceat(parts, starts)
    return divergences


def _noise(
    shares: NDArray[np.float64], implied: NDArray[np.float64], starts: NDArray[np.int64], n_drawn: int
) -> float:
    """The largest error to expect of a pair: its standard deviation, and the bias where the network fits.

    Both by the expansion of the divergence in the shares drawn, to the first and the second order.
    """
    deviations = np.sqrt(np.maximum(np.add.reduceat(shares**2 / implied, starts) - 1.0, 0.0) / n_drawn)
    biases = (np.diff(starts, append=len(shares)) - 1) / (2.0 * n_drawn)
    return float((deviations + biases).max())

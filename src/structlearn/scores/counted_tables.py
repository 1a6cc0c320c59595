"""What a compiled search needs to score families itself: the columns, and what a parameter costs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.likelihoods import Tables, n_log_n
from structlearn.scores.penalised import Penalised
from structlearn.scores.protocol import Score
from structlearn.statistics import Counts, MemoryStatistics, Statistics


class CountedTables(NamedTuple):
    """Columns of states as codes and as masks, how tables are counted, and what likelihoods are made of.

    `alone` has the scores of the columns without parents.
    """

    codes: NDArray[np.unsignedinteger]
    masks: NDArray[np.uint64]
    first_mask: NDArray[np.int64]
    levels: NDArray[np.int64]
    n_counted: NDArray[np.int64]
    bits: Counts
    n_log_n: NDArray[np.float64]
    alone: NDArray[np.float64]
    price: float
    size: float


def are_counted(score: Score, statistics: Statistics) -> bool:
    """Whether families are tables of whole rows in memory, and scores their likelihoods less a price."""
    return (
        type(score) is Penalised
        and type(score.likelihood) is Tables
        and type(statistics) is MemoryStatistics
        and statistics.weights is None
        and bool(statistics.levels.all())
    )


def counted_tables(score: Score, statistics: Statistics, alone: NDArray[np.float64]) -> CountedTables | None:
    """The columns and the price, where `are_counted`."""
    if not are_counted(score, statistics):
        return None
    assert isinstance(score, Penalised)  # noqa: S101, just seen
    assert isinstance(statistics, MemoryStatistics)  # noqa: S101, as above
    masks, first_mask = statistics.masks
    return CountedTables(
        statistics.codes,
        masks,
        first_mask,
        statistics.levels,
        statistics.levels - 1,
        statistics.bits,
        n_log_n(int(statistics.size)),
        alone,
        score.price.nats(statistics.size),
        statistics.size,
    )

"""What an arc between each two columns brings while there is no other."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.run import Pace, Run
from structlearn.scores import Score, checked_scores
from structlearn.scores.checked import threads_for
from structlearn.scores.kernels.table_pairs import pair_table_gains
from structlearn.scores.likelihoods import Tables
from structlearn.scores.penalised import Penalised
from structlearn.search.space import Space
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.blocks import in_blocks

ROWS_AT_ONCE = 64  # of a matrix that is turned: whole lines of the cache are read and written
FIRST_CHILDREN = 1  # before it is known how long the pairs of one take
MOST_PAIRS = 2**17  # at once: more would only take memory
MOST_OF_THREADS = 2**20  # which have smaller pieces of them
COST_OF_A_COPY = 2.0  # row visits that take as long as to write a gain below the diagonal
PER_THREAD = 8  # blocks of children, of which the last have the fewest parents
FEWEST_COLUMNS = 150  # for which it pays to compile a kernel of pairs alone


def pair_gains(score: Score, statistics: Statistics, run: Run) -> NDArray[np.float64]:
    """The gain of each lone arc, `[source, target]`; those that time does not allow for gain nothing.

    What is impossible, or impossible to begin with, gains minus infinity.
    """
    n = len(statistics.names)
    columns = np.arange(n, dtype=np.int64)
    alone = checked_scores(score, statistics, columns[:, None])
    gains = np.zeros((n, n))
    is_equivalent = getattr(score, "is_equivalent", False)
    is_asked = np.triu(np.ones((n, n), dtype=np.bool_), k=1) if is_equivalent else ~np.eye(n, dtype=np.bool_)
    n_jobs = threads_for(score, statistics)
    most = MOST_PAIRS if n_jobs == 1 else MOST_OF_THREADS
    pace, n_done = Pace(FIRST_CHILDREN, most=max(most // max(n, 1), 1)), 0

    by_tables = _TablesOfPairs.of(score, statistics, alone)

    def fill(some: slice) -> None:
        if by_tables is not None:
            by_tables.fill(n_done + some.start, n_done + some.stop, gains)
            return
        families = np.ascontiguousarray(np.argwhere(is_asked[n_done + some.start : n_done + some.stop]))
        families[:, 0] += n_done + some.start
        if not len(families):
            return
        children, parents = families.T
        gained = checked_scores(score, statistics, families) - alone[children]
        gained[~np.isfinite(gained)] = -np.inf
        gains[children, parents] = gained

    while n_done < n and not run.must_stop():
        run.show(f"column {n_done + 1} of {n}", n_done, n)
        n_here = min(pace.n_at_once, n - n_done)
        cost = float(statistics.n_rows) * int(is_asked[n_done : n_done + n_here].sum())
        with pace.keep(n_here), np.errstate(invalid="ignore"):
            in_blocks(fill, n_here, cost=cost, n_jobs=n_jobs, per_thread=PER_THREAD)
        n_done += n_here
    if not is_equivalent:
        return gains.T
    _mirror(gains, n_jobs)  # what one direction of an arc gains, the other does
    return gains


def _mirror(gains: NDArray[np.float64], n_jobs: int) -> None:
    """Write what is above the diagonal below it, too."""
    starts = range(0, len(gains), ROWS_AT_ONCE)
    # The first have the longest columns, the last the shortest: one of each in turn makes shares alike.
    turns = [start for pair in zip(starts, starts[::-1], strict=True) for start in pair][: len(starts)]

    def write(some: slice) -> None:
        for start in turns[some]:
            rows = slice(start, start + ROWS_AT_ONCE)
            gains[start:, rows] += gains[rows, start:].T

    in_blocks(write, len(turns), cost=COST_OF_A_COPY * gains.size, n_jobs=n_jobs)


def arc_gains(space: Space) -> NDArray[np.float64]:
    """As `pair_gains`, beside the contexts that act on a column."""
    gains, limits = pair_gains(space.score, space.statistics, space.run), space.limits
    for child in limits.changed().tolist():
        if space.run.must_stop():
            break
        free = limits.free_parents(child)
        gains[free, child] = space.scores.gains_of(child, limits.contexts_of(child), free)
    return gains


class _TablesOfPairs(NamedTuple):
    """Pairs of discrete columns in memory, of few levels each: all of a gain in one kernel, for threads."""

    masks: NDArray[np.uint64]
    first_mask: NDArray[np.int64]
    levels: NDArray[np.int64]
    bits: NDArray[np.int64]
    n_log_n: NDArray[np.float64]
    price: float
    alone: NDArray[np.float64]

    @classmethod
    def of(cls, score: Score, statistics: Statistics, alone: NDArray[np.float64]) -> "_TablesOfPairs | None":
        """Those of a wide table without weights, for a likelihood with a price; else None."""
        if type(statistics) is not MemoryStatistics or len(statistics.names) < FEWEST_COLUMNS:
            return None
        if type(score) is not Penalised or type(score.likelihood) is not Tables:
            return None
        masks, first_mask = statistics.masks
        if statistics.weights is not None or statistics.experiments is not None or (first_mask < 0).any():
            return None
        bits = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
        terms = score.likelihood.cell_terms(statistics).of(0)
        price = score.price.nats(statistics.size)
        return cls(masks, first_mask, statistics.levels, bits, terms, float(price), alone)

    def fill(self, first: int, end: int, gains: NDArray[np.float64]) -> None:
        """Write the gains of the children from `first` up to `end` by the columns behind them."""
        most = int(self.levels.max())
        pair_table_gains(*self, first, end, np.empty((most, most), dtype=np.int64), gains)


def is_symmetric(weights: NDArray[np.float64]) -> bool:
    """Whether both directions of each edge weigh the same; in blocks, as to cross a matrix is slow."""
    starts = range(0, len(weights), ROWS_AT_ONCE)
    blocks = (slice(start, start + ROWS_AT_ONCE) for start in starts)
    return all((weights[rows, rows.start :] == weights[rows.start :, rows].T).all() for rows in blocks)

"""Rows that follow each other are drawn in blocks, each a series of its own, so that none loses its past."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset
from structlearn.data.time_steps import time_steps
from structlearn.errors import DataError
from structlearn.learners.base import Learner
from structlearn.learners.ensemble.drawing import Draw, bootstrap
from structlearn.options import copy_of
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import rows_of
from structlearn.statistics.time_courses import labelled, times_of

Places = NDArray[np.int64]

MANY_SERIES = 10  # of so many, whole ones are drawn
LAGS_PER_BLOCK = 2  # blocks are longer than what rows remember
FEWEST_BLOCKS = 2  # to draw from


@dataclass(frozen=True, eq=False)
class RowsInBlocks:
    """A long table whose rows are drawn in blocks, each row with those that it is read with.

    `order` has the rows by series and time. What is read at once, number i, goes in `order` from `first[i]`
    to `last[i]` and is of the series `series[i]`; `length` is how many of them are a block, None for whole
    series. The learner takes each block for a series.
    """

    dataset: Dataset
    learner: Learner
    order: Places
    first: Places
    last: Places
    series: Places
    length: int | None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self.dataset.names

    def tables(self, draw: Draw, entropy: int, number: int) -> Iterator[tuple[Dataset, str]]:
        """The tables of the draw of a number, a series for each block, and in words what is in them."""
        starts, sizes = self._blocks(may_overlap=draw is bootstrap)
        for drawn in draw(entropy, number, len(starts)):
            chosen = drawn
            if draw is bootstrap and self.length is not None:  # as many lagged rows as there are
                n_drawn = np.searchsorted(np.cumsum(sizes[drawn]), len(self.last)) + 1
                chosen = drawn[:n_drawn]
            yield self._joined(starts[chosen], sizes[chosen]), f", of {len(chosen):,} blocks of rows,"

    def _blocks(self, *, may_overlap: bool) -> tuple[Places, Places]:
        """The first lagged row of each block that may be drawn, and how many it has."""
        begins = np.flatnonzero(np.diff(self.series, prepend=-1))
        ends = np.append(begins[1:], len(self.series))
        if self.length is None:
            return begins, ends - begins
        found = [
            np.arange(begin, max(end - self.length, begin) + 1)
            if may_overlap
            else np.arange(begin, end, self.length)
            for begin, end in zip(begins, ends, strict=True)
        ]
        starts = np.concatenate(found)
        end = np.repeat(ends, [len(each) for each in found])
        return starts, np.minimum(self.length, end - starts)

    def _joined(self, starts: Places, sizes: Places) -> Dataset:
        first, last = self.first[starts], self.last[starts + sizes - 1]
        rows = [self.order[a : b + 1] for a, b in zip(first, last, strict=True)]
        of_block = np.repeat(np.arange(len(rows), dtype=np.float64), [len(each) for each in rows])
        drawn, series = self.dataset.take(np.concatenate(rows)), self.learner.columns_aside()["series"]
        kept = [column for column in drawn.columns if column.name != series]
        columns = [*kept, ContinuousColumn(series, of_block)]
        return Dataset.from_columns(columns, weights=drawn.weights, inferred=drawn.inferred)


def courses_in_blocks(owner: str, learner: Learner, dataset: Dataset, n_before: int) -> RowsInBlocks:
    """The rows of time courses, each with those of so many times before it; replicates stay together."""
    aside = learner.columns_aside()
    time, series = aside.get("time"), aside.get("series")
    when = [name for name in (time, series) if name is not None]
    known = MemoryStatistics(dataset.select(when).complete(owner)) if when else None
    rows = rows_of(owner, known, range(len(when))).values if known is not None else None
    own = labelled(known, rows, series) if known and rows is not None and series is not None else None
    times = times_of(owner, known, rows, time) if known and rows is not None else None
    by_row = time_steps(owner, None, own, dataset.n_rows)
    codes = np.empty_like(by_row.series)
    codes[by_row.order] = by_row.series
    moments = np.arange(dataset.n_rows, dtype=np.float64) if times is None else times
    order = np.lexsort((moments, codes))
    is_new = (np.diff(codes[order], prepend=-1) != 0) | (np.diff(moments[order], prepend=np.nan) != 0.0)
    starts = np.flatnonzero(is_new)
    ends = np.append(starts[1:], dataset.n_rows) - 1
    of_series = codes[order][starts]
    at = np.arange(n_before, len(starts))
    at = at[of_series[at] == of_series[at - n_before]]
    length = block_length(owner, len(at), len(np.unique(of_series[at])), n_before)
    within = copy_of(learner).set_params(series=series or unused("block", dataset.names))
    return RowsInBlocks(dataset, within, order, starts[at - n_before], ends[at], of_series[at], length)


def block_length(owner: str, n_rows: int, n_series: int, n_before: int) -> int | None:
    """How many of the rows that are read with those before them make a block; None for whole series."""
    length: int = max(LAGS_PER_BLOCK * n_before, round(n_rows ** (1 / 3)))
    if n_series >= MANY_SERIES:
        return None
    if n_rows < FEWEST_BLOCKS * length:
        raise DataError(
            f"{owner}: {n_rows} rows with all lags are too few to draw blocks of {length} from, and "
            f"{n_series} series too few to draw whole ones, of which {MANY_SERIES} are needed."
        )
    return length


def unused(name: str, names: Sequence[str]) -> str:
    """The name, with marks behind it until no column has it."""
    while name in names:
        name += "_"
    return name

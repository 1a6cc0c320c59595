"""Rows in time are drawn in blocks, each a series of its own, so that no row loses what came before it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset, Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.graphs.lags import lag_facts, lagged_name
from structlearn.learners.ensemble.drawing import Draw, bootstrap
from structlearn.learners.time.learner import KnownInTime, TimeLearner
from structlearn.learners.time.options import AS_PREPARED
from structlearn.options import copy_of
from structlearn.statistics.lagged import steps_of_table

Places = NDArray[np.int64]

MANY_SERIES = 10  # of so many, whole ones are drawn
LAGS_PER_BLOCK = 2  # blocks are longer than what rows remember
FEWEST_BLOCKS = 2  # to draw from


@dataclass(frozen=True, eq=False)
class RowsInTime:
    """A long table whose rows are drawn in blocks: of lagged rows, each with the rows that it looks back to.

    `order` has the rows by series and time. Lagged row i looks at `order` from `first[i]` to `last[i]` and is
    of the series `series[i]`; `length` is that of a block, None for whole series.
    """

    dataset: Dataset
    learner: TimeLearner
    asked: tuple[int, ...]
    variables: tuple[str, ...]
    order: Places
    first: Places
    last: Places
    series: Places
    length: int | None

    @classmethod
    def of(cls, owner: str, learner: TimeLearner, dataset: Dataset, lags: tuple[int, ...]) -> "RowsInTime":
        """The rows that a learner would see, with all the lags that it looks at."""
        aside = learner.columns_aside()
        steps, is_in = steps_of_table(owner, dataset, **learner.when())
        reach = learner.lags_of_table(lags)
        at = steps.at_lags((0, *reach))
        at = at[is_in[at[:, 0]]]
        rank = np.empty_like(steps.order)
        rank[steps.order] = np.arange(len(rank))
        last, series = rank[at[:, 0]], steps.series[rank[at[:, 0]]]
        n_series = len(np.unique(series))
        length = max(LAGS_PER_BLOCK * max(reach), round(len(at) ** (1 / 3)))
        if n_series < MANY_SERIES and len(at) < FEWEST_BLOCKS * length:
            raise DataError(
                f"{owner}: {len(at)} rows with all lags are too few to draw blocks of {length} from, and "
                f"{n_series} series too few to draw whole ones, of which {MANY_SERIES} are needed."
            )
        if learner.equal_series and n_series < MANY_SERIES:
            raise OptionError(
                f"{owner}(equal_series=True): of fewer than {MANY_SERIES} series blocks are drawn, which do "
                "not count as series do."
            )
        names = tuple(name for name in dataset.names if name not in aside.values())
        within = copy_of(learner).set_params(
            lags=learner.lags if isinstance(learner.lags, Mapping) else list(lags),
            series=aside.get("series") or _unused("block", dataset.names),
            step=None if learner.time is None else steps.step,
            **AS_PREPARED,
        )
        first, whole = rank[at[:, -1]], n_series >= MANY_SERIES
        return cls(dataset, within, lags, names, steps.order, first, last, series, None if whole else length)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self.dataset.names

    def facts(self) -> dict[str, dict[str, str | int]]:
        """Those of the nodes of each graph that is learned, in their order."""
        return lag_facts(self.variables, (0, *self.asked))

    def knowledge(self, known: Knowledge) -> Knowledge:
        """What is known of the nodes: nothing acts on the past, and within a step what is said of columns."""
        tiers = [[lagged_name(each, lag) for each in self.variables] for lag in (*self.asked[::-1], 0)]
        now = KnownInTime.of(known, self.variables).forbidden_now | (not self.learner.within_step)
        pairs = [(self.variables[a], self.variables[b]) for a, b in np.argwhere(now).tolist() if a != b]
        return Knowledge(
            tiers=tiers,
            forbidden=[(lagged_name(a, 0), lagged_name(b, 0)) for a, b in pairs],
        )

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
        drawn = self.dataset.take(np.concatenate(rows))
        kept = [column for column in drawn.columns if column.name != self.learner.series]
        columns = [*kept, ContinuousColumn(self.learner.series or "", of_block)]
        return Dataset.from_columns(columns, weights=drawn.weights, inferred=drawn.inferred)


def _unused(name: str, names: tuple[str, ...]) -> str:
    while name in names:
        name += "_"
    return name

"""Lagged rows are drawn in blocks, each a series of its own, so that no row loses what came before it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from structlearn.data import Dataset, Knowledge
from structlearn.errors import OptionError
from structlearn.graphs.lags import lag_facts, lagged_name
from structlearn.learners.ensemble.rows_in_blocks import MANY_SERIES, RowsInBlocks, block_length, unused
from structlearn.learners.time.learner import KnownInTime, TimeLearner
from structlearn.learners.time.options import AS_PREPARED
from structlearn.options import copy_of
from structlearn.statistics.lagged import steps_of_table


@dataclass(frozen=True, eq=False)
class RowsInTime(RowsInBlocks):
    """A long table whose lagged rows are drawn in blocks, each with the rows that it looks back to."""

    learner: TimeLearner
    asked: tuple[int, ...]
    variables: tuple[str, ...]

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
        length = block_length(owner, len(at), n_series, max(reach))
        if learner.equal_series and n_series < MANY_SERIES:
            raise OptionError(
                f"{owner}(equal_series=True): of fewer than {MANY_SERIES} series blocks are drawn, which do "
                "not count as series do."
            )
        names = tuple(name for name in dataset.names if name not in aside.values())
        within = copy_of(learner).set_params(
            lags=learner.lags if isinstance(learner.lags, Mapping) else list(lags),
            series=aside.get("series") or unused("block", dataset.names),
            step=None if learner.time is None else steps.step,
            **AS_PREPARED,
        )
        return cls(dataset, within, steps.order, rank[at[:, -1]], last, series, length, lags, names)

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

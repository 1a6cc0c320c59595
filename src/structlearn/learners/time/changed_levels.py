"""A hint that what is learned of a series may not hold at all times: its level changes."""

import numpy as np

from structlearn.learners.rows_in_order import SHOWN
from structlearn.numerics.information.columns import average_ranks
from structlearn.numerics.level_shifts import level_shifts
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

FEWEST_ROWS = 100  # in fewer, series that remember look as if they changed
MOST_COLUMNS = 200  # a look takes no time


def warn_of_changed_levels(table: LaggedTable, run: Run) -> None:
    """Warn of columns whose mean changes once in the longest series, more than chance and memory explain."""
    kinds = table.statistics.kinds[: len(table.variables)]
    numbers = [j for j, kind in enumerate(kinds) if kind == "continuous" and not table.is_context[j]]
    rows = np.flatnonzero(table.series == np.bincount(table.series).argmax())
    if not 0 < len(numbers) <= MOST_COLUMNS or len(rows) < FEWEST_ROWS:
        return
    values = table.statistics.rows(numbers).values[rows]
    at, beyond = level_shifts(average_ranks(values.T).T)
    changed = np.flatnonzero(beyond > 0.0)
    if len(changed):
        worst = changed[np.argsort(-beyond[changed])]
        names = ", ".join(repr(table.variables[numbers[j]]) for j in worst[:SHOWN])
        others = " and others" if len(worst) > SHOWN else ""
        step, n_steps = int(at[worst[0]]) + table.lags[-1], len(rows) + table.lags[-1]
        run.warn(
            f"the level of {names}{others} changes, after {step:,} of {n_steps:,} steps: arrows may hold in "
            "one part only, or come of the change. Learn from each part by itself."
        )

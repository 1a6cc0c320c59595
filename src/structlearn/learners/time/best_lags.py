"""How many lags to look at: the best BIC, on one set of rows for all numbers of them."""

import numpy as np

from structlearn.learners.time.slices.best_slices import each_by_itself
from structlearn.numerics.autoregression import bic_of_order
from structlearn.search.space import Space
from structlearn.statistics.lagged import LaggedTable

STEPS_PER_LAG = 5  # of the longest series: it says something of a lag only if it is several long
ROWS_PER_COLUMN = 2  # of least squares on all lags


def most_lags(longest_run: int, max_lags: int) -> int:
    """How many lags are worth a look, at least one."""
    return max(min(max_lags, (longest_run - 1) // STEPS_PER_LAG), 1)


def order_by_regression(table: LaggedTable) -> int | None:
    """The number of lags whose regression of all on all has the best BIC; ties go to fewer.

    None where columns are states, or rows too few for that, or a column follows without error.
    """
    kinds = table.statistics.kinds[: len(table.variables)]
    now, past = table.values()
    chosen = np.flatnonzero((now != now[:1]).any(axis=0) & ~table.is_context)
    is_wide = len(now) < ROWS_PER_COLUMN * len(chosen) * len(table.lags)
    if "discrete" in kinds or is_wide or not len(chosen):
        return None
    bic = [bic_of_order(now[:, chosen], past[:, :k, chosen])[1] for k in range(1, len(table.lags) + 1)]
    return int(np.argmax(bic)) + 1 if np.isfinite(bic).all() else None


def furthest_parent(space: Space, table: LaggedTable) -> int:
    """The largest lag of a parent that any variable chooses by itself; 1 where none does.

    More lags only add families, so that the best score has no more lags than its parents reach back.
    """
    n = len(table.variables)
    chosen = [parent for parents in each_by_itself(space, n) for parent in parents]
    return max((table.lags[parent // n - 1] for parent in chosen if parent >= n), default=1)

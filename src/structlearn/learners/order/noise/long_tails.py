"""The level at which columns with long tails, shuffled, have hardly a parent."""

import numpy as np

from structlearn.learners.order.noise.sinks import Residuals, needed_parents, order_of_sinks
from structlearn.numerics.fourth_moments import FEWEST_DEVIATIONS, tails_of
from structlearn.run import Run
from structlearn.search.chance_price import LONG_TAILS
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import Statistics, rows_of

N_TABLES = 2
USUAL_LEVEL = 0.01


def level_by_tails(statistics: Statistics, residuals: Residuals, max_rows: int, run: Run) -> float:
    """The usual level or, where tails are long, that at which a shuffled table has one arc.

    What a curve has wrong by chance is largest in the rows far out, and what is left depends on them.
    """
    columns = residuals.columns.T
    if not (tails_of(columns, np.ones(columns.shape[1])) > FEWEST_DEVIATIONS).any():
        return USUAL_LEVEL
    p_values = sorted(p for seed in range(N_TABLES) for p in _of_chance(statistics, seed, max_rows, run))
    if len(p_values) < N_TABLES:
        return USUAL_LEVEL
    run.note(LONG_TAILS)
    return p_values[N_TABLES - 1]


def _of_chance(statistics: Statistics, seed: int, max_rows: int, run: Run) -> list[float]:
    """The p-values with which columns of a shuffled table keep parents."""
    table = shuffled(statistics, np.random.default_rng(seed))
    n_columns = len(table.names)
    residuals = Residuals(rows_of(run.owner, table, range(n_columns)).values, max_rows)
    nothing = np.zeros((n_columns, n_columns), dtype=np.bool_)
    order, _ = order_of_sinks(residuals, nothing, run)
    _, evidence = needed_parents(residuals, order, ~nothing, nothing, USUAL_LEVEL, run)
    return list(evidence.values())

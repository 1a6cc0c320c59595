"""What acts within a step beside the past: what regression leaves, and the effects along an order."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Edge
from structlearn.learners.order.noise.residuals import normality, warn_of_noise
from structlearn.learners.time.autoregression.options import SelectionOptions
from structlearn.learners.time.autoregression.sources import by_penalties
from structlearn.learners.time.learner import KnownInTime, graph_in_time
from structlearn.numerics.autoregression import LaggedRows, least_squares, reduced_form
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]
ROWS_PER_COLUMN = 2  # of least squares: with fewer, what it leaves has little of the noise


def innovations(table: LaggedTable, rows: LaggedRows, known: KnownInTime, run: Run) -> Floats:
    """What the past does not tell of each variable, standardised columns less their regression."""
    if rows.n_rows >= ROWS_PER_COLUMN * rows.past.shape[1]:
        found = np.zeros((rows.past.shape[1], rows.now.shape[1]))
        for targets, chosen in known.regressions(table.lags):
            part = replace(rows.only(chosen), now=rows.now[:, targets])
            found[:, targets] = least_squares(part).coefficients
    else:
        found = by_penalties(table, rows, known, SelectionOptions(), run).weights
    weights = table.dataset.weights
    left = rows.now - rows.past @ found
    return left if weights is None else left / np.sqrt(weights)[:, None]


def outcome_of_effects(table: LaggedTable, effects: Floats, order: NDArray[np.int64], run: Run) -> Outcome:
    """The graph of linear effects, (columns, columns) of the lagged table, in the units of the table."""
    n, n_lags = len(table.variables), len(table.lags)
    structural = effects[:n].reshape(n, 1 + n_lags, n).transpose(1, 0, 2)
    units = table.units()
    with np.errstate(over="ignore", invalid="ignore"):  # units of 1e150 by units of 1e-165
        scaled = structural * (units[:, None] / units)
        reduced = reduced_form(structural[0], structural[1:]) * (units[:, None] / units)
    names = table.statistics.names
    edges = [
        Edge(names[lag * n + j], names[i], weight=float(scaled[lag, i, j]))
        for lag, i, j in np.argwhere(structural).tolist()
    ]
    return Outcome(
        graph=graph_in_time(table.variables, table.lags, edges),
        status=run.status,
        by_pair={"coefficients": scaled, "reduced": reduced},
        by_node={"normality": _normality(table, effects, run)},
        extra={"order": tuple(table.variables[j] for j in order)},
    )


def _normality(table: LaggedTable, effects: Floats, run: Run) -> Floats:
    n, rows = len(table.variables), table.statistics.rows(range(len(effects))).values
    weights = np.ones(len(rows)) if table.dataset.weights is None else table.dataset.weights
    size = float(weights.sum())
    shares = weights / size
    left = rows[:, :n] - rows @ effects[:n].T
    left = left - shares @ left
    deviation = np.sqrt(shares @ np.square(left))
    is_noise = (deviation > 0.0) & (rows[:, :n] != rows[:1, :n]).any(axis=0) & ~table.is_context
    found, names = np.ones(n), [table.variables[j] for j in np.flatnonzero(is_noise)]
    noise = left[:, is_noise] / deviation[is_noise], shares, size
    found[is_noise] = normality(*noise) if run.must_stop() else warn_of_noise(names, *noise, run)
    return found

"""What a linear lagged network hands back."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Edge
from structlearn.graphs.lags import lagged_name
from structlearn.later import sparse
from structlearn.learners.time.autoregression.sources import Chosen
from structlearn.learners.time.learner import graph_in_time
from structlearn.numerics.autoregression import LaggedRows, spectral_radius
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]


def outcome_of(table: LaggedTable, rows: LaggedRows, chosen: Chosen, run: Run) -> Outcome:
    """The graph of the columns that are kept, and the fit of them in the units of the table."""
    units, weights = table.units(), chosen.weights
    scaled, constants = rows.in_units(weights)
    radius, covariance = math.nan, np.full((len(units), len(units)), math.nan)
    if run.must_stop():
        run.note("There was no time for the stability of the system and what it leaves of the columns.")
    else:
        radius = spectral_radius(scaled, table.lags)
        residuals = (rows.now - rows.past @ sparse.csc_matrix(weights)) * rows.scales
        covariance = residuals.T @ residuals / rows.n_rows
    with np.errstate(over="ignore", invalid="ignore"):  # units of 1e150 have squares beyond any number
        matrices, intercept = scaled * (units[:, None] / units), constants * units
        covariance = covariance * units * units[:, None]
    if radius >= 1.0 and chosen.is_in.any():
        run.warn(
            f"the system is not stable (an eigenvalue of modulus {radius:.3g}): the series may have a trend, "
            "or wander; difference=True learns from changes from step to step."
        )
    by_pair: dict[str, Any] = {"coefficients": matrices, "residual_covariance": covariance}
    by_node = {"intercept": intercept}
    if chosen.tests is not None:
        by_pair |= {"p_values": chosen.tests.p_value, "f": chosen.tests.f}
    if chosen.penalties is not None:
        by_node["penalty"] = chosen.penalties
    return Outcome(
        graph=graph_in_time(table.variables, table.lags, _arrows(table, chosen, matrices)),
        status=run.status,
        by_pair=by_pair,
        by_node=by_node,
        extra={"stability": radius},
    )


def _arrows(table: LaggedTable, chosen: Chosen, matrices: Floats) -> list[Edge]:
    n = len(table.variables)
    p_value = None if chosen.tests is None else chosen.tests.p_value
    return [
        Edge(
            lagged_name(table.variables[column % n], table.lags[column // n]),
            lagged_name(table.variables[target], 0),
            weight=float(matrices[column // n, target, column % n]),
            p_value=None if p_value is None else float(p_value[target, column % n]),
        )
        for target in range(n)
        for column in np.flatnonzero(chosen.is_in[:, target]).tolist()
    ]

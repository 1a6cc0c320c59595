"""A time limit ends a learner at once: late by a tenth of it, or by 0.3 seconds.

The clock is the CPU time of the process, without that of the compiler: what else the machine does is none
of a learner's business.
"""

import time

import numpy as np
import pytest

import structlearn as sl
from structlearn.compile import _spending
from tests.contracts.conftest import have_option

# What bounds the columns that a method takes at all, or that leave it time to begin.
MOST_COLUMNS = {"exact-search": 20, "exact-posterior": 18, "sgs": 18, "bounded-treewidth": 30}
MOST_LATE = 0.3


def chain_of(kind, n_columns, n_rows=1000, seed=0):
    """Columns that each depend on two before: enough to do for seconds."""
    rng = np.random.default_rng(seed)
    columns = [rng.normal(size=n_rows), rng.normal(size=n_rows)]
    for j in range(2, n_columns):
        near, far = columns[-1], columns[rng.integers(0, j - 1)]
        columns.append(0.6 * near + 0.6 * far + 0.7 * rng.normal(size=n_rows))
    if kind == "discrete":
        columns = [
            np.array(["low", "middle", "high"])[np.digitize(column, [-0.5, 0.7])] for column in columns
        ]
    return {f"v{j:03}": column for j, column in enumerate(columns)}


def cpu_clock():
    return time.process_time() - _spending.compiled


def check_limit(method, learner, kind, limit, monkeypatch):
    monkeypatch.setattr("structlearn.run._clock", cpu_clock)
    data = sl.Dataset(chain_of(kind, MOST_COLUMNS.get(method.name, 100)))
    learner.set_params(time_limit=0.05).fit(chain_of(kind, 6))  # loads what is loaded at first use
    started = cpu_clock()

    learner.set_params(time_limit=limit).fit(data)

    assert cpu_clock() - started <= limit + max(0.1 * limit, MOST_LATE)


# Others look at the clock between nodes, sweeps or batches, which may be longer.
STOPS_WITHIN = {"graphical-lasso", "log-linear-mrf", "l1mb"}
stop_within = pytest.mark.methods_that(
    lambda method: method.family in {"constraint", "score", "order"} or method.name in STOPS_WITHIN
)


@pytest.mark.slow
@stop_within
@have_option("time_limit")
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_time_limit_is_kept(method, learner, kind, monkeypatch):
    check_limit(method, learner, kind, 3.0, monkeypatch)

"""Tests of all pairs of continuous columns, alone and given one other, in one sweep."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.tails import t_tails
from structlearn.learners.constraint.kernels.first_order import smallest_first_order
from structlearn.rounding import DETERMINED
from structlearn.run import Pace, Run
from structlearn.statistics import Statistics
from structlearn.statistics.blocks import in_blocks

FIRST_ROWS, MOST_ROWS = 4, 4096  # before it is known how long a row takes, and however little it does


def first_order_p_values(
    statistics: Statistics, run: Run
) -> tuple[NDArray[np.float64], dict[str, list[int]]]:
    """The exact t-tests of order 0 and 1 of all pairs, without asking them one by one.

    Given one column all tests have the same degrees of freedom, so the smallest partial correlation
    has the largest p-value. What there is no time for has p-value 1.
    """
    correlation = statistics.moments().correlation
    n = len(correlation)
    smallest = np.zeros((n, n))
    a, b = np.triu_indices(n, k=1)
    p_value = np.ones(len(a))
    n_done, n_pairs, pace = 0, 0, Pace(FIRST_ROWS, most=MOST_ROWS)
    while n_done < n and not run.must_stop():
        start, n_done = n_done, min(n_done + pace.n_at_once, n)

        def fill(rows: slice, start: int = start) -> None:
            smallest_first_order(correlation, start + rows.start, start + rows.stop, DETERMINED, smallest)

        some = slice(n_pairs, n_pairs + int((n - 1 - np.arange(start, n_done)).sum()))
        with pace.keep(n_done - start):
            in_blocks(fill, n_done - start, cost=float(n) ** 2 * (n_done - start), n_jobs=statistics.n_jobs)
            p_value[some] = _t_p_values(correlation[a[some], b[some]], statistics.size - 2)
            if n > 2:
                given_one = _t_p_values(smallest[a[some], b[some]], statistics.size - 3)
                p_value[some] = np.maximum(p_value[some], given_one)
        n_pairs = some.stop
        run.show("given one other", n_done, n)
    return p_value, {"conditions": [0, 1], "tests": [n_pairs, n_pairs * max(n - 2, 0)]}


def _t_p_values(rho: NDArray[np.float64], dof: float) -> NDArray[np.float64]:
    left = np.maximum(1.0 - rho**2, np.finfo(float).tiny)
    return t_tails(rho * np.sqrt(dof / left), np.full(len(rho), dof))

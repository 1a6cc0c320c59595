"""The second half of PCMCI: each lagged link, given the parents of both of its ends."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.learners.time.learner import KnownInTime
from structlearn.learners.time.momentary.asked_links import Lag, LinkTests, conditions
from structlearn.numerics.multiplicity import Correction, adjusted
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]
ROWS_PER_CONDITION = 10  # with fewer, estimates of what conditions explain are mostly noise
ROWS_PER_LAG = 5  # a series that is not several lags long says nothing of them


@dataclass(frozen=True, slots=True)
class LaggedLinks:
    """The p-value of each link, (lags, targets, sources), raw and corrected; 1 where none was asked for."""

    p_value: Floats
    corrected: Floats


def lagged_links(
    tests: LinkTests,
    parents: Sequence[Sequence[Lag]],
    lags: Sequence[int],
    known: KnownInTime,
    run: Run,
    *,
    correction: Correction,
    most_of_source: int | None,
) -> LaggedLinks:
    """Test every link at every lag for momentary conditional independence."""
    n = len(tests.table.variables)
    variables = [i for i in range(n) if not tests.table.is_context[i]]
    asked = [(i, lag, j) for lag in lags for j in variables for i in variables if not known.forbidden[i, j]]
    asked = [] if run.must_stop() else asked
    given = [conditions(link, parents, most_of_source=most_of_source) for link in asked]
    warn_of_few_rows(tests.table.n_rows, max(map(len, given), default=0), run)
    run.show("links", 0, 1)
    found, _ = tests.ask(asked, given)
    p_value, corrected = np.ones((len(lags), n, n)), np.ones((len(lags), n, n))
    at = tuple(np.array([(lags.index(lag), j, i) for i, lag, j in asked], dtype=np.int64).reshape(-1, 3).T)
    p_value[at], corrected[at] = found, adjusted(found, correction)
    return LaggedLinks(p_value, corrected)


def refuse_short_series(owner: str, table: LaggedTable, most: int) -> None:
    """Refuse lags that are a fifth of the rows or more: tests would have next to none left."""
    n_rows = len(table.steps.index)
    if most * ROWS_PER_LAG > n_rows:
        raise DataError(
            f"{owner}(lags={most}): {n_rows} rows are too few, {most * ROWS_PER_LAG} are needed at least. "
            "Look at fewer lags."
        )


def warn_of_few_rows(n_rows: int, n_conditions: int, run: Run) -> None:
    """Warn where tests condition on much for the rows that there are."""
    if not run.must_stop() and n_rows < ROWS_PER_CONDITION * n_conditions:
        run.warn(
            f"{n_rows} rows are few for tests given {n_conditions} lagged columns. Lower alpha_pc or max_px, "
            "or look at fewer lags."
        )

"""The second half of PCMCI: each lagged link, given the parents of both of its ends."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data import DiscreteColumn
from structlearn.data.columns import Column
from structlearn.errors import DataError
from structlearn.learners.time.learner import KnownInTime
from structlearn.learners.time.momentary.asked_links import LaggedParents, LinkTests, Places, most_given
from structlearn.numerics.multiplicity import Correction, adjusted
from structlearn.run import Run, Status
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]
NONE_TESTED = "No link was tested."
ROWS_PER_CONDITION = 10  # with fewer, estimates of what conditions explain are mostly noise
MANY_COLUMNS, COLUMNS_AT_ONCE = 4000, 128  # fewer take a moment; a trial of so many as well
WORK_BESIDE = 2.0  # products are half of what correlations take
ROWS_PER_LAG = 5  # a series that is not several lags long says nothing of them


def lagged_links(
    tests: LinkTests,
    parents: LaggedParents,
    lags: Sequence[int],
    known: KnownInTime,
    run: Run,
    *,
    correction: Correction,
    most_of_source: int | None,
) -> Floats:
    """The corrected p-value of each link, (lags, targets, sources), given the parents of both of its ends.

    It is 1 where none was asked for, or time is up. Those of the lag 0 have no direction.
    """
    n = len(tests.table.variables)
    corrected = np.ones((len(lags), n, n))
    if run.must_stop():
        run.note(NONE_TESTED)
        return corrected
    variables = np.flatnonzero(~tests.table.is_context)
    past = [lag for lag in lags if lag]
    links = np.concatenate([_pairs_now(variables, known)] * (0 in lags) + [_links_from_the_past(past, known)])
    links = links[_vary(tests.table)[links[:, [0, 2]]].all(axis=1)]
    found, most = np.full(len(links), np.nan), 0
    for some, questions in parents.in_blocks(links, most_of_source=most_of_source):
        if run.must_stop():
            break
        run.show("links", some.start, len(links))
        found[some], _ = tests.ask(questions)
        most = max(most, most_given(questions))
    is_asked = ~np.isnan(found)
    note_untested(int(is_asked.sum()), len(links), run)
    warn_of_few_rows(tests.table.n_rows, most, run)
    source, lag, target = links[is_asked].T
    corrected[np.searchsorted(lags, lag), target, source] = adjusted(found[is_asked], correction)
    if 0 in lags:
        corrected[0] = np.minimum(corrected[0], corrected[0].T)
    return corrected


def _vary(table: LaggedTable) -> NDArray[np.bool_]:
    """Which variables have several values: links of others are no tests to correct for."""
    varies = np.array([_varies(column) for column in table.dataset.columns])
    return np.asarray(varies.reshape(-1, len(table.variables)).any(axis=0))


def _varies(column: Column) -> bool:
    values = column.codes if isinstance(column, DiscreteColumn) else column.values
    there = values if column.missing is None else values[~column.missing]
    return bool((there != there[:1]).any())


def _links_from_the_past(lags: Sequence[int], known: KnownInTime) -> Places:
    """Rows of a source, a lag and a target."""
    target, source = np.nonzero(~known.forbidden.T)
    repeated = np.tile(source, len(lags)), np.repeat(lags, len(source)), np.tile(target, len(lags))
    acts = known.acting(lags)[np.repeat(np.arange(len(lags)), len(source)), repeated[0]]
    return np.column_stack(repeated)[acts]


def _pairs_now(variables: Places, known: KnownInTime) -> Places:
    """Rows of a variable, the lag 0 and a later variable, unless neither may act on the other."""
    is_open = ~(known.forbidden_now & known.forbidden_now.T)[np.ix_(variables, variables)]
    first, second = (variables[at] for at in np.nonzero(np.triu(is_open, 1)))
    return np.column_stack([first, np.zeros_like(first), second])


def note_untested(n_asked: int, n_links: int, run: Run) -> None:
    """Say how many links there was time for; what nobody asked about is no link."""
    if n_asked < n_links:
        some = f"{n_asked:,} of {n_links:,} links were tested; the others are left out."
        run.note(some if n_asked else NONE_TESTED)


def refuse_short_series(owner: str, table: LaggedTable, most: int) -> None:
    """Refuse lags that are a fifth of the rows or more: tests would have next to none left."""
    n_rows = len(table.steps.index)
    if most * ROWS_PER_LAG >= n_rows:
        raise DataError(
            f"{owner}(lags={most}): {n_rows} rows are too few, {most * ROWS_PER_LAG + 1} are needed at "
            "least. Look at fewer lags."
        )


def stop_before_long_products(table: LaggedTable, run: Run) -> None:
    """End a run that has no time for the correlations of all columns, which come in one piece."""
    numbers = [j for j, kind in enumerate(table.statistics.kinds) if kind == "continuous"]
    if len(numbers) < MANY_COLUMNS:
        return
    values = table.statistics.rows(numbers).values
    some, times = values[:, :COLUMNS_AT_ONCE], WORK_BESIDE * len(numbers) / COLUMNS_AT_ONCE
    run.has_time_for(times, lambda: some.T @ values)


def warn_of_few_rows(n_rows: int, n_conditions: int, run: Run) -> None:
    """Warn where tests condition on much for the rows that there are."""
    if run.status is Status.COMPLETE and n_rows < ROWS_PER_CONDITION * n_conditions:
        run.warn(
            f"{n_rows} rows are few for tests given {n_conditions} lagged columns. Lower alpha_pc or max_px, "
            "or look at fewer lags."
        )

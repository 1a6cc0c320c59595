"""Values that are missing from series: each test uses the rows that have all of its columns."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import lagged_table
from tests.learners.time.series import autoregressive, named

CHAIN = np.diag([0.5, 0.5, 0.5, 0.5]) + 0.4 * np.eye(4, k=-1)


def gapped(rows, share, seed=0):
    """The table with so many of its values missing, by chance."""
    is_missing = np.random.default_rng(seed).uniform(size=rows.shape) < share
    return np.where(is_missing, np.nan, rows)


def test_what_is_missing_is_so_at_every_lag():
    rows = gapped(autoregressive([CHAIN], 30, np.random.default_rng(0)), 0.2)
    table = {**named(rows), "s": np.repeat(["a", "b"], 15), "m": np.tile([True, True, False], 10)}
    states = np.where(np.isnan(rows[:, 0]), None, np.where(rows[:, 0] > 0, "up", "down"))
    statistics = from_dataset(sl.Dataset({**table, "d": states}), missing="testwise")

    found = lagged_table("PCMCI", statistics, (1, 2), series="s", mask="m")

    at = [t for t in range(30) if t % 15 >= 2 and t % 3 < 2]
    for lag in (0, 1, 2):
        before = [t - lag for t in at]
        for j in range(4):
            column = found.dataset.columns[found.place(found.variables.index(f"v{j}"), lag)]
            values = (
                column.values if column.missing is None else np.where(column.missing, np.nan, column.values)
            )
            np.testing.assert_array_equal(values, rows[before, j])
        column = found.dataset.columns[found.place(found.variables.index("d"), lag)]
        assert column.decoded().tolist() == states[before].tolist()


def test_a_link_given_nothing_is_tested_by_the_rows_that_have_both_ends():
    rows = gapped(autoregressive([CHAIN], 120, np.random.default_rng(1)), 0.15)

    found = sl.PCMCI(missing="testwise", alpha_pc=0.0, correction="none").fit(named(rows))

    for i in range(4):
        for j in range(4):
            there = [t for t in range(2, 120) if not np.isnan([rows[t, i], rows[t - 1, j]]).any()]
            rho = np.corrcoef(rows[there, i], rows[np.array(there) - 1, j])[0, 1]
            z = np.sqrt(len(there) - 3) * np.arctanh(rho)
            assert found.p_values_[0, i, j] == pytest.approx(2 * stats.norm.sf(abs(z)))


@pytest.mark.filterwarnings("ignore:PCMCI. 10 rows are few")
def test_more_is_found_than_in_the_rows_that_miss_nothing():
    rows = gapped(autoregressive([CHAIN], 200, np.random.default_rng(2)), 0.2)
    table = {**named(rows), "t": np.arange(200)}
    true = {(f"v{j}[t-1]", f"v{i}[t]") for i in range(4) for j in (i - 1, i) if j >= 0}

    dropped, testwise = (sl.PCMCI(time="t", missing=missing).fit(table) for missing in ("drop", "testwise"))

    assert len(true & set(testwise.graph_.directed)) > len(true & set(dropped.graph_.directed))
    assert testwise.n_lagged_rows_ == 198
    assert dropped.n_lagged_rows_ == sum(not np.isnan(rows[t - 2 : t + 1]).any() for t in range(2, 200))
    plus = sl.PCMCI(time="t", missing="testwise", contemporaneous=True).fit(table)
    assert len(true & set(plus.graph_.directed)) >= 4


def test_a_variable_that_never_changes_within_a_series_is_context_with_gaps_too():
    rows = gapped(autoregressive([CHAIN], 80, np.random.default_rng(3)), 0.1)
    kept = np.where(np.arange(80) % 7 == 0, np.nan, np.repeat([1.5, 2.5, 3.5, 4.5], 20))

    found = sl.PCMCI(series="s", missing="testwise").fit(
        {**named(rows), "kept": kept, "s": np.repeat(list("abcd"), 20)}
    )

    assert not any("kept" in name for pair in found.graph_.directed for name in pair)


@pytest.mark.parametrize("options", [{"lags": "bic"}, {"alpha_pc": None}], ids=str)
def test_families_on_different_rows_are_not_compared(options):
    rows = gapped(autoregressive([CHAIN], 60, np.random.default_rng(0)), 0.1)

    with pytest.raises(sl.OptionError, match="on different rows cannot be compared"):
        sl.PCMCI(missing="testwise", **options).fit(named(rows))


def test_a_row_without_a_time_is_refused_with_its_number():
    rows = gapped(autoregressive([CHAIN], 60, np.random.default_rng(0)), 0.1)
    times = np.where(np.arange(60) == 17, np.nan, np.arange(60.0))

    with pytest.raises(sl.DataError, match=r"PCMCI\(time='t'\): the column misses a value in row 17"):
        sl.PCMCI(time="t", missing="testwise").fit({**named(rows), "t": times})


@pytest.mark.parametrize("learner", [sl.SparseVAR, sl.VARLiNGAM, sl.DynamicNetwork])
def test_methods_without_tests_have_no_rows_for_each(learner):
    with pytest.raises(sl.OptionError, match="missing"):
        learner(missing="testwise").fit(named(np.eye(4)))


def test_a_row_without_any_value_is_still_a_step():
    rows = autoregressive([CHAIN], 120, np.random.default_rng(3))
    rows[np.random.default_rng(4).choice(120, 30, replace=False)] = np.nan
    learner = sl.PCMCI(missing="testwise")

    found = learner.fit(named(rows))
    p_values, n_rows = found.p_values_, found.n_lagged_rows_

    timed = learner.set_params(time="t").fit({**named(rows), "t": np.arange(120)})
    assert n_rows == timed.n_lagged_rows_
    np.testing.assert_allclose(p_values, timed.p_values_)


@pytest.mark.parametrize("prepared", [{"difference": True}, {"trend": True}, {"season": 3}])
@pytest.mark.parametrize("method", [sl.DynamicNetwork, sl.SparseVAR, sl.PCMCI])
def test_a_gap_in_what_never_changes_within_a_series_leaves_it_so(method, prepared):
    rows = np.vstack([autoregressive([CHAIN], 30, np.random.default_rng(seed)) for seed in range(4)])
    dose = np.repeat([0.5, 1.5, 2.5, 1.5], 30)
    rows[:, 0] += dose
    rows[1:, 1] += dose[1:]
    table = named(rows) | {"dose": dose, "t": np.tile(np.arange(30), 4), "s": np.repeat(list("abcd"), 30)}
    gap = np.arange(120) == 29  # the last of its series, so that no row is left without its past

    learner = method(time="t", series="s", missing="drop", **prepared)
    found = learner.fit(table | {"dose": np.where(gap, np.nan, dose)}).graph_
    whole = method(time="t", series="s", **prepared).fit(table).graph_

    assert {pair for pair in found.directed if pair[1].startswith("dose")} == set()
    assert {pair for pair in whole.directed if pair[0].startswith("dose")} <= set(found.directed)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("learner", [sl.PCMCI, sl.SparseVAR, sl.VARLiNGAM, sl.DynamicNetwork])
@pytest.mark.parametrize("options", [{}, {"difference": True}])
def test_rows_left_out_are_on_lines_between_those_that_are_there(learner, options):
    rows = gapped(autoregressive([CHAIN], 120, np.random.default_rng(3)), 0.02)
    there = ~np.isnan(rows).any(axis=1)
    options = {"time": "t", "resample": True, "step": 1.0} | options

    found = learner(**options, missing="drop").fit({**named(rows), "t": np.arange(120.0)})

    assert found.graph_ == learner(**options).fit({**named(rows[there]), "t": np.flatnonzero(there)}).graph_
    with pytest.raises(sl.DataError, match="values are missing"):
        learner(**options).fit({**named(rows), "t": np.arange(120.0)})

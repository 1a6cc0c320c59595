"""Lagged tables: no row mixes two series or jumps a gap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data.time_steps import time_steps
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import checked_lags, lagged_table
from tests.learners.time.series import D, W


def lagged(table, lags, **options):
    known = from_dataset(sl.Dataset(table, kinds={name: "continuous" for name in table if name == "t"}))
    return lagged_table("Somebody", known, checked_lags(lags), **options)


SHORT = {"id": list("aaaaabb"), "t": [0, 1, 2, 4, 5, 0, 1], "x": [0.5, 1.5, 2.5, 4.5, 5.5, 10.5, 11.5]}


def test_a_row_needs_all_its_lags_within_its_series():
    one = lagged(SHORT, 1, time="t", series="id")

    now, past = one.values()
    assert now[:, 0].tolist() == [1.5, 2.5, 5.5, 11.5]
    assert past[:, 0, 0].tolist() == [0.5, 1.5, 4.5, 10.5]
    assert one.series.tolist() == [0, 0, 0, 1]
    assert one.statistics.names == ("x[t]", "x[t-1]")


def test_two_lags_leave_one_row_of_these_which_tells_nothing():
    steps = time_steps("Somebody", np.array(SHORT["t"], dtype=float), SHORT["id"], 7)

    assert steps.at_lags((0, 1, 2)).tolist() == [[2, 1, 0]]
    with pytest.raises(sl.DataError, match="of 7 rows one has its lags"):
        lagged(SHORT, 2, time="t", series="id")


def test_a_list_of_lags_needs_only_those():
    assert lagged(SHORT, [2], time="t", series="id").values()[0][:, 0].tolist() == [2.5, 4.5]


def test_series_are_not_glued():
    found = lagged(D, 1, time="t", series="id")
    names = found.statistics.names

    assert found.n_rows == 14
    assert found.statistics.counts([names.index("u[t-1]"), names.index("v[t]")]).tolist() == [[6, 0], [0, 8]]
    assert lagged({"u": D["u"], "v": D["v"]}, 1).n_rows == 15


@given(seed=st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_neither_the_order_of_rows_nor_the_names_of_series_matter(seed):
    order = np.random.default_rng(seed).permutation(16)
    table = {name: [column[i] for i in order] for name, column in D.items()}
    renamed = table | {"id": [{"first": "b", "second": "a"}[name] for name in table["id"]]}

    def rows(found):
        now, past = found.values()
        return sorted(np.column_stack([now, past[:, 0]]).tolist())

    expected = rows(lagged(D, 1, time="t", series="id"))
    assert rows(lagged(table, 1, time="t", series="id")) == expected
    assert rows(lagged(renamed, 1, time="t", series="id")) == expected


@pytest.mark.parametrize(("k", "n_left"), [(1, 9), (2, 7)])
def test_a_gap_costs_as_many_rows_more_as_there_are_lags(k, n_left):
    table = W | {"t": np.arange(12.0)}
    gap = {name: np.delete(column, 5) for name, column in table.items()}

    assert lagged(table, k, time="t").n_rows == 12 - k
    assert lagged(gap, k, time="t").n_rows == n_left


def test_the_step_is_the_smallest_difference_unless_another_is_given():
    times = {"t": [0.0, 0.5, 1.0, 2.0, 2.5], "x": [1.5, 2.0, 4.0, 3.0, 6.0]}

    found = lagged(times, 1, time="t")

    assert found.steps.step == 0.5
    assert found.n_rows == 3
    with pytest.raises(sl.DataError, match="longest run without a gap has 1 steps"):
        lagged(times, 1, time="t", step=0.25)


def test_times_in_the_billions_are_even_all_the_same():
    times = 1.7e9 + 0.1 * np.arange(50)

    assert time_steps("Somebody", times, None, 50, 0.1).index.tolist() == list(range(50))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"t": [0, 1, 1, 4, 5, 0, 1]}, "time 1 of series 'a' is there twice"),
        ({"t": [0, 1, 2.3, 4, 5, 0, 1]}, r"times are uneven: 2\.3 of series 'a' is no whole number of steps"),
        ({"t": list("abcdefg")}, "a time is a number, and column 't' holds 'a'"),
    ],
)
def test_times_that_tell_no_step_are_refused(change, said):
    table = sl.Dataset(SHORT | change) if isinstance(change["t"][0], str) else SHORT | change
    with pytest.raises(sl.DataError, match=said):
        sl.SparseVAR(time="t", series="id").fit(table)


def test_lags_that_no_row_has_are_refused_with_the_longest_possible():
    with pytest.raises(sl.DataError, match=r"none of 7 rows has its lags.*3 steps, so that lags go up to 2"):
        lagged(SHORT, 3, time="t", series="id")


def test_lags_that_are_long_for_so_few_rows_are_warned_of():
    with pytest.warns(sl.DataWarning, match="rows are few for 4 lags: 12"):
        sl.SparseVAR(lags=4).fit(W)


@pytest.mark.parametrize("lags", [0, [], [1, 0], 1.5, True, "many"])
def test_lags_are_whole_numbers_of_steps(lags):
    with pytest.raises(sl.OptionError, match="lags is how many steps back a cause may be"):
        sl.SparseVAR(lags=lags).fit(W)


def test_what_never_changes_within_a_series_is_context():
    table = D | {"site": ["north"] * 10 + ["south"] * 6}

    found = lagged(table, 1, time="t", series="id")

    assert dict(zip(found.variables, found.is_context.tolist(), strict=True)) == {
        "u": False,
        "v": False,
        "site": True,
    }


def test_rows_in_time_have_no_weights():
    with pytest.raises(sl.DataError, match="rows in time have no weights"):
        sl.SparseVAR().fit(sl.Dataset(W, weights=np.full(12, 2.0)))

"""Steps of time: rows of a long table are numbered within their series, whatever the times are written in."""

import re
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data.time_steps import refuse_too_long_lags, time_steps

MOMENTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 12)), min_size=1, max_size=20, unique=True
)


def numbered(moments, step=1.0):
    series, times = zip(*moments, strict=True)
    return time_steps("Somebody", np.array(times, dtype=float), series, len(moments), step)


@given(moments=MOMENTS, lags=st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True))
@settings(max_examples=60, deadline=None)
def test_rows_at_lags_are_those_that_a_dictionary_of_moments_finds(moments, lags):
    row_at = {moment: row for row, moment in enumerate(moments)}
    looked_up = [[row_at.get((name, t - lag)) for lag in lags] for name, t in sorted(moments)]

    assert numbered(moments).at_lags(lags).tolist() == [rows for rows in looked_up if None not in rows]


@given(moments=MOMENTS)
@settings(max_examples=40, deadline=None)
def test_the_longest_run_is_the_longest_that_counting_finds(moments):
    there = set(moments)
    runs = [next(n for n in range(1, 30) if (name, t + n) not in there) for name, t in moments]

    assert numbered(moments).longest_run() == max(runs)


@given(
    moments=MOMENTS,
    unit=st.sampled_from([1e-9, 1 / 3, 7.0, 86400.0]),
    start=st.sampled_from([0.0, -5.0, 1e3]),
)
@settings(max_examples=40, deadline=None)
def test_the_unit_of_times_and_where_they_begin_do_not_matter(moments, unit, start):
    there = sorted({*moments, ("a", 0), ("a", 1)})  # two steps that are one apart, so that the step shows
    names, times = [name for name, _ in there], np.array([float(t) for _, t in there])

    found = time_steps("Somebody", unit * (times + start), names, len(there))

    assert found.index.tolist() == numbered(there).index.tolist()
    assert found.step == pytest.approx(unit, rel=1e-6)


def test_each_series_counts_from_its_own_first_time():
    found = time_steps("Somebody", np.array([10.5, 0.0, 11.5, 1.0, 2.0]), list("babaa"), 5)

    assert found.order.tolist() == [1, 3, 4, 0, 2]
    assert found.index.tolist() == [0, 1, 2, 0, 1]


def test_names_of_series_that_are_numbers_are_ordered_as_numbers():
    assert time_steps("Somebody", None, [10, 2, 10, 1], 4).labels == (1, 2, 10)
    assert time_steps("Somebody", None, ["x", 2, "x", 10], 4).labels == (2, 10, "x")


def test_without_times_rows_of_a_series_follow_each_other_whatever_stands_between():
    found = time_steps("Somebody", None, list("abbab"), 5)

    assert found.order.tolist() == [0, 3, 1, 2, 4]
    assert found.index.tolist() == [0, 1, 0, 1, 2]
    assert found.at_lags((0, 2)).tolist() == [[4, 1]]


@pytest.mark.parametrize(("start", "step"), [(1.7e9, 0.1), (1.7e9, 1 / 60), (2e4, 1 / 1440), (0.0, 1 / 3)])
def test_what_rounding_takes_from_a_step_does_not_add_up_over_many(start, step):
    steps = np.delete(np.arange(5000), [7, 8, 4000])

    found = time_steps("Somebody", start + step * steps, None, len(steps))

    assert found.index.tolist() == steps.tolist()
    assert found.step == pytest.approx(step, rel=1e-8)


@pytest.mark.parametrize("late", [1e-3, 1e-2, 0.3])
def test_a_clock_that_is_late_is_no_rounding(late):
    times = np.arange(100.0)
    times[50] += late

    with pytest.raises(sl.DataError, match="times are uneven"):
        time_steps("Somebody", times, None, 100)


def test_a_step_that_no_two_times_have_must_be_given():
    times = np.array([0.0, 2.0, 5.0])

    with pytest.raises(sl.DataError, match="times are uneven: 5 is no whole number of steps of 2 after"):
        time_steps("Somebody", times, None, 3)
    assert time_steps("Somebody", times, None, 3, 1.0).index.tolist() == [0, 2, 5]


def test_series_of_one_time_each_have_a_step_of_one_and_no_lags():
    found = time_steps("Somebody", np.array([3.0, 8.25]), ["p", "q"], 2)

    assert (found.step, found.longest_run()) == (1.0, 1)
    assert found.at_lags((0, 1)).shape == (0, 2)
    with pytest.raises(
        sl.DataError, match=r"none of 2 rows has its lags, up to 1 .*has 1 steps, too few for any lag"
    ):
        refuse_too_long_lags("Somebody", found, (1,), 0)


@pytest.mark.parametrize(
    ("series", "of"), [(None, ""), ([1.5] * 2, " of series 1.5"), ([7] * 2, " of series 7")]
)
def test_a_time_that_is_there_twice_is_named_with_its_series(series, of):
    with pytest.raises(sl.DataError, match=f"time 4{of} is there twice"):
        time_steps("Somebody", np.array([4.0, 4.0]), series, 2)


def test_time_stamps_are_steps_of_days():
    rng = np.random.default_rng(0)
    minutes = np.datetime64("2024-02-28T23:00") + np.delete(np.arange(301), 60)  # over a leap day
    table = {"t": minutes, "x": rng.normal(size=300), "y": rng.normal(size=300)}

    learner = sl.SparseVAR(time="t").fit(table)

    assert learner.step_ == pytest.approx(1 / 1440, rel=1e-9)
    assert learner.n_lagged_rows_ == 300 - 1 - 1
    with pytest.raises(sl.DataError, match=r"dates='days' makes them days .* time of rows, time='t'\.$"):
        sl.Dataset(table)


@pytest.mark.parametrize(
    ("first", "days_later"),
    [("2023-11-15", 0), ("2023-11-01", 0), ("2023-12-01", -1)],
    ids=["on one day of the month", "on the first", "on the last"],
)
def test_times_that_are_months_apart_are_steps_of_months_in_writing_and_as_dates(first, days_later):
    rng = np.random.default_rng(0)
    months = (np.datetime64(first[:7]) + np.arange(41).astype("timedelta64[M]")).astype("datetime64[D]")
    dates = np.delete(months + np.timedelta64(int(first[-2:]) - 1 + days_later, "D"), 20)
    table = {"x": rng.normal(size=40), "y": rng.normal(size=40)}

    for times in (dates, dates.astype(str)):
        found = sl.SparseVAR(time="t").fit({"t": times, **table})
        assert (found.step_, found.n_lagged_rows_) == (1.0, 40 - 1 - 1)


HOURS = [datetime(2024, 1, 1, hour, tzinfo=UTC) for hour in range(20)]
IN_BERLIN = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    "later",
    [
        HOURS[7].astimezone(IN_BERLIN),
        HOURS[7].replace(tzinfo=None),
        "2024-01-01 08:00:00+0100",
        "2024-01-01 07:00",
    ],
    ids=str,
)
def test_times_of_two_zones_are_refused_with_two_rows(later):
    times = [str(each) if isinstance(later, str) else each for each in HOURS]
    rows = np.random.default_rng(0).normal(size=(20, 2))
    table = {"t": times, "x": rows[:, 0], "y": rows[:, 1]}

    assert sl.SparseVAR(time="t").fit(table).n_lagged_rows_ == 19
    times[7] = later
    two = re.escape(f"'{HOURS[0]}' in row 0 and '{later}' in row 7")
    with pytest.raises(sl.DataError, match=f"'t' has times of different zones: {two}"):
        sl.SparseVAR(time="t").fit(table)


@pytest.mark.parametrize("every", ["h", "30min", "D", "MS"])
def test_clocks_that_change_neither_repeat_nor_skip_a_step(every):
    """Hours are instants, in a zone whose clocks go back in between; days and months a calendar's."""
    times = pd.date_range("2021-10-30 00:00", periods=60, freq=every, tz="Europe/Berlin")
    x, y = np.random.default_rng(0).normal(size=(2, 60))

    assert sl.SparseVAR(time="t").fit(pd.DataFrame({"t": times, "x": x, "y": y})).n_lagged_rows_ == 59


def test_the_same_zone_may_be_written_in_two_ways():
    times = [f"31-12-2024 {hour:02}:00{'Z' if hour % 2 else '+00:00'}" for hour in range(20)]
    x = np.random.default_rng(0).normal(size=20)

    assert sl.SparseVAR(time="t").fit({"t": times, "x": x, "y": x[::-1]}).n_lagged_rows_ == 19


def test_series_named_by_dates_are_labels():
    days, x = (
        np.repeat(["2024-01-01", "2024-01-02", "2024-01-05"], 20),
        np.random.default_rng(0).normal(size=60),
    )

    found = sl.SparseVAR(series="day").fit({"day": days.astype("datetime64[D]"), "x": x, "y": x[::-1]})

    assert found.n_lagged_rows_ == 60 - 3


def test_durations_are_days_though_some_would_be_months_as_dates():
    rng = np.random.default_rng(0)
    times = np.array([31 * i for i in range(30)], dtype="timedelta64[D]")

    found = sl.SparseVAR(time="t").fit({"t": times, "x": rng.normal(size=30), "y": rng.normal(size=30)})

    assert (found.step_, found.n_lagged_rows_) == (31.0, 29)

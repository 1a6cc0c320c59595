"""Dates and times are refused with what to make of them, and made into that where it is said."""

from datetime import UTC, date, datetime, time, timedelta

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from structlearn.data import Dataset
from structlearn.errors import DataError

DAYS = [date(2020, 1, 30), date(2020, 2, 2), date(2021, 1, 30)]  # a Thursday, a Sunday, a Saturday


def made(words, how):
    return Dataset({"d": words}, dates=how).to_dict()["d"].tolist()


@pytest.mark.parametrize(
    "words",
    [
        pytest.param([f"{day}" for day in DAYS], id="ISO"),
        pytest.param([f"{day:%Y/%m/%d}" for day in DAYS], id="slashes"),
        pytest.param([f"{day:%d.%m.%Y}" for day in DAYS], id="points"),
        pytest.param([f"{day:%m/%d/%Y}" for day in DAYS], id="American"),
        pytest.param([f"{day:%d/%m/%y}" for day in DAYS], id="two digits of the year"),
        pytest.param([f"{day:%d-%b-%Y}" for day in DAYS], id="month by name"),
        pytest.param([f"{day:%B %d, %Y}" for day in DAYS], id="in words"),
        pytest.param([f"{day}T00:00:00Z" for day in DAYS], id="with a time"),
        pytest.param([f"{day:%d.%m.%Y} 00:00" for day in DAYS], id="points and a time"),
        pytest.param(DAYS, id="dates of Python"),
        pytest.param([datetime(d.year, d.month, d.day, tzinfo=UTC) for d in DAYS], id="with a zone"),
        pytest.param(np.array(DAYS, dtype="datetime64[ns]"), id="numpy"),
        pytest.param(pd.Series(pd.to_datetime(DAYS)), id="pandas"),
        pytest.param(pl.Series(DAYS), id="polars"),
    ],
)
def test_a_date_in_any_writing_becomes_what_is_asked_for(words):
    assert made(words, "days") == [0.0, 3.0, 366.0]
    assert made(words, "year") == [2020, 2020, 2021]
    assert made(words, "month") == [1, 2, 1]
    assert made(words, "weekday") == ["Thursday", "Sunday", "Saturday"]
    assert Dataset({"d": words, "x": [1, 2, 3]}, dates="drop").names == ("x",)
    assert len(set(made(words, "text"))) == 3


def test_days_of_the_week_stand_in_their_order_and_hours_are_categories():
    week = [date(2020, 1, 1 + i) for i in range(7)]
    hours = [f"2020-01-01 {i:02}:30" for i in range(24)]

    assert Dataset({"d": week}, dates="weekday").labels["d"][:2] == ("Monday", "Tuesday")
    assert Dataset({"d": hours}, dates="hour").labels["d"] == tuple(range(24))


@pytest.mark.parametrize(
    "times",
    [
        ["06:30", "18:45:00", "9:15"],
        ["6:30 AM", "6:45 pm", "9:15 a.m."],
        [time(6, 30), time(18, 45), time(9, 15)],
    ],
    ids=str,
)
def test_times_of_a_day_have_an_hour_and_no_month(times):
    assert made(times, "hour") == [6, 18, 9]
    assert made(times, "days") == pytest.approx([0, 12.25 / 24, 2.75 / 24])
    with pytest.raises(DataError, match="times of a day, which have no month"):
        made(times, "month")


def test_durations_are_numbers_of_days_or_labels_and_have_no_year():
    stays = [timedelta(hours=12), timedelta(days=400), None]

    assert made(stays, "days")[:2] == [0.0, 399.5]
    assert made(stays, "text")[:2] == ["12:00:00", "400 days, 0:00:00"]
    for part in ("year", "month", "weekday", "hour"):
        with pytest.raises(DataError, match=f"durations, which have no {part}. Say dates='days' or 'text'"):
            made(stays, part)
    with pytest.raises(DataError, match=r"holds durations.* days beyond the shortest; dates='text'"):
        Dataset({"d": stays})


def test_days_before_1970_have_a_year():
    assert made(["1931-05-01", "1969-12-31"], "year") == [1931, 1969]


MOMENTS = [datetime(2024, 1, 1, 0, 1, 2, 250_000), datetime(2024, 1, 1, 0, 1, 2, 750_000)]  # noqa: DTZ001, clocks
SPANS = [each - datetime(2024, 1, 1) for each in MOMENTS]  # noqa: DTZ001, as above


@pytest.mark.parametrize(
    "words",
    [
        pytest.param([f"{each:%Y-%m-%d %H:%M:%S.%f}" for each in MOMENTS], id="in writing"),
        pytest.param(["00:01:02.25", "0:01:02,75"], id="times of a day in writing"),
        pytest.param(MOMENTS, id="of Python"),
        pytest.param([each.time() for each in MOMENTS], id="times of a day"),
        pytest.param(SPANS, id="durations"),
        pytest.param(np.array(MOMENTS, dtype="datetime64[ns]"), id="numpy"),
        pytest.param(pd.Series(MOMENTS), id="pandas"),
        pytest.param(pd.Series(SPANS), id="pandas, durations"),
        pytest.param(pd.Series(MOMENTS).dt.tz_localize("Asia/Tokyo"), id="pandas, with a zone"),
        pytest.param(pl.Series(MOMENTS), id="polars"),
    ],
)
def test_fractions_of_a_second_are_kept(words):
    assert made(words, "days") == pytest.approx([0.0, 0.5 / 86400], rel=1e-9)
    assert len(set(made(words, "text"))) == 2


def test_durations_among_dates_are_refused():
    with pytest.raises(DataError, match="'d' has durations or times of a day among its dates"):
        made([datetime(2020, 1, 1, tzinfo=UTC), timedelta(days=1)], "days")


def test_dates_are_refused_where_nothing_is_said():
    days = [f"2020-01-{1 + i:02}" for i in range(30)]

    with pytest.raises(
        DataError, match=r"'d' holds dates or times, such as '2020-01-01'.*dates='month'.*drop=\['d'\]"
    ):
        Dataset({"d": days})
    assert len(Dataset({"d": days}, kinds={"d": "discrete"}).labels["d"]) == 30
    assert Dataset({"d": days}, kinds={"d": "continuous"}).to_dict()["d"].tolist() == list(range(30))
    assert Dataset({"d": days, "x": ["u", "v"] * 15}, drop=["d"]).names == ("x",)


def test_a_few_dates_that_come_again_are_labels_unless_something_is_said():
    waves = ["2020-01-01", "2021-01-01"] * 3

    assert Dataset({"wave": waves}).labels == {"wave": ("2020-01-01", "2021-01-01")}
    assert Dataset({"wave": waves}, dates="year").labels == {"wave": (2020, 2021)}


def test_words_of_which_one_is_no_date_stay_words():
    words = [f"2020-01-{1 + i:02}" for i in range(20)] + ["never"]

    assert Dataset({"d": words}, kinds={"d": "discrete"}).to_dict()["d"].tolist() == words


def test_a_day_that_cannot_be_told_from_the_month_is_asked_for():
    words = ["03/04/2020", "05/06/2020", "07/08/2020"]

    with pytest.raises(DataError, match="'03/04/2020', of which none tells the day from the month"):
        made(words, "days")
    with pytest.raises(DataError, match="a date that does not exist"):
        made(["2020-02-30", "2020-02-28", "2020-02-01"], "days")


@pytest.mark.parametrize("mark", ["NA", "?", "-"])
def test_marks_of_missing_values_among_dates_are_missing(mark):
    words = [mark, *(f"2020-01-{1 + i:02}" for i in range(30)), mark]

    with pytest.raises(DataError, match="'d' holds dates or times, such as '2020-01-01'"):
        Dataset({"d": words})
    found = Dataset({"d": words}, dates="days")
    assert found.missing == {"d": 2}
    assert found.to_dict()["d"][1:4].tolist() == [0.0, 1.0, 2.0]


def test_a_database_has_dates_too():
    relation = duckdb.sql(
        "SELECT DATE '2020-01-30' AS d, TIMESTAMP '2020-01-30 05:00' AS t, TIME '06:30' AS c, 1.5 AS x "
        "UNION ALL SELECT NULL, NULL, NULL, 2.5"
    )

    found = Dataset(relation, dates="hour")

    assert found.missing == {"d": 1, "t": 1, "c": 1}
    assert {name: column[0] for name, column in found.to_dict().items()} == {"d": 0, "t": 5, "c": 6, "x": 1.5}


def test_dates_among_other_values_are_refused():
    with pytest.raises(DataError, match="'d' has dates or times among other values"):
        Dataset({"d": [date(2020, 1, 1), "soon"]})

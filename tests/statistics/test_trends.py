"""Lines and seasons taken out of long tables, beside plain regressions and means."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.statistics.trends import detrended

WHEN = {"time": None, "series": None, "step": None, "mask": None}
rng = np.random.default_rng(0)
ROWS = rng.normal(size=48)


def left(table, *, trend=False, season=None, until=np.inf, **when):
    found = detrended("Somebody", sl.Dataset(table), WHEN | when, trend=trend, season=season, until=until)
    return found.column("x").values


def test_a_trend_is_the_line_of_least_squares():
    t = np.arange(48)
    line = np.polynomial.Polynomial.fit(t, ROWS + 0.3 * t, 1)

    assert left({"x": ROWS + 0.3 * t}, trend=True) == pytest.approx(ROWS + 0.3 * t - line(t))


def test_a_season_is_the_mean_of_each_of_its_steps():
    x = ROWS + np.tile([5.0, 0.0, -5.0, 1.0], 12)
    means = x.reshape(12, 4).mean(axis=0)

    assert left({"x": x}, season=4) == pytest.approx(x - np.tile(means, 12))


def test_both_together_are_one_regression():
    t = np.arange(48)
    x = ROWS + 0.3 * t + np.tile([5.0, 0.0, -5.0], 16)
    design = np.column_stack([t, t % 3 == 0, t % 3 == 1, t % 3 == 2]).astype(float)
    by_hand = x - design @ np.linalg.solve(design.T @ design, design.T @ x)

    assert left({"x": x}, trend=True, season=3) == pytest.approx(by_hand)


def test_seasons_are_those_of_the_calendar_whenever_a_series_begins_and_in_whatever_order_rows_stand():
    season = np.array([5.0, 0.0, -5.0, 1.0])
    t = np.concatenate([np.arange(0, 24), np.arange(3, 27)])
    order = np.random.default_rng(1).permutation(48)
    table = {"x": (ROWS + season[t % 4])[order], "t": (t / 2)[order], "id": np.repeat(["a", "b"], 24)[order]}

    found = left(table, season=4, time="t", series="id")

    by_hand = ROWS - np.array([ROWS[t % 4 == k].mean() for k in range(4)])[t % 4]
    assert found == pytest.approx(by_hand[order])


def test_what_comes_later_says_nothing_of_the_trend_before():
    t = np.arange(48.0)
    x = np.where(t < 30, 2.0 * t, 1000.0) + ROWS
    line = np.polynomial.Polynomial.fit(t[:30], x[:30], 1)

    assert left({"x": x}, trend=True, until=30.0) == pytest.approx(x - line(t))


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_a_line_and_a_wave_leave_nothing_at_all(scale):
    t = np.arange(48)

    assert (left({"x": scale * (0.1 + 0.7 * t)}, trend=True) == 0.0).all()
    assert (left({"x": scale * np.tile([0.1, 0.2, 0.7], 16)}, season=3) == 0.0).all()


def test_missing_values_stay_missing_and_the_others_tell_the_trend():
    x = ROWS + 0.5 * np.arange(48)
    x[[3, 20]] = np.nan
    there = ~np.isnan(x)
    line = np.polynomial.Polynomial.fit(np.flatnonzero(there), x[there], 1)

    dataset = detrended("Somebody", sl.Dataset({"x": x}), WHEN, trend=True, season=None)

    assert np.flatnonzero(dataset.column("x").missing).tolist() == [3, 20]
    assert dataset.column("x").values[there] == pytest.approx(x[there] - line(np.flatnonzero(there)))


def test_states_and_what_never_changes_within_a_series_stay():
    table = {
        "x": ROWS,
        "u": ["yes", "no"] * 24,
        "site": np.repeat([1.5, 2.5], 24),
        "id": np.repeat([0, 1], 24),
    }

    found = detrended("Somebody", sl.Dataset(table), WHEN | {"series": "id"}, trend=True, season=2)

    assert found.column("site").values.tolist() == table["site"].tolist()
    assert [found.column("u").labels[code] for code in found.column("u").codes] == table["u"]


def test_few_seasons_and_few_rows_are_refused():
    with pytest.raises(sl.DataError, match=r"season=12\): there are 23 steps.*shows in 24 or more"):
        left({"x": ROWS[:23]}, season=12)
    with pytest.raises(sl.DataError, match=r"3 rows are too few.*4 are needed"):
        left({"x": ROWS[:3]}, trend=True)

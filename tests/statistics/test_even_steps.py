"""Uneven times at even steps, and changes from step to step: by hand, series by series."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.statistics.even_steps import differenced, resampled

WHEN = {"time": "t", "series": "id", "step": None, "mask": None}
UNEVEN = {
    "id": ["b", "a", "a", "a", "b", "b"],
    "t": [10.0, 0.0, 2.5, 4.0, 12.0, 14.0],
    "x": [1.0, 0.0, 5.0, 2.0, 3.0, 7.0],
    "state": ["on", "off", "on", "off", "off", "on"],
}


def as_dataset(table):
    return sl.Dataset(table, kinds={name: "continuous" for name in "tx" if name in table})


def test_numbers_are_on_lines_between_rows_and_states_are_as_they_last_were():
    found = resampled("Somebody", as_dataset(UNEVEN), WHEN).to_dict()  # between rows: 2.5, 1.5, 2, 2

    assert found["id"].tolist() == ["a"] * 3 + ["b"] * 3
    assert found["t"].tolist() == [0.0, 2.0, 4.0, 10.0, 12.0, 14.0]
    assert found["x"].tolist() == [0.0, 4.0, 2.0, 1.0, 3.0, 7.0]
    assert found["state"].tolist() == ["off", "off", "off", "on", "off", "on"]


def test_the_step_may_be_another_and_what_is_even_stays():
    found = resampled("Somebody", as_dataset(UNEVEN), WHEN | {"step": 1.0}).to_dict()
    again = resampled("Somebody", as_dataset(found), WHEN).to_dict()

    assert found["t"].tolist() == [0.0, 1, 2, 3, 4, 10, 11, 12, 13, 14]
    assert found["x"].tolist() == pytest.approx([0.0, 2, 4, 4, 2, 1, 2, 3, 5, 7])
    assert all(again[name].tolist() == found[name].tolist() for name in found)


@pytest.mark.parametrize("step", [0.1, 1 / 3])
def test_rounding_loses_no_last_step(step):
    table = {"t": step * np.arange(31) + 1e6, "x": np.arange(31.0)}

    found = resampled("Somebody", as_dataset(table), WHEN | {"series": None, "step": step})

    assert found.n_rows == 31


def test_changes_are_those_of_a_series_and_of_no_gap():
    table = UNEVEN | {"t": [0.0, 0.0, 1.0, 3.0, 1.0, 2.0], "site": [2.5, 1.5, 1.5, 1.5, 2.5, 2.5]}

    found = differenced("Somebody", as_dataset(table), WHEN).to_dict()

    assert found["id"].tolist() == ["a", "b", "b"]  # a has no step 2
    assert found["t"].tolist() == [1.0, 1.0, 2.0]
    assert found["x"].tolist() == [5.0, 2.0, 4.0]
    assert found["state"].tolist() == ["on", "off", "on"]
    assert found["site"].tolist() == [1.5, 2.5, 2.5]  # it never changes


def test_a_change_from_or_to_what_is_missing_is_missing():
    table = {"x": [1.0, 2.0, np.nan, 5.0, 9.0]}

    found = differenced("Somebody", as_dataset(table), dict.fromkeys(WHEN))

    assert found.column("x").missing.tolist() == [False, True, True, False]
    assert found.column("x").values[[0, 3]].tolist() == [1.0, 4.0]


def test_what_has_no_times_or_no_steps_is_refused():
    with pytest.raises(sl.OptionError, match=r"resample=True\): name the column with the times as time="):
        resampled("Somebody", as_dataset(UNEVEN), dict.fromkeys(WHEN))
    with pytest.raises(sl.DataError, match="time 0 of series 'a' is there twice"):
        resampled("Somebody", as_dataset(UNEVEN | {"t": [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]}), WHEN)
    with pytest.raises(sl.DataError, match="no row has the step before it"):
        differenced("Somebody", as_dataset(UNEVEN | {"id": list("abcdef")}), WHEN)

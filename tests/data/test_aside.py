"""Columns that are set aside are warned of as what they say of a row, and not as variables."""

import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.data.aside import setting_aside
from structlearn.errors import DataWarning

N_SERIES = 150
X = np.random.default_rng(0).normal(size=3 * N_SERIES)
NAMES = {
    "words": [f"id{i}" for i in range(N_SERIES)],
    "numbers": list(range(N_SERIES)),
    "digits": [f"{i}" for i in range(N_SERIES)],
    "digits and a word": ["x", *(f"{i}" for i in range(1, N_SERIES))],
    "few digits and a word": ["1", "2", "x"] * (N_SERIES // 3),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES.keys())
@pytest.mark.parametrize("role", ["series", "targets", "replicates", "row_names"])
def test_nothing_is_said_of_names_of_rows(names, role):
    table = {"patient": [name for name in names for _ in range(3)], "x": X}

    with warnings.catch_warnings(), setting_aside({role: "patient"}):
        warnings.simplefilter("error")
        found = sl.Dataset(table)

    assert found.column("patient").decoded().tolist() == table["patient"]


@pytest.mark.parametrize("role", ["time", "mask"])
def test_nothing_is_said_of_a_column_that_rises_and_numbers_the_rows(role):
    with warnings.catch_warnings(), setting_aside({role: "day"}):
        warnings.simplefilter("error")
        sl.Dataset({"day": range(N_SERIES), "x": X[:N_SERIES]})


def test_other_columns_are_warned_of_as_ever():
    names = [name for name in NAMES["words"] for _ in range(3)]

    with (
        setting_aside({"series": "patient"}),
        pytest.warns(DataWarning, match="'doctor' has 150 different words"),
    ):
        sl.Dataset({"patient": names, "doctor": names, "x": X})


def test_names_of_series_that_may_be_one_or_none_are_still_pointed_out():
    with setting_aside({"series": "patient"}):
        with pytest.warns(DataWarning, match="'NA' among its labels"):
            sl.Dataset({"patient": ["1", "2", "NA"] * N_SERIES, "x": X})
        with pytest.warns(DataWarning, match="'Ann' and 'ann'"):
            sl.Dataset({"patient": ["Ann", "ann", "Bea"] * N_SERIES, "x": X})


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES.keys())
def test_methods_in_time_take_any_names_of_series_without_a_word(names):
    table = {
        "visit": np.tile(range(3), N_SERIES) + 3 * np.repeat(range(N_SERIES), 3),
        "patient": np.repeat(np.array(names, dtype=object), 3),
        "x": X,
        "y": X[::-1],
    }
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*'patient'")
        found = sl.SparseVAR(time="visit", series="patient").fit(table)

    assert found.graph_.nodes == ("x[t-1]", "y[t-1]", "x[t]", "y[t]")

"""A description counts what is there."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structlearn.data import Dataset
from structlearn.data.describe import describe


@given(values=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30))
def test_shares_are_those_of_the_commonest_labels(values):
    [column] = describe(Dataset({"x": values}, kinds={"x": "discrete"})).columns
    counted = sorted((-values.count(label), label) for label in set(values))[:4]

    assert column.levels == len(set(values))
    assert column.shares == tuple((label, pytest.approx(-count / len(values))) for count, label in counted)


@given(values=st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30))
def test_numbers_are_summarised_by_ends_mean_and_deviation(values):
    [column] = describe(Dataset({"x": [*values, None]}, kinds={"x": "continuous"})).columns

    assert (column.minimum, column.maximum, column.missing) == (min(values), max(values), 1)
    assert column.mean == pytest.approx(statistics.fmean(values), abs=1e-9)
    assert column.deviation == pytest.approx(statistics.stdev(values), abs=1e-9)


def test_the_text_has_a_line_for_each_column_and_marks_what_was_inferred():
    dataset = Dataset(
        {"smoker": ["yes", "no", "no", None], "age": [30.0, 40.0, 50.0, 60.5]}, kinds={"age": "continuous"}
    )

    assert str(describe(dataset)).splitlines() == [
        "4 rows, 2 columns",
        "column  kind        levels  missing  values",
        "smoker  discrete*        2        1  no 67%, yes 33%",
        "age     continuous       –        0  30 to 60.5, mean 45.12, sd 13.1",
        "* inferred from the values; say kinds={…} to choose",
    ]


def test_the_text_of_a_single_row_has_no_deviation_and_many_labels_are_cut():
    dataset = Dataset({"x": [0.5]})
    wide = Dataset({"x": list("abcdefg")})

    assert "sd" not in str(describe(dataset))
    assert str(describe(dataset)).startswith("1 row, 1 column\n")
    assert ", …" in str(describe(wide))


def test_a_column_that_lost_all_its_values_is_still_described():
    dataset = Dataset({"x": [0.5, None], "y": ["a", None]}).take([1])

    assert [column.missing for column in describe(dataset).columns] == [1, 1]
    assert "none" in str(describe(dataset))


def test_numbers_of_any_size_have_a_mean_and_a_deviation():
    for unit in (1.0, 1e-200, 1e300):
        [column] = describe(Dataset({"a": np.array([1.0, 2.0, 4.5, 4.5]) * unit})).columns

        assert column.mean == pytest.approx(3.0 * unit)
        assert column.deviation == pytest.approx(math.sqrt((4.0 + 1.0 + 2.25 + 2.25) / 3.0) * unit)

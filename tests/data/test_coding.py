"""Codes point at labels, in the smallest type, whatever the values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset

SCALARS = {
    "text": st.text(max_size=3),
    "integers": st.integers(-(2**62), 2**62),
    "small integers": st.integers(-200, 200),
    "floats": st.floats(allow_nan=False, allow_infinity=False),
    "booleans": st.booleans(),
    "a mixture": st.text(max_size=2) | st.integers(0, 3),
}


@pytest.mark.parametrize("scalars", SCALARS)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_each_code_points_at_the_value_of_its_row(scalars, data):
    values = data.draw(st.lists(SCALARS[scalars], min_size=1, max_size=40))
    column = Dataset({"x": values}, kinds={"x": "discrete"}).column("x")

    assert [column.labels[code] for code in column.codes] == values
    assert set(column.labels) == set(values)


@pytest.mark.parametrize("scalars", ["text", "integers", "small integers", "floats", "booleans"])
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_labels_of_one_type_are_sorted(scalars, data):
    values = data.draw(st.lists(SCALARS[scalars], min_size=1, max_size=40))

    assert Dataset({"x": values}, kinds={"x": "discrete"}).labels["x"] == tuple(sorted(set(values)))


@pytest.mark.filterwarnings("ignore:column .* is numbers but for")
def test_a_mixture_is_sorted_by_type_and_then_as_text():
    assert Dataset({"x": ["b", 10, 9.5, "a", 2]}).labels["x"] == (9.5, 10, 2, "a", "b")


@pytest.mark.parametrize(
    ("values", "label_type"),
    [
        (np.array(["a", "b"]), str),
        (np.array([1, 2], dtype=np.int8), int),
        (np.array([1.0, 2.0], dtype=np.float32), int),
        (np.array([0.5, 1.5]), float),
        (np.array([True, False]), bool),
        ([np.str_("a"), np.str_("b")], str),
        ([np.int64(1), np.float64(2.0)], int),
        (list(np.array([True, False])), bool),
    ],
)
def test_labels_are_plain_python_scalars(values, label_type):
    labels = Dataset({"x": values}, kinds={"x": "discrete"}).labels["x"]

    assert [type(label) for label in labels] == [label_type, label_type]


@pytest.mark.parametrize(("n_labels", "dtype"), [(256, np.uint8), (257, np.uint16), (65537, np.uint32)])
def test_codes_have_the_smallest_type_that_holds_them(n_labels, dtype):
    column = Dataset({"x": np.arange(n_labels)}, kinds={"x": "discrete"}).column("x")

    assert column.codes.dtype == dtype
    assert column.codes.tolist() == list(range(n_labels))


def test_integers_too_long_for_a_float_stay_apart():
    values = [2**53, 2**53 + 1]

    assert Dataset({"x": np.array(values)}).labels["x"] == tuple(values)


def test_the_full_range_of_a_small_type_is_coded():
    values = np.arange(-128, 128, dtype=np.int8)

    assert Dataset({"x": values}, kinds={"x": "discrete"}).labels["x"] == tuple(range(-128, 128))


@pytest.mark.filterwarnings("ignore:column .* is numbers but for")
def test_a_number_too_large_to_be_exact_stays_a_float_among_words():
    label, _ = Dataset({"x": [1e300, "a"]}).labels["x"]

    assert isinstance(label, float)


def test_unsigned_integers_beyond_the_signed_range_are_coded():
    values = [2**64 - 1, 2**64 - 3]

    assert Dataset({"x": np.array(values, dtype=np.uint64)}).labels["x"] == (2**64 - 3, 2**64 - 1)


def test_codes_and_values_are_zero_where_missing():
    dataset = Dataset({"a": ["y", None, "x"], "b": [1.5, None, 2.5]})

    assert dataset.column("a").codes.tolist() == [1, 0, 0]
    assert dataset.column("b").values.tolist() == [1.5, 0.0, 2.5]
    assert dataset.column("a").missing.tolist() == [False, True, False]
    assert Dataset({"a": ["y", "x"]}).column("a").missing is None

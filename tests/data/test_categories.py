"""Categories that are stored in unusual ways have the values that their libraries show."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset


def coded(codes, values):
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(values))


UNUSUAL = {
    "a missing value among the categories": (
        pa.table({"a": coded([0, 1, 0, 2], ["u", None, "b"])}),
        ["u", None, "u", "b"],
    ),
    "a category that is listed twice": (
        pa.table({"a": coded([0, 2, 1, 2], ["u", "b", "u"])}),
        ["u", "u", "b", "u"],
    ),
    "categories that were cut off with their rows": (
        pa.table({"a": coded([0, 2, 1, None, 2], ["u", "b", "c"])}).slice(1, 3),
        ["c", "b", None],
    ),
    "polars' categories of rows that are gone": (
        pl.DataFrame({"a": pl.Series(["u", "b", "c", None], dtype=pl.Categorical)})[1:],
        ["b", "c", None],
    ),
    "a dictionary of arrow in a frame of pandas": (
        pd.DataFrame(
            {"a": pd.Series(["u", None, "b"]).astype(pd.ArrowDtype(pa.dictionary("int8", "string")))}
        ),
        ["u", None, "b"],
    ),
    "text without offsets": (
        pa.table({"a": pa.array(["u", None, "b"], pa.string_view())}),
        ["u", None, "b"],
    ),
    "whole numbers in a dictionary": (pa.table({"a": coded([1, 0, None, 1], [10, 2])}), [2, 10, None, 2]),
    "truth values": (pd.DataFrame({"a": pd.Categorical([True, None, False])}), [True, None, False]),
    "words beside numbers": (pd.DataFrame({"a": pd.Categorical(["x", 1, None])}), ["x", 1, None]),
    "ways to have no value": (
        pd.DataFrame({"a": pd.Series(["x", pd.NA, "y", np.nan, None], dtype=object)}),
        ["x", None, "y", None, None],
    ),
}


@pytest.mark.parametrize(("table", "values"), UNUSUAL.values(), ids=UNUSUAL)
def test_every_row_has_the_value_that_it_was_given(table, values):
    column = Dataset(table, kinds={"a": "discrete"}).column("a")

    assert column.decoded().tolist() == values
    assert set(column.labels) == set(values) - {None}
    assert (column.missing.tolist() if column.missing is not None else [False] * len(values)) == [
        value is None for value in values
    ]


SIZES = pa.DictionaryArray.from_arrays([2, 0, None, 1], ["small", "medium", "large"], ordered=True)
RANKED = {
    "arrow": pa.table({"a": SIZES}),
    "a chunk for each row": pa.table({"a": pa.chunked_array([SIZES[i : i + 1] for i in range(4)])}),
    "arrow in a frame of pandas": pd.DataFrame({"a": pd.Series(SIZES, dtype=pd.ArrowDtype(SIZES.type))}),
    "pandas": SIZES.to_pandas().to_frame("a"),
}


@pytest.mark.parametrize("table", RANKED.values(), ids=RANKED)
def test_an_order_that_a_dictionary_declares_is_kept(table):
    column = Dataset(table).column("a")

    assert column.labels == ("small", "medium", "large")
    assert column.decoded().tolist() == ["large", "small", None, "medium"]


def test_an_ordered_dictionary_may_list_gaps_copies_and_what_no_row_has():
    values = pa.array(["z", None, "b", "z", "a"])
    table = pa.table({"a": pa.DictionaryArray.from_arrays([2, 3, 1, 0], values, ordered=True)})
    column = Dataset(table).column("a")

    assert column.labels == ("z", "b", "a")
    assert column.decoded().tolist() == ["b", "z", None, "z"]


def test_numbers_of_an_ordered_dictionary_keep_its_order():
    table = pa.table({"a": pa.DictionaryArray.from_arrays([1, 0, 2, 1], [30, 10, 20], ordered=True)})

    assert Dataset(table, kinds={"a": "discrete"}).column("a").labels == (30, 10, 20)


WORDS = st.sampled_from(["a", "B", "b ", "é", "10", "9"])


@settings(deadline=None, max_examples=40)
@given(
    values=st.lists(st.none() | WORDS, min_size=1, max_size=8), order=st.permutations(["a", "B", "é", "9"])
)
def test_frames_of_all_libraries_become_the_same_columns(values, order):
    values = [*values, "a", "B"]
    frames = [
        pd.DataFrame({"a": pd.Series(values, dtype=object)}),
        pl.DataFrame({"a": pl.Series(values, dtype=pl.String)}),
        pl.DataFrame({"a": pl.Series(values, dtype=pl.Categorical)}),
        pa.table(
            {"a": pa.chunked_array([pa.array(values[:1], pa.string()), pa.array(values[1:], pa.string())])}
        ),
        pa.table({"a": pa.array(values).dictionary_encode()}),
    ]
    options = {"kinds": {"a": "discrete"}}
    columns = [Dataset(frame, **options).column("a") for frame in frames]

    for column in columns:
        assert column.decoded().tolist() == values
        assert column.labels == tuple(sorted(set(values) - {None}))
    declared = [*order, *sorted(set(values) - {None, *order})]
    enum = Dataset(pl.DataFrame({"a": pl.Series(values, dtype=pl.Enum(declared))}), **options).column("a")
    listed = Dataset(pd.DataFrame({"a": pd.Categorical(values, categories=declared)}), **options).column("a")
    assert enum == listed
    assert enum.labels == tuple(declared)
    assert enum.decoded().tolist() == values


@pytest.mark.parametrize(
    "array",
    [
        pd.Categorical(["hi", "lo", None] * 10, categories=["lo", "mid", "hi"], ordered=True),
        pd.CategoricalIndex(["hi", "lo", None] * 10, categories=["lo", "mid", "hi"]),
        pa.DictionaryArray.from_arrays(pa.array([2, 0, None] * 10), ["lo", "mid", "hi"], ordered=True),
    ],
    ids=lambda array: type(array).__name__,
)
def test_an_array_of_categories_keeps_their_order_in_a_dict_too(array):
    column = Dataset({"a": array}).column("a")

    assert column.labels == ("lo", "mid", "hi")
    assert column.decoded().tolist() == ["hi", "lo", None] * 10

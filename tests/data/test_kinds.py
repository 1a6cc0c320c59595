"""Kinds follow the stated rule, a given kind wins, and odd columns are pointed out."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset
from structlearn.data.values import sorted_labels
from structlearn.errors import DataError, DataWarning, OptionError


def kind_of(values):
    return Dataset({"x": values}).kinds["x"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        pytest.param(["a", "b"], "discrete", id="text"),
        pytest.param([True, False], "discrete", id="booleans"),
        pytest.param([1, "a", 2.5], "discrete", id="a mixture"),
        pytest.param([3, 7], "discrete", id="two whole numbers, once each"),
        pytest.param([0.0, 1.0, 1.0], "discrete", id="two whole floats"),
        pytest.param([0.5, 1.0, 0.5, 1.0], "continuous", id="two values, not whole"),
        pytest.param([1, 2, 3] * 2, "discrete", id="three that occur twice"),
        pytest.param([1, 2, 3, 1, 2], "continuous", id="three that occur less than twice on average"),
        pytest.param([i % 20 for i in range(40)], "discrete", id="twenty that occur twice"),
        pytest.param([i % 21 for i in range(420)], "continuous", id="twenty-one, however often"),
        pytest.param([5, 5, 5], "discrete", id="a constant whole number"),
        pytest.param([1e300, 1.0], "continuous", id="whole only because a float is coarse"),
    ],
)
@pytest.mark.filterwarnings("ignore:column .* is numbers but for")
def test_the_rule_at_its_edges(values, kind):
    assert kind_of(values) == kind


def test_a_given_kind_wins_and_is_not_called_inferred():
    dataset = Dataset({"x": [0, 1, 1], "y": [0.5, 1.5, 2.5]}, kinds={"x": "continuous"})

    assert dataset.kinds == {"x": "continuous", "y": "continuous"}
    assert dataset.inferred == {"y"}
    assert dataset.to_dict()["x"].tolist() == [0.0, 1.0, 1.0]


def test_measurements_given_as_discrete_have_their_numbers_as_labels():
    dataset = Dataset({"x": [2.5, 0.5, 2.5]}, kinds={"x": "discrete"})

    assert dataset.labels == {"x": (0.5, 2.5)}


def test_text_that_is_numbers_in_writing_can_be_given_as_continuous():
    dataset = Dataset({"x": ["007", None, "1.5"]}, kinds={"x": "continuous"})

    assert np.array_equal(dataset.to_dict()["x"], [7.0, np.nan, 1.5], equal_nan=True)
    assert dataset.missing == {"x": 1}


def test_text_given_as_continuous_names_the_first_value_that_is_no_number():
    with pytest.raises(DataError, match=r"Column 'x' .*'old' in row 2.* is not a number"):
        Dataset({"x": ["1", None, "old", "new"]}, kinds={"x": "continuous"})


def test_a_kind_for_an_unknown_column_lists_the_columns():
    with pytest.raises(OptionError, match=r"no column 'z'; the columns are 'x', 'y'"):
        Dataset({"x": [1], "y": [2]}, kinds={"z": "discrete"})


def test_an_unknown_kind_says_which_there_are():
    with pytest.raises(
        OptionError, match=r"'x' is given as 'ordinal'; a kind is \"discrete\" or \"continuous\""
    ):
        Dataset({"x": [1]}, kinds={"x": "ordinal"})


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(pd.Categorical(["u", "v", None], categories=["v", "u", "w"])),
        pd.Series(pd.Categorical(["u", "v", None], categories=["v", "u", "w"], ordered=True)),
        pl.Series(["u", "v", None], dtype=pl.Enum(["v", "u", "w"])),
    ],
    ids=["pandas", "pandas ordered", "polars Enum"],
)
def test_declared_categories_keep_their_order_seen_or_not(column):
    dataset = Dataset({"x": column})

    assert dataset.labels == {"x": ("v", "u", "w")}
    assert dataset.column("x").codes.tolist()[:2] == [1, 0]
    assert dataset.missing == {"x": 1}


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["u", "b", "u"], dtype=pl.Categorical),
        pa.chunked_array([pa.array(["u", "b", "u"]).dictionary_encode()]),
    ],
    ids=["polars Categorical", "arrow dictionary"],
)
def test_categories_that_were_only_met_are_sorted(column):
    assert Dataset({"x": column}).labels == {"x": ("b", "u")}


def test_integer_categories_are_discrete_however_many():
    column = pd.Series(pd.Categorical(range(100), categories=range(100)))

    assert kind_of(column) == "discrete"


def test_intervals_of_pandas_cut_are_labels_in_order():
    column = pd.Series(pd.cut([9.0, 1.0], [0, 3, 6, 12]))

    assert Dataset({"x": column}).labels == {"x": ("(0, 3]", "(3, 6]", "(6, 12]")}


@pytest.mark.parametrize(
    "values", [[f"r{i}" for i in range(20)], list(range(100, 120)), [float(i) for i in range(20)]]
)
def test_a_column_that_numbers_or_names_the_rows_is_pointed_out(values):
    with pytest.warns(
        DataWarning, match=r"column 'id' has 20 different values in 20 rows.*identifier.*kinds="
    ):
        Dataset({"id": values})


@pytest.mark.parametrize(
    "values",
    [
        [f"r{i}" for i in range(19)],
        [*(f"r{i}" for i in range(20)), "r0"],
        [*range(19), 20],
        [i + 0.5 for i in range(20)],
    ],
    ids=["few rows", "a repeat", "a gap", "fractions"],
)
def test_other_columns_pass_without_a_word(values):
    Dataset({"x": values})


def test_a_given_kind_silences_the_warning():
    Dataset({"id": [f"r{i}" for i in range(20)]}, kinds={"id": "discrete"})


@pytest.mark.parametrize("mark", ["NA", "?", "#N/A", " <NA> ", " "])
def test_a_mark_of_missing_values_among_words_is_a_label_and_pointed_out(mark):
    with pytest.warns(
        DataWarning, match=f"column 'x' has {mark!r} among its labels.*pass na=".replace("?", r"\?")
    ):
        dataset = Dataset({"x": ["yes", mark, "no"]})

    assert set(dataset.labels["x"]) == {mark, "no", "yes"}
    assert Dataset({"x": ["yes", mark, "no"]}, na=mark).missing == {"x": 1}
    assert Dataset({"x": ["yes", mark]}, kinds={"x": "discrete"}).missing == {}


def test_words_that_may_be_labels_pass_without_a_word():
    assert Dataset({"x": ["none", "unknown", "-", "yes"]}).missing == {}


def test_many_words_of_few_rows_are_pointed_out_by_name():
    words = [f"city {i % 30}" for i in range(100)]

    with pytest.warns(DataWarning, match=r"column 'city' has 30 different words in 100 rows, 3.3 rows each"):
        Dataset({"city": words})
    Dataset({"city": words}, kinds={"city": "discrete"})
    Dataset({"city": [f"city {i % 20}" for i in range(60)]})
    Dataset({"city": [f"city {i % 30}" for i in range(150)]})


@pytest.mark.parametrize("words", [["no", "No"], ["a b", "a  b"], ["x", "x "], ["straße", "STRASSE"]])
def test_labels_that_a_person_reads_as_one_are_warned_of_unless_their_kind_is_given(words):
    shown = " and ".join(map(repr, sorted(words)))

    with pytest.warns(DataWarning, match=f"differ in blanks or capitals only, such as {shown}. If they mean"):
        Dataset({"x": [*words, "other"]})
    assert Dataset({"x": [*words, "other"]}, kinds={"x": "discrete"}).column("x").labels == tuple(
        sorted([*words, "other"])
    )


@pytest.mark.filterwarnings("ignore:column 'y' is numbers but for")
def test_labels_that_differ_in_more_or_in_their_type_are_not_warned_of():
    assert Dataset({"x": ["no", "noo", "n", "o n"], "y": ["1", 1, "a", "b"]}).n_rows == 4


@settings(deadline=None)
@given(values=st.lists(st.integers(0, 30), min_size=1, max_size=60), seed=st.integers(0, 9))
def test_the_order_of_rows_does_not_change_a_kind(values, seed):
    shuffled = np.random.default_rng(seed).permutation(values).tolist()
    given_kind = {"x": "continuous"} if len(set(values)) == len(values) >= 20 else None

    assert Dataset({"x": values}, kinds=given_kind).kinds == Dataset({"x": shuffled}, kinds=given_kind).kinds


@pytest.mark.parametrize(("largest", "labels"), [(2.0**53 - 1, (0, 2**53 - 1)), (2.0**53, (0.0, 2.0**53))])
def test_whole_floats_are_integers_up_to_where_floats_can_skip_one(largest, labels):
    [found] = Dataset({"a": [0.0, largest, 0.0, largest]}, kinds={"a": "discrete"}).labels.values()

    assert found == labels
    assert [type(label) for label in found] == [type(label) for label in labels]
    assert Dataset({"a": [0.0, largest, 0.0, largest]}).kinds["a"] == (
        "discrete" if largest < 2**53 else "continuous"
    )
    assert type(sorted_labels([largest])[0]) is type(labels[1])

"""What a data set can do once it is made."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn, Oracle
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph

TABLE = {"a": ["x", "y", None, "x"], "b": [0.5, None, 2.5, 3.5], "c": [1, 2, 1, 2]}


@pytest.fixture
def dataset():
    return Dataset(TABLE, kinds={"c": "discrete"}, weights=[1.0, 2.0, 0.0, 0.5])


def test_select_gives_the_columns_in_the_order_asked_for(dataset):
    chosen = dataset.select(["c", "a"])

    assert chosen.names == ("c", "a")
    assert chosen.inferred == {"a"}
    assert chosen.columns == (dataset.column("c"), dataset.column("a"))
    assert chosen.weights.tolist() == [1.0, 2.0, 0.0, 0.5]


def test_an_unknown_column_lists_those_there_are(dataset):
    with pytest.raises(DataError, match=r"no column 'z'; the columns are 'a', 'b', 'c'"):
        dataset.select(["z"])


@given(rows=st.lists(st.integers(0, 3), min_size=1, max_size=8).filter(lambda rows: set(rows) != {2}))
def test_take_gives_those_rows_with_their_weights_and_all_labels(rows):
    dataset = Dataset(TABLE, weights=[1.0, 2.0, 0.0, 0.5])
    taken = dataset.take(rows)

    assert taken.labels == dataset.labels
    assert taken.weights.tolist() == [dataset.weights[i] for i in rows]
    assert taken.to_dict()["a"].tolist() == [TABLE["a"][i] for i in rows]
    assert taken.missing.get("b", 0) == sum(i == 1 for i in rows)


def test_take_understands_a_mask(dataset):
    mask = np.array([True, False, False, True])

    assert dataset.take(mask) == dataset.take([0, 3])


def test_a_column_without_gaps_after_take_has_no_mask(dataset):
    assert dataset.take([0, 1]).column("a").missing is None


def test_complete_returns_the_data_set_if_nothing_is_missing():
    dataset = Dataset({"a": ["x", "y"]})

    assert dataset.complete("PC") is dataset


def test_complete_names_the_columns_with_gaps_and_what_to_do(dataset):
    with pytest.raises(DataError, match=r"^PC needs .*missing \(NaN.*'a' \(1\), 'b' \(1\) of 4 rows.*Drop"):
        dataset.complete("PC")


def test_align_codes_by_the_labels_of_another_table():
    dataset = Dataset({"a": ["y", None, "x"], "n": [3, 1, 2]})
    aligned = dataset.align({"a": ("z", "y", "x"), "n": tuple(range(5))})

    assert aligned.labels == {"a": ("z", "y", "x"), "n": (0, 1, 2, 3, 4)}
    assert aligned.column("a").codes.tolist() == [1, 0, 2]
    assert aligned.missing == {"a": 1}
    assert aligned.column("n").codes.tolist() == [3, 1, 2]


@given(values=st.lists(st.sampled_from("abc"), min_size=1), order=st.permutations("abcd"))
def test_aligning_changes_codes_but_no_value(values, order):
    dataset = Dataset({"x": values})
    aligned = dataset.align({"x": tuple(order)})

    assert aligned.to_dict()["x"].tolist() == values
    assert aligned.labels["x"] == tuple(order)


def test_an_unseen_category_is_named_with_its_row_and_the_known_labels():
    dataset = Dataset({"a": ["x", None, "blue"]})

    with pytest.raises(
        DataError, match=r"Column 'a' has the value 'blue' in row 2.*not one of its labels 'x', 'y'"
    ):
        dataset.align({"a": ("x", "y")})


def test_align_refuses_labels_for_a_column_that_is_not_there():
    with pytest.raises(DataError, match="no column 'b'"):
        Dataset({"a": ["x"]}).align({"b": ("x",)})


def test_a_data_set_passes_through_unchanged_with_its_weights(dataset):
    assert Dataset(dataset) == dataset
    assert Dataset(dataset).inferred == dataset.inferred


def test_a_data_set_can_be_given_other_kinds_and_weights(dataset):
    changed = Dataset(dataset, kinds={"c": "continuous", "b": "discrete"}, weights=[1, 1, 1, 1])

    assert changed.column("c") == ContinuousColumn("c", np.array([1.0, 2.0, 1.0, 2.0]))
    assert changed.labels["b"] == (0.5, 2.5, 3.5)
    assert changed.missing == dataset.missing
    assert changed.inferred == {"a"}
    assert changed.weights.tolist() == [1.0] * 4


def test_changing_a_kind_twice_brings_back_the_values(dataset):
    there = Dataset(dataset, kinds={"c": "continuous"})

    assert Dataset(there, kinds={"c": "discrete"}).column("c") == dataset.column("c")


def test_other_kinds_of_a_data_set_are_checked_too(dataset):
    with pytest.raises(OptionError, match="no column 'z'"):
        Dataset(dataset, kinds={"z": "discrete"})


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"2 rows need 2 weights, not an array of shape \(1,\)"),
        ([[1.0, 1.0]], r"shape \(1, 2\)"),
        ([1.0, -1.0], r"row 1, counted from 0, is -1.0"),
        ([np.nan, 1.0], r"row 0, counted from 0, is nan"),
        ([1.0, np.inf], r"row 1, counted from 0, is inf"),
        ([0.0, 0.0], "all weights are 0"),
        (["heavy", "light"], "each weight is a number"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, message):
    with pytest.raises(DataError, match=f"weights: .*{message}"):
        Dataset({"a": [1, 2]}, weights=weights)


def test_weights_are_kept_as_floats_of_their_own():
    weights = np.array([1, 2])
    dataset = Dataset({"a": [1, 2]}, weights=weights)
    weights[0] = 7

    assert dataset.weights.dtype == np.float64
    assert dataset.weights.tolist() == [1.0, 2.0]


def test_a_data_set_of_columns_checks_their_lengths_and_names():
    short = DiscreteColumn("a", np.array([0], dtype=np.uint8), ("x",))
    long = ContinuousColumn("b", np.array([0.5, 1.5]))

    with pytest.raises(DataError, match="of one length"):
        Dataset.from_columns([short, long])
    with pytest.raises(DataError, match="'a' occurs more than once"):
        Dataset.from_columns([short, short])
    with pytest.raises(DataError, match="at least one column"):
        Dataset.from_columns([])
    with pytest.raises(DataError, match="at least one row"):
        Dataset.from_columns([ContinuousColumn("b", np.array([]))])


def test_equality_sees_values_labels_gaps_and_weights(dataset):
    assert dataset == Dataset(TABLE, weights=[1.0, 2.0, 0.0, 0.5])
    assert dataset != Dataset(TABLE)
    assert dataset != Dataset(TABLE, weights=[1.0, 2.0, 0.0, 0.6])
    assert dataset != Dataset({**TABLE, "a": ["x", "y", "x", "x"]}, weights=dataset.weights)
    assert dataset.select(["a"]) != dataset.align({"a": ("x", "y", "z")}).select(["a"])


def test_the_repr_shows_rows_and_kinds(dataset):
    assert repr(dataset) == (
        "<Dataset: 4 rows, weighted; a (discrete, 2 levels), b (continuous), c (discrete, 2 levels)>"
    )


def test_the_repr_of_a_wide_table_is_cut():
    assert repr(Dataset(np.full((2, 12), 0.5))).endswith("… and 4 more columns>")


def test_a_data_set_survives_pickling(dataset):
    assert pickle.loads(pickle.dumps(dataset)) == dataset  # noqa: S301, our own bytes


def test_a_single_row_and_a_constant_column_are_data():
    dataset = Dataset({"a": ["x"], "b": [2.5]})

    assert dataset.n_rows == len(dataset) == 1
    assert dataset.labels == {"a": ("x",)}


def test_an_oracle_holds_a_graph_in_place_of_data():
    graph = Graph(["a", "b"], directed=[("a", "b")])

    assert Oracle(graph).graph is graph
    assert Oracle(graph).names == ("a", "b")
    assert Oracle(graph) == Oracle(Graph(["b", "a"], directed=[("a", "b")]))

"""New data are matched to the nodes by name, and to the states by label."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.models.alignment import aligned, aligned_rows, matched, matched_with_gaps

DATA = {"b": [1.5, 2.5, 0.5], "a": ["yes", "no", "yes"]}


def test_columns_come_in_the_order_of_the_nodes():
    found = matched(DATA, ("a", "b"), owner="fit")

    assert found.names == ("a", "b")
    assert found.kinds == {"a": "discrete", "b": "continuous"}


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        (("a", "b", "c"), r"fit: the data lack the columns 'c'"),
        (("a",), r"fit: the columns 'b' are no nodes"),
    ],
)
def test_columns_that_lack_or_are_too_many_are_named(nodes, words):
    with pytest.raises(sl.DataError, match=words):
        matched(DATA, nodes, owner="fit", kinds={"c": "discrete"})


def test_missing_values_are_refused_unless_gaps_are_welcome():
    gappy = {"a": ["yes", None, "no"]}

    with pytest.raises(sl.DataError, match="missing"):
        matched(gappy, ("a",), owner="fit")
    found = matched_with_gaps(gappy, ("a",), owner="fit", kinds={}, labels={"a": ("no", "yes")})
    assert found.columns[0].missing.tolist() == [False, True, False]
    assert found.columns[0].codes[[0, 2]].tolist() == [1, 0]


def test_a_node_with_states_may_lack_its_whole_column():
    found = matched_with_gaps(
        {"a": ["yes", "no"]}, ("h", "a"), owner="fit", kinds={}, labels={"h": ("low", "high")}
    )

    assert found.names == ("h", "a")
    assert found.columns[0].missing.all()
    with pytest.raises(sl.DataError, match="give it a TableCPD"):
        matched_with_gaps({"a": ["yes"]}, ("h", "a"), owner="fit", kinds={}, labels={})


def test_states_are_coded_as_the_model_has_them():
    data = sl.Dataset({"a": ["2", "1", "2"], "b": [0.1, 0.2, 0.3]}, kinds={"a": "discrete"})

    found = aligned(data, {"a": (1, 2, 3)})

    assert found.columns[0].labels == (1, 2, 3)
    assert found.columns[0].codes.tolist() == [1, 0, 1]
    np.testing.assert_array_equal(aligned_rows(data.columns[1], ()), [0.1, 0.2, 0.3])

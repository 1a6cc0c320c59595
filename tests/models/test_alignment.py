"""New data are matched to the nodes by name, and to the states by label."""

import numpy as np
import pandas as pd
import pytest

import structlearn as sl
from structlearn.data import files
from structlearn.errors import DataNote
from structlearn.models import TableCPD
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


ODD = ["NA", "nan", "inf", "?", "", "1,5", "2.0", "007"]


def chained(states):
    """A network in which y is seldom b, but for the last state of x."""
    table = [[0.9, 0.1]] * (len(states) - 1) + [[0.2, 0.8]]
    x = TableCPD([1 / len(states)] * len(states), labels=states)
    graph = sl.Graph(["x", "y"], directed=[("x", "y")])
    return sl.BayesianNetwork(graph, {"x": x, "y": TableCPD(table, labels=["a", "b"], parents=["x"])})


@pytest.mark.parametrize("odd", ODD)
def test_text_that_is_a_state_is_that_state_whichever_columns_there_are(odd):
    model, rows = chained(["1", "2", odd]), {"x": ["1", odd]}

    for data in (rows, {**rows, "y": ["a", "b"]}):
        np.testing.assert_allclose(model.predict_proba(data, "y")["y"], [[0.9, 0.1], [0.2, 0.8]])


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("states", [*(["1", "2", odd] for odd in ODD), ["1", "1.0", "1.00"], [1, 2, 3]])
def test_a_file_of_drawn_rows_has_the_states_that_were_drawn(states, large, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGE_BYTES", 0 if large else 1 << 22)
    model = chained(states)
    drawn = model.sample(60, random_state=0)
    drawn.save(tmp_path / "rows.csv")

    found = model.log_likelihood_rows(tmp_path / "rows.csv")

    np.testing.assert_array_equal(found, model.log_likelihood_rows(drawn))
    assert len(np.unique(found)) > 2


def test_a_row_is_read_alike_whatever_the_others_hold():
    x = TableCPD([0.2, 0.8], labels=["0.5", "1.0"])
    model = sl.BayesianNetwork(sl.Graph(["x"]), {"x": x})

    np.testing.assert_allclose(model.log_likelihood_rows({"x": [0.5, 1.0]}), np.log([0.2, 0.8]))
    np.testing.assert_allclose(model.log_likelihood_rows({"x": [1.0, 1.0]}), np.log([0.8, 0.8]))
    np.testing.assert_allclose(model.log_evidence({"x": 1}), np.log(0.8))


def test_a_mark_that_is_no_state_is_a_gap_among_numbers_and_refused_among_words():
    by_numbers, by_words = chained(["1", "2", "NA"]), chained(["low", "mid", "high"])

    with pytest.warns(DataNote, match=r"'\?' is taken for a missing value among the numbers of 'x'"):
        shares = by_numbers.predict_proba({"x": ["1", "?"]}, "y")["y"]
    np.testing.assert_allclose(shares, [[0.9, 0.1], [2 / 3, 1 / 3]])  # (0.9 + 0.9 + 0.2) / 3
    with pytest.raises(sl.DataError, match=r"'\?' in row 1, counted from 0, which is none"):
        by_words.predict_proba({"x": ["low", "?"]}, "y")
    with pytest.warns(DataNote), pytest.raises(sl.DataError, match="missing"):
        by_numbers.log_likelihood_rows({"x": ["1", "?"], "y": ["a", "a"]})


def test_a_frame_and_data_that_are_read_already_are_read_by_the_states_too():
    model = chained(["1.0", "2.0", "3.0"])
    frame = pd.DataFrame({"x": [1, 3]})

    for data in (frame, sl.Dataset(frame, kinds={"x": "continuous"})):
        np.testing.assert_allclose(model.predict_proba(data, "y")["y"], [[0.9, 0.1], [0.2, 0.8]])


def test_fits_and_likelihoods_of_a_file_read_it_by_the_states_too(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a\n1\n1.0\n1.0\n")
    model = sl.BayesianNetwork(sl.Graph(["a"]), {"a": TableCPD([0.2, 0.8], labels=["1", "1.0"])})

    assert model.log_likelihood(path) == pytest.approx(np.log(0.2) + 2 * np.log(0.8))
    np.testing.assert_allclose(model.fit(path).cpds["a"].probabilities, [1 / 3, 2 / 3])

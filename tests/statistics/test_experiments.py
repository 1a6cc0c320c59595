"""The rows that are left where columns were set, and what they tell apart."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.statistics import statistics_of
from structlearn.statistics.experiments import experiments_of, rows_and_targets

COLUMNS = {
    "a": [0, 1, 0, 1, 1, 0, 1, 0],
    "b": [1, 1, 0, 0, 1, 0, 1, 0],
    "c": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5],
}
SET = {"a": np.arange(8) < 2, "b": np.arange(8) == 7}


def told(rows_set=SET, **options):
    return statistics_of(
        sl.Dataset(COLUMNS), ("a", "b", "c"), owner="test", rows_set=rows_set, **options
    ).experiments


def test_each_column_has_the_rows_in_which_it_was_not_set():
    experiments = told()

    assert experiments.without(0).counts([0]).tolist() == [3, 3]
    assert experiments.without(1).counts([1]).tolist() == [3, 4]
    assert experiments.without(0, 1).moments().mean[2] == pytest.approx(np.mean(COLUMNS["c"][2:7]))
    assert experiments.without(0, 2).n_rows == 6


def test_the_rows_left_are_counted_once_and_kept():
    experiments = told()

    assert experiments.without(0, 1) is experiments.without(1, 0)
    assert experiments.without(0) is experiments.without(0, 2)


def test_rows_in_which_one_column_was_set_and_another_was_not():
    experiments = told({"a": np.arange(8) < 4, "b": np.isin(np.arange(8), [1, 7])})

    assert experiments.n_set_alone(0, 1) == 3
    assert experiments.n_set_alone(2, 0) == 0
    assert experiments.where_set(0, 1).counts([0]).tolist() == [2, 1]
    assert experiments.where_set(0, 2).moments().mean[2] == np.mean(COLUMNS["c"][:4])
    assert experiments.where_set(1, 0) is None  # one row


def test_a_sign_says_in_the_place_of_a_column_whether_it_was_set():
    experiments = told({"a": np.arange(8) < 4, "b": np.isin(np.arange(8), [1, 7])})

    assert experiments.with_sign(0, 1, at=0).counts([0]).tolist() == [3, 3]
    assert experiments.with_sign(0, 1, at=0).counts([1]).tolist() == [3, 3]
    moments = experiments.with_sign(0, 1, at=2).moments()
    assert moments.mean[2] == pytest.approx(0.5)


def test_nothing_is_left_of_a_column_that_was_always_set():
    experiments = told({"a": np.ones(8, dtype=bool)})

    assert experiments.without(0) is None
    with pytest.raises(sl.DataError, match="test: 'a' was set in every row"):
        experiments.refuse_unknown("test")


def test_states_that_are_only_in_rows_left_out_stay_states():
    left = told({"b": np.array(COLUMNS["b"]) == 1}).without(1)

    assert left.counts([1]).tolist() == [4, 0]


def test_statistics_of_rows_in_which_nothing_was_set_have_no_experiments():
    plain = statistics_of(sl.Dataset(COLUMNS), ("a", "b", "c"), owner="test", rows_set={})

    assert experiments_of(plain) is None
    assert experiments_of(None) is None


def test_only_what_is_set_apart_tells_directions():
    together = told({"a": np.arange(8) < 2, "b": np.arange(8) < 2})

    assert together.by_names("abc") == {(): 6, ("a", "b"): 2}
    assert not together.told_apart(3)[0, 1]
    assert together.told_apart(3)[0, 2]
    assert told().told_apart(3)[0, 1]
    assert not np.diag(told().told_apart(3)).any()


def test_the_column_of_targets_is_no_node_and_its_gaps_are_no_gaps():
    table = sl.Dataset(COLUMNS | {"t": ["a", "a, b", *[None] * 6]})
    rows, found = rows_and_targets("test", table, "t")

    assert rows.names == ("a", "b", "c")
    assert rows.missing == {}
    assert {name: np.flatnonzero(is_set).tolist() for name, is_set in found.items()} == {
        "a": [0, 1],
        "b": [1],
    }


def test_rows_with_gaps_are_dropped_from_both():
    table = sl.Dataset(COLUMNS | {"c": [None, *COLUMNS["c"][1:]]})
    rows, found = rows_and_targets("test", table, {"a": [0, 1]}, missing="drop")
    kept, _ = rows_and_targets("test", table, {"a": [0, 1]})

    assert rows.n_rows == 7
    assert found["a"].tolist() == [True, *[False] * 6]
    assert kept.n_rows == 8


def test_only_nodes_that_are_named_are_kept():
    rows, found = rows_and_targets("test", sl.Dataset(COLUMNS), {"a": [3]}, nodes=["b", "a"])

    assert rows.names == ("b", "a")
    assert found["a"].tolist() == [False, False, False, True, False, False, False, False]
    with pytest.raises(sl.DataError, match="targets name 'c'"):
        rows_and_targets("test", sl.Dataset(COLUMNS), {"c": [3]}, nodes=["b", "a"])


def test_a_source_without_rows_is_refused():
    with pytest.raises(sl.DataError, match=r"test\(targets=…\) needs the rows themselves, in memory"):
        rows_and_targets("test", statistics_of(sl.Dataset(COLUMNS), ("a",), owner="test"), {"a": [0]})


def test_rows_of_weight_0_are_gone_from_both():
    weights = np.array([0.0, 0.0, *[1.0] * 6])
    rows, found = rows_and_targets(
        "test", sl.Dataset(COLUMNS, weights=weights), {"a": [0, 1], "b": range(1, 8)}
    )

    assert rows.n_rows == 6
    assert {name: is_set.tolist() for name, is_set in found.items()} == {"b": [True] * 6}


def test_rows_are_counted_by_their_weights():
    weights = np.array([0.0, 3.0, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0])
    experiments = statistics_of(
        sl.Dataset(COLUMNS, weights=weights), ("a", "b", "c"), owner="test", rows_set=SET
    ).experiments

    assert experiments.n_set_alone(0, 1) == 3.0
    assert experiments.n_not_set(0) == 5.0
    assert experiments.without(0).size == 5.0
    assert experiments.by_names("abc") == {(): 5, ("a",): 1, ("b",): 1}


def test_little_weight_where_a_column_was_not_set_says_nothing_of_it():
    weights = np.array([0.5, 0.5, *[2.0] * 6])
    experiments = statistics_of(
        sl.Dataset(COLUMNS, weights=weights),
        ("a", "b", "c"),
        owner="test",
        rows_set={"b": np.arange(8) > 1, "c": np.arange(8) > 1},
    ).experiments

    assert experiments.without(2).size == 1.0
    assert experiments.says_nothing(1) == ""  # a table of states has no variance
    assert experiments.says_nothing(2) == (
        "'c' has weights that sum to 1 in the 2 rows in which it was not set"
    )

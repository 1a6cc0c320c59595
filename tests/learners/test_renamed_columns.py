"""Columns that say the same are found by what they say, in time that grows with the columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.renamed_columns import FIRST_ROWS, in_order_of_appearance, renamed_columns
from structlearn.statistics import MemoryStatistics, from_dataset
from tests.walkthrough.toy_source import Elsewhere

CODES = st.lists(st.lists(st.integers(0, 2), min_size=6, max_size=6), min_size=2, max_size=6)


def same_partition(one, other):
    """Whether two rows agree in one column just where they agree in the other."""
    rows = range(len(one))
    return all((one[i] == one[j]) == (other[i] == other[j]) for i in rows for j in rows)


def groups_by_definition(columns):
    found = []
    for j, column in enumerate(columns):
        group = next((group for group in found if same_partition(columns[group[0]], column)), None)
        if group is None:
            found.append([j])
        else:
            group.append(j)
    return [group for group in found if len(group) > 1]


def found_in(statistics):
    margins = dict(enumerate(statistics.margins(range(len(statistics.names)))))
    return sorted(renamed_columns(statistics, margins))


@given(columns=CODES)
def test_groups_are_those_of_equal_partitions_with_and_without_rows(columns):
    table = {f"c{j}": [f"label {code}" for code in column] for j, column in enumerate(columns)}
    dataset = sl.Dataset(table)

    assert found_in(from_dataset(dataset)) == groups_by_definition(columns)
    assert found_in(Elsewhere(dataset)) == groups_by_definition(columns)


@given(codes=st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_states_are_numbered_as_they_come(codes):
    seen = list(dict.fromkeys(codes))

    assert in_order_of_appearance(np.array(codes)).tolist() == [seen.index(code) for code in codes]


@pytest.mark.parametrize("gap", [False, True])
def test_columns_with_equal_margins_are_not_compared_pair_by_pair(gap, monkeypatch):
    rng = np.random.default_rng(0)
    cuts = {f"c{j:03}": rng.permutation(30) % 3 for j in range(300)}
    cuts["c299"] = np.array(["z", "y", "x"])[cuts["c007"]]
    if gap:
        cuts["lone"] = [None, *("uv" * 15)[1:]]
    statistics = from_dataset(sl.Dataset(cuts), missing="testwise")
    monkeypatch.setattr(MemoryStatistics, "tables", lambda *_: pytest.fail("asked for tables"))

    assert found_in(statistics) == [[7, 299]]


def test_columns_that_part_only_late_are_told_apart():
    rng, late = np.random.default_rng(1), FIRST_ROWS + 5
    column = np.concatenate([np.arange(late) % 3, rng.permutation(30) % 3])
    other = np.concatenate([np.arange(late) % 3, rng.permutation(30) % 3])
    table = {"a": column, "b": other, "c": 2 - column, "d": 2 - other, "e": np.roll(column, 1)}
    codes = np.array(list(table.values())).tolist()

    found = found_in(from_dataset(sl.Dataset({name: values.astype(str) for name, values in table.items()})))

    assert found == groups_by_definition(codes) == [[0, 2], [1, 3]]


def test_rows_that_count_for_nothing_make_no_difference():
    table = {"a": ["x", "y", "x", "y", "x"], "b": ["u", "v", "u", "v", "v"]}

    assert found_in(from_dataset(sl.Dataset(table, weights=[1, 1, 1, 1, 0]))) == [[0, 1]]


def test_several_are_named_together():
    column = np.array(["x", "y", "y", "x", "y", "z"] * 10)
    table = {"a": column, "b": np.char.upper(column), "c": np.char.add("c", column), "d": list("uvwuvw") * 10}

    with pytest.warns(
        sl.DataWarning, match=r"columns 'a', 'b', 'c' say the same .* on the others\. Drop all but one"
    ):
        sl.ChowLiu().fit(table)


def test_constants_are_counted():
    table = {"a": [0.5, 1.5, 0.25, 0.75] * 5, "b": np.full(20, 0.3), "c": np.full(20, 7.5)}

    with pytest.warns(sl.DataWarning, match="columns 'b', 'c' have a single value; they will have no edges"):
        sl.ChowLiu().fit(table)

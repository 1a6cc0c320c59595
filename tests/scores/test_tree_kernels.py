"""The small steps of growing a tree: where rows go, which thresholds part them, and what a test costs."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.scores.kernels import trees, trees_by_arrays
from structlearn.scores.kernels.tree_tables import items_of_table
from tests.scores.test_leaves import RULE

BY_VALUE = RULE._replace(by_value=True)
VALUES = st.lists(st.integers(-3, 3), min_size=1, max_size=12)


@given(low=st.floats(-1e9, 1e9), step=st.floats(0, 1e3))
def test_a_midpoint_parts_two_values_even_neighbouring_doubles(low, step):
    high = max(low + step, np.nextafter(low, math.inf))

    middle = trees.midpoint(low, high)

    assert low <= middle < high


@settings(deadline=None)
@given(values=VALUES, at=st.integers(-3, 3))
def test_rows_are_arranged_by_branch_and_keep_their_order(values, at):
    column, items = np.array(values, dtype=float), np.arange(len(values))[None]

    cuts = trees.arrange(column, 0, items, at + 0.5, 2, RULE)

    below = [i for i, value in enumerate(values) if value <= at + 0.5]
    above = [i for i, value in enumerate(values) if value > at + 0.5]
    assert items[0].tolist() == below + above
    assert cuts.tolist() == [0, len(below), len(values)]


def test_a_state_has_its_branch_or_all_others_share_one():
    assert [trees.branch_of(float(v), 3, 1.0, RULE) for v in range(3)] == [0, 1, 2]
    assert [trees.branch_of(float(v), 3, 1.0, BY_VALUE) for v in range(3)] == [1, 0, 1]
    assert trees.branches_of(3, RULE) == 3
    assert trees.branches_of(3, BY_VALUE) == trees.branches_of(0, RULE) == 2


@pytest.mark.parametrize(("n_branches", "n_left", "rule"), [(3, 3, RULE), (2, 3, BY_VALUE), (2, 0, RULE)])
def test_the_branches_share_the_joint_states_of_a_leaf(n_branches, n_left, rule):
    parts = [trees.part_of(branch, n_branches, n_left, rule) for branch in range(n_branches)]

    assert sum(parts) == pytest.approx(1.0)
    assert parts[0] == pytest.approx(1.0 / (n_left or 2))


@settings(deadline=None)
@given(values=VALUES)
def test_different_values_are_counted_in_order(values):
    column = np.array(values, dtype=float)

    assert trees.n_distinct(column, np.argsort(column, kind="stable")) == len(set(values))


@settings(deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=15))
def test_the_tally_of_each_state_adds_up_to_that_of_all(rows):
    states = np.array([state for state, _ in rows], dtype=float)
    tallies = np.eye(2)[[child for _, child in rows]]
    items = np.arange(len(rows))[None]

    sums = trees.sums_by_state(states, tallies, items[0], 3)

    expected = np.zeros((3, 2))
    for state, child in rows:
        expected[state, child] += 1
    assert sums.tolist() == expected.tolist()
    assert trees.total(tallies, items).tolist() == expected.sum(axis=0).tolist()


@settings(deadline=None, max_examples=50)
@given(data=st.data(), n=st.integers(4, 12))
def test_the_best_threshold_is_the_best_of_all_midpoints(data, n):
    values = np.array(data.draw(st.lists(st.integers(0, 6), min_size=n, max_size=n)), dtype=float)
    child = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    order = np.argsort(values, kind="stable")

    found, at = trees.best_threshold(values, np.eye(2)[child], order, 1.0, 1, RULE)

    def worth(rows):
        return sum(k * math.log(k / len(rows)) for k in np.bincount(rows).tolist() if k)

    cuts = [(a + b) / 2 for a, b in itertools.pairwise(sorted(set(values.tolist())))]
    if not cuts:
        assert found == -math.inf
        return
    by_cut = {cut: worth(child[values <= cut]) + worth(child[values > cut]) for cut in cuts}
    assert found == pytest.approx(max(by_cut.values()), abs=1e-8)
    assert by_cut[at] == pytest.approx(found, abs=1e-8)
    assert at == min(cut for cut, value in by_cut.items() if value > found - 1e-9)


def test_a_test_costs_what_telling_it_apart_from_others_takes():
    points = np.array([[0.0, 1.0, 2.0, 2.0], [0.0, 1.0, 0.0, 1.0]])
    levels, left = np.array([0, 2]), np.array([0, 2])
    items = np.array([[0, 1, 2, 3], [0, 1, 2, 3]])

    # Three different values have two thresholds between them; a state costs nothing unless the tree is coded.
    assert trees.code_length(points, levels, left, 0, items, RULE) == pytest.approx(math.log(2))
    assert trees.code_length(points, levels, left, 1, items, RULE) == 0.0
    coded = RULE._replace(is_coded=True)
    # A bit for a test, a bit for which of two parents, and a bit for which threshold.
    assert trees.code_length(points, levels, left, 0, items, coded) == pytest.approx(3 * math.log(2))
    assert trees.code_length(points, levels, left, 1, items, coded) == pytest.approx(2 * math.log(2))


def test_states_run_out_along_the_way_down():
    # The root tests parent 0, of three states; its first branch is vertex 1.
    tested, first, above = np.array([0, -1, -1, -1]), np.array([1, 0, 0, 0]), np.array([-1, 0, 0, 0])
    levels = np.array([3, 2])

    assert trees.states_left(0, levels, tested, first, above, RULE).tolist() == [3, 2]
    assert trees.states_left(2, levels, tested, first, above, RULE).tolist() == [1, 2]
    assert trees.states_left(1, levels, tested, first, above, BY_VALUE).tolist() == [1, 2]
    assert trees.states_left(2, levels, tested, first, above, BY_VALUE).tolist() == [2, 2]


@settings(deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 1)), max_size=20))
def test_the_items_of_a_table_are_the_joint_states_that_occur(rows):
    """Rows are (other parent, last parent, child); tables have the axes (other, child, last)."""
    levels = np.array([2, 3, 2])
    table = np.zeros((2, 2, 3), dtype=np.int64)
    for other, last, child in rows:
        table[other, child, last] += 1

    points, tallies = items_of_table(table.ravel(), 0, 2, levels, np.array([0, 1]))

    expected = {}
    for other, last, child in rows:
        expected.setdefault((other, last), [0, 0])[child] += 1
    found = {tuple(point): tally for point, tally in zip(points.T.tolist(), tallies.tolist(), strict=True)}
    assert found == expected


def item_by_item(function):
    return getattr(function, "py_func", function)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rule", [RULE, BY_VALUE])
def test_whole_arrays_do_the_same_to_the_bit(seed, rule):
    rng = np.random.default_rng(seed)
    n_rows, n_levels = rng.integers(1, 30), int(rng.choice([0, 3, 4]))
    values = rng.integers(0, n_levels or 3, n_rows).astype(float)
    tallies = rng.normal(size=(n_rows, 3))
    some = rng.permutation(n_rows)[: rng.integers(0, n_rows + 1)]
    items = np.stack([some, np.sort(some)])
    n_branches = trees.branches_of(n_levels, rule)

    one, other = items.copy(), items.copy()
    told = 1.0, n_branches, rule
    expected = item_by_item(trees.arrange)(values, n_levels, one, *told)
    cuts = trees_by_arrays.arrange(values, n_levels, other, *told)
    assert (other.tolist(), cuts.tolist(), cuts.dtype) == (one.tolist(), expected.tolist(), expected.dtype)
    for name, *arguments in (("total", tallies, items), ("n_distinct", values, items[1])):
        expected = item_by_item(getattr(trees, name))(*arguments)
        np.testing.assert_array_equal(getattr(trees_by_arrays, name)(*arguments), expected)

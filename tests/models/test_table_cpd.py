"""Tables are counted, looked up and drawn from as their definition says."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.table import TableCPD
from structlearn.models.kernels.drawing import draw_states
from structlearn.statistics import from_dataset

# Two binary parents, three states; one joint state of the parents is never seen.
COUNTS = {("0", "0"): (12, 5, 3), ("0", "1"): (4, 4, 2), ("1", "0"): (0, 0, 0), ("1", "1"): (1, 9, 10)}


@pytest.fixture
def rows():
    cells = [(a, b, str(k), n) for (a, b), row in COUNTS.items() for k, n in enumerate(row)]
    repeated = [(a, b, y) for a, b, y, n in cells for _ in range(n)]
    return {name: list(column) for name, column in zip("aby", zip(*repeated, strict=True), strict=True)}


def fitted(data, **options):
    dataset = Dataset(data)
    parents = tuple(range(len(dataset.names) - 1))
    labels = dataset.columns[-1].labels
    return TableCPD.fit(Family(from_dataset(dataset), len(parents), parents, labels), **options)


def test_maximum_likelihood_is_the_share_of_each_state_and_uniform_where_nothing_was_seen(rows):
    table = fitted(rows).probabilities

    third = 1 / 3
    by_hand = [[[0.6, 0.25, 0.15], [0.4, 0.4, 0.2]], [[third, third, third], [0.05, 0.45, 0.5]]]
    np.testing.assert_allclose(table, by_hand, rtol=1e-15)


def test_smoothing_adds_pseudo_rows_spread_evenly(rows):
    table = fitted(rows, smoothing=10).probabilities

    # 10 rows over 12 cells: (12 + 10/12) / (20 + 10/4) and so on.
    np.testing.assert_allclose(table[0, 0], [(n + 10 / 12) / 22.5 for n in (12, 5, 3)], rtol=1e-15)
    np.testing.assert_allclose(table[1, 0], [1 / 3] * 3, rtol=1e-15)


def test_a_table_has_one_parameter_less_than_states_for_each_row(rows):
    assert fitted(rows).n_parameters == 4 * 2


def test_the_log_likelihood_at_the_maximum_is_the_sum_of_n_log_share(rows):
    table = fitted(rows)
    codes = [np.array([int(value) for value in rows[name]]) for name in "aby"]

    total = table.log_probability(codes[2], codes[:2]).sum()

    by_hand = sum(n * math.log(n / sum(row)) for row in COUNTS.values() for n in row if n)
    assert total == pytest.approx(by_hand, rel=1e-14)


def test_a_parent_with_one_state_changes_nothing(rows):
    with_constant = {"a": rows["a"], "c": ["same"] * len(rows["a"]), "b": rows["b"], "y": rows["y"]}

    table = fitted(with_constant)

    assert table.n_parameters == 8
    np.testing.assert_array_equal(table.probabilities[:, 0], fitted(rows).probabilities)


def test_a_table_that_is_too_large_is_refused_with_its_size():
    columns = {f"x{j}": list("abcdefghij") for j in range(9)}

    with pytest.raises(DataError, match=r"'x8' with its 8 parents would have 1,000,000,000 cells"):
        fitted(columns)


def test_draws_follow_the_row_of_the_parents():
    table = TableCPD([[0.6, 0.25, 0.15], [0.1, 0.0, 0.9]], labels=["a", "b", "c"], parents=["p"])
    parent = np.repeat([0, 1], 50_000)

    drawn = table.sample([parent], parent.size, np.random.default_rng(0))

    first = np.bincount(drawn[:50_000], minlength=3)
    second = np.bincount(drawn[50_000:], minlength=3)
    assert chisquare(first, 50_000 * np.array([0.6, 0.25, 0.15])).pvalue > 1e-4
    assert second[1] == 0
    assert chisquare(second[[0, 2]], 50_000 * np.array([0.1, 0.9])).pvalue > 1e-4


@given(
    weights=st.lists(st.integers(0, 5), min_size=1, max_size=9).filter(any),
    draw=st.floats(0, 1, exclude_max=True),
)
def test_a_draw_is_the_first_state_whose_cumulative_probability_exceeds_it(weights, draw):
    cumulative = np.cumsum(weights) / np.sum(weights)

    state = draw_states(cumulative[None, :], np.zeros(1, dtype=np.int64), np.array([draw]))[0]

    assert state == next(k for k, bound in enumerate(cumulative) if draw < bound)


def test_the_largest_uniform_number_never_draws_an_impossible_state():
    class LargestUniform:
        def random(self, n):
            return np.full(n, np.nextafter(1.0, 0.0))

    # Ten tenths add up to less than 1 in floating point.
    table = TableCPD([0.1] * 10 + [0.0], labels=range(11))

    assert table.sample([], 3, LargestUniform()).tolist() == [9, 9, 9]


@pytest.mark.parametrize(
    ("table", "labels", "parents", "reason"),
    [
        ([0.5, 0.6], "ab", [], "labels are"),
        ([0.5, 0.5], ["a", "a"], [], "different"),
        ([0.5, 0.6], ["a", "b"], [], "sum to 1"),
        ([-0.5, 1.5], ["a", "b"], [], "from 0 to 1"),
        ([math.nan, 1.0], ["a", "b"], [], "from 0 to 1"),
        ([[0.5, 0.5]], ["a", "b"], [], "1 axes"),
        ([1.0], ["a", "b"], [], "length 2"),
        ([[1.0], [0.5, 0.5]], ["a", "b"], ["p"], "rectangular"),
        ([[[0.5, 0.5]]], ["a", "b"], ["p", "p"], "different names"),
        ([], [], [], "one or more"),
    ],
)
def test_a_table_that_is_none_is_refused(table, labels, parents, reason):
    with pytest.raises(DataError, match=reason):
        TableCPD(table, labels=labels, parents=parents)


def test_tables_are_equal_when_parents_labels_and_numbers_are():
    table = TableCPD([0.5, 0.5], labels=["a", "b"])

    assert table == TableCPD([0.5, 0.5], labels=["a", "b"])
    assert hash(table) == hash(TableCPD([0.5, 0.5], labels=["a", "b"]))
    assert table != TableCPD([0.4, 0.6], labels=["a", "b"])
    assert table != TableCPD([0.5, 0.5], labels=["b", "a"])
    assert table != "a table"

"""Rows that agree are counted once, and small tables are fitted cell by cell."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.hybrid.l1 import coded_rows
from structlearn.learners.hybrid.l1.coded_rows import CodedRows, RowsProblem
from structlearn.numerics.softmax_groups import Cells
from structlearn.statistics import from_dataset

ROWS = {"a": list("xxyyx"), "b": list("pqpqp"), "c": [0.0, 1.0, 2.0, 3.0, 0.0]}


def coded(**more):
    return CodedRows(from_dataset(sl.Dataset(ROWS | more)))


def test_equal_rows_are_one_with_their_weight():
    table = coded()

    assert len(table.values) == 4
    assert sorted(table.weights.tolist()) == [1.0, 1.0, 1.0, 2.0]


@pytest.mark.parametrize("most_bits", [62, 0])
@pytest.mark.parametrize("members", [[0], [0, 1], [1, 2]])
def test_joint_states_are_those_of_the_rows(monkeypatch, members, most_bits):
    monkeypatch.setattr(coded_rows, "LARGEST_NUMBER_BITS", most_bits)
    table = coded()

    first, place = table.distinct(np.array(members))

    expected = np.unique(table.values[:, members], axis=0)
    assert table.values[first][:, members].tolist() == expected.tolist()
    assert expected[place].tolist() == table.values[:, members].tolist()


def test_counts_are_shares_of_all_rows():
    table = coded()
    first, cells = table.distinct(np.array([0]))

    shares = table.counts(1, cells, len(first))

    # a = x has p twice and q once among five rows, a = y each once.
    assert shares.tolist() == [[pytest.approx(0.4), pytest.approx(0.2)], [pytest.approx(0.2)] * 2]


def test_discrete_columns_are_fitted_by_cells_and_others_by_rows(monkeypatch):
    table = coded()

    assert isinstance(table.problem(0, np.array([1, 2])), Cells)
    assert isinstance(table.problem(2, np.array([0, 1])), RowsProblem)
    monkeypatch.setattr(coded_rows, "MOST_CELL_WEIGHTS", 1)
    assert isinstance(table.problem(0, np.array([1, 2])), RowsProblem)

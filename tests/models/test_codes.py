"""Discrete columns in the codes of a model, and rows of codes as a table again."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.models.alignment import aligned
from structlearn.models.codes import codes_of, dataset_of, weighted_total

LABELS = {"a": ("no", "yes"), "b": (0, 1, 2)}
CODES = np.array([[0, 2], [1, 0], [1, 2]])


def test_rows_of_codes_become_a_table_and_come_back():
    table = dataset_of(CODES, LABELS)

    assert table.labels == LABELS
    assert [list(column) for column in table.to_dict().values()] == [["no", "yes", "yes"], [2, 0, 2]]
    assert codes_of(table).tolist() == CODES.tolist()


def test_a_table_is_recoded_by_the_labels_of_a_model_and_keeps_its_weights():
    data = sl.Dataset({"a": ["yes", "no"], "b": ["2", "0"]}, weights=[1.0, 3.0])

    found = aligned(data, {"a": ("no", "yes"), "b": (0, 1, 2)})

    assert codes_of(found).tolist() == [[1, 2], [0, 0]]
    assert found.weights.tolist() == [1.0, 3.0]
    assert found.labels == LABELS


def test_a_value_that_is_no_state_is_named_with_its_row():
    with pytest.raises(sl.DataError, match=r"Column 'a' has the value 'maybe' in row 1"):
        aligned(sl.Dataset({"a": ["yes", "maybe"]}), {"a": ("no", "yes")})


def test_rows_count_by_their_weight_and_not_at_all_without_one():
    plain = sl.Dataset({"a": ["x", "y"]})
    weighted = sl.Dataset({"a": ["x", "y"]}, weights=[2.0, 0.0])

    assert weighted_total(plain, np.array([-1.0, -2.5])) == -3.5
    assert weighted_total(weighted, np.array([-1.0, -math.inf])) == -2.0

"""Rows are put together by what they lack and by what they know, and none is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from structlearn.errors import DataError
from structlearn.inference.predictions.known_rows import (
    KnownRows,
    by_pattern,
    different_rows,
    refuse_impossible,
)
from tests.oracles.models import asia

SHAPES = st.tuples(st.integers(0, 12), st.integers(1, 10))


@given(unknown=arrays(np.bool_, SHAPES))
def test_every_row_is_in_the_group_of_its_gaps(unknown):
    seen = []
    for pattern, rows in by_pattern(unknown):
        assert (unknown[rows] == pattern).all()
        seen += rows.tolist()

    assert sorted(seen) == list(range(len(unknown)))
    assert sum(1 for _ in by_pattern(unknown)) == len({tuple(row) for row in unknown.tolist()})


@given(codes=arrays(np.int64, SHAPES, elements=st.integers(0, 2)), is_wide=st.booleans())
def test_a_row_is_like_the_first_of_its_kind(codes, is_wide):
    """With many columns of many states their number does not fit an integer or float; rows are compared."""
    levels = [2**400 if is_wide else 3] * codes.shape[1]

    first, number = different_rows(codes, levels)

    if codes.size:
        np.testing.assert_array_equal(codes[first][number], codes)
        assert len(first) == len({tuple(row) for row in codes.tolist()})


def test_without_columns_all_rows_are_alike():
    first, number = different_rows(np.empty((3, 0), dtype=np.int64), [])

    assert (first.tolist(), number.tolist()) == ([0], [0, 0, 0])


def test_columns_become_codes_of_the_model_and_gaps_minus_one():
    rows = KnownRows.of("predict", asia(), {"smoke": ["no", None, "yes"], "id": [1, 2, 3]})

    codes = rows.codes()

    smoke = asia().nodes.index("smoke")
    assert codes[:, smoke].tolist() == [1, -1, 0]  # the states are yes and no
    assert (np.delete(codes, smoke, axis=1) == -1).all()
    assert rows.evidence(0, asia().labels) == {"smoke": "no"}
    assert rows.evidence(0, asia().labels, without="smoke") == {}


def test_impossible_rows_are_named_by_the_first_and_counted():
    refuse_impossible("predict", np.empty(0, dtype=np.int64))
    with pytest.raises(DataError, match=r"row 4, counted from 0, has probability 0"):
        refuse_impossible("predict", np.array([4]))
    with pytest.raises(DataError, match=r"row 2, counted from 0, and 2 more rows have probability 0"):
        refuse_impossible("predict", np.array([7, 2, 9]))

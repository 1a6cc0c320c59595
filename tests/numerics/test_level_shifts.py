"""Changes of a mean beside their definition, and how rarely memory is taken for one.

Numbers: docs/references/time.md#a-level-that-changes.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from structlearn.numerics.level_shifts import gains, level_shifts

STEP = np.array([0.0, 1, 0, -1, 1, 0, 5, 6, 5, 4, 6, 5])[:, None]


def left(rows):
    return float(((rows - rows.mean()) ** 2).sum())


def test_the_change_of_a_small_series_is_what_is_worked_out():
    found = gains(STEP)

    assert (left(STEP), left(STEP[:6]) + left(STEP[6:])) == pytest.approx((80.6666667, 5.6666667))
    assert found.argmax() == 6
    assert found.max() == pytest.approx(15.9343463, abs=1e-6)
    assert level_shifts(STEP)[0].tolist() == [6]
    assert level_shifts(STEP)[1] > 0.0


@given(seed=st.integers(0, 1000), n=st.integers(4, 12))
@settings(max_examples=25, deadline=None)
def test_gains_are_those_of_two_means(seed, n):
    rows = np.random.default_rng(seed).normal(size=(n, 2))

    found = gains(rows)

    for j in range(2):
        column = rows[:, j]
        by_hand = [
            n / 2 * np.log(left(column) / (left(column[:t]) + left(column[t:]))) for t in range(2, n - 1)
        ]
        assert found[:, j] == pytest.approx([0.0, 0.0, *by_hand, 0.0])


def test_constants_and_few_rows_change_nowhere():
    assert (level_shifts(np.full((9, 2), 3.5))[1] < 0.0).all()
    assert (gains(np.array([[0.0], [5.0], [9.0]])) == 0.0).all()


def remembering(a, n_rows, n_columns, rng):
    rows = rng.normal(size=(n_rows + 100, n_columns))
    for t in range(1, len(rows)):
        rows[t] += a * rows[t - 1]
    return rows[100:]


@pytest.mark.parametrize("a", [0.0, 0.5, 0.9, 1.0])
def test_series_that_remember_are_rarely_taken_for_changed(a):
    rng = np.random.default_rng(0)
    tables = [stats.rankdata(remembering(a, 200, 10, rng), axis=0) for _ in range(40)]

    assert sum((level_shifts(rows)[1] > 0.0).any() for rows in tables) <= 5  # some 3 in 100 are


@pytest.mark.parametrize("a", [0.0, 0.5])
def test_a_change_by_two_deviations_is_found_where_it_is(a):
    rng = np.random.default_rng(1)
    for _ in range(10):
        rows = remembering(a, 200, 5, rng)
        rows[120:, 3] += 2.0 * rows[:, 3].std()
        at, beyond = level_shifts(stats.rankdata(rows, axis=0))
        assert beyond[3] > 0.0
        assert abs(at[3] - 120) <= 10

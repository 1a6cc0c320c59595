"""Changes of a mean beside their definition, and how rarely memory is taken for one.

Numbers: docs/references/time.md#a-level-that-changes.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from structlearn.numerics.level_shifts import all_shifts, gains, joint_shift, level_shifts

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


def test_the_steps_of_a_stair_are_all_found_and_chance_adds_few():
    rng = np.random.default_rng(2)
    found = []
    for _ in range(20):
        rows = remembering(0.3, 300, 1, rng)
        rows += np.repeat([0.0, 4.0, 8.0], 100)[:, None] * rows.std()
        found.append(all_shifts(stats.rankdata(rows, axis=0)))

    assert sum(len(each) == 2 for each in found) >= 18
    assert all(
        abs(at - step) <= 10
        for each in found
        if len(each) == 2
        for at, step in zip(each, (100, 200), strict=True)
    )
    assert sum(len(all_shifts(remembering(0.5, 300, 1, rng))) for _ in range(20)) <= 1


@given(seed=st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_gains_of_all_columns_add_up_where_they_change_together(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(60, 4))
    rows[25:] += 2.0

    at, beyond = joint_shift(rows)

    # The share of rows that are independent is at most 1, and rows of no order have nearly all.
    most = gains(rows).sum(axis=1).max() - (0.5 * 4 + 1.0) * np.log(60)
    assert abs(at - 25) <= 2
    assert 0.0 < beyond <= most


def test_a_change_too_small_for_each_column_shows_in_all_together_and_chance_does_not():
    rng = np.random.default_rng(3)
    tables = [remembering(0.5, 250, 10, rng) for _ in range(30)]
    moved = [rows.copy() for rows in tables]
    for rows in moved:
        rows[120:] += 0.6 * rows.std(axis=0) * rng.choice([-1.0, 1.0], 10)

    assert sum(joint_shift(rows)[1] > 0.0 for rows in tables) == 0
    together = sum(joint_shift(rows)[1] > 0.0 for rows in moved)
    assert together >= 20
    assert together > sum((level_shifts(rows)[1] > 0.0).any() for rows in moved)

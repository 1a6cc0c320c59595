"""Moments and checks of wide tables go block by block, and say the same."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners import preconditions
from structlearn.learners.preconditions import ready_statistics
from structlearn.run import Run
from structlearn.statistics import blocks, from_dataset, products

ROWS = np.random.default_rng(0).normal(size=(30, 11)).cumsum(axis=1)


def moments(monkeypatch, rows_at_once, weights=None):
    monkeypatch.setattr(products, "ROWS_AT_ONCE", rows_at_once)
    monkeypatch.setattr(products, "VALUES_AT_ONCE", len(ROWS) * rows_at_once)
    return from_dataset(sl.Dataset(ROWS, weights=weights)).moments()


@pytest.mark.parametrize("rows_at_once", [1, 3, 4, 10, 11, 50])
def test_blocks_of_any_size_have_the_covariances_of_numpy(monkeypatch, rows_at_once):
    found = moments(monkeypatch, rows_at_once)

    assert found.covariance == pytest.approx(np.cov(ROWS.T, bias=True))
    assert found.correlation == pytest.approx(np.corrcoef(ROWS.T))
    assert (found.covariance == found.covariance.T).all()


@pytest.mark.parametrize("rows_at_once", [1, 3, 4, 10, 11])
@pytest.mark.parametrize("n_jobs", [2, 3])
@pytest.mark.parametrize("weights", [None, 1.0 + np.arange(30) % 3])
def test_threads_that_share_the_blocks_have_the_same_moments(monkeypatch, rows_at_once, n_jobs, weights):
    monkeypatch.setattr(blocks, "COST_OF_A_THREAD", 0.0)
    alone = moments(monkeypatch, rows_at_once, weights)

    shared = from_dataset(sl.Dataset(ROWS, weights=weights), n_jobs=n_jobs).moments()

    np.testing.assert_array_equal(shared.mean, alone.mean)
    np.testing.assert_array_equal(shared.covariance, alone.covariance)
    np.testing.assert_array_equal(shared.correlation, alone.correlation)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize(("column", "like"), [(10, 9), (0, 10), (5, 1)])
def test_of_columns_that_nearly_repeat_rows_in_any_order_have_the_same_covariances(
    monkeypatch, column, like, n_jobs
):
    monkeypatch.setattr(blocks, "COST_OF_A_THREAD", 0.0)
    rows = np.random.default_rng(1).normal(size=(300, 11))
    rows[:, column] = 1e-7 * rows[:, column] - rows[:, like]

    upright, upside_down = (
        from_dataset(sl.Dataset(table), n_jobs=n_jobs).moments() for table in (rows, rows[::-1])
    )

    np.testing.assert_array_equal(upside_down.covariance, upright.covariance)


@pytest.mark.parametrize("rows_at_once", [1, 2, 5, 100])
@pytest.mark.parametrize("n_rows", [5, 30])
def test_the_first_repeated_column_is_named_whatever_the_block(monkeypatch, rows_at_once, n_rows):
    monkeypatch.setattr(preconditions, "ROWS_AT_ONCE", rows_at_once)
    table = {f"x{j:02}": column for j, column in enumerate(ROWS[:n_rows].T)}
    table["x07"], table["x10"] = -2.0 * table["x03"], 1.0 + table["x08"]

    with pytest.raises(sl.DataError, match="'x03', 'x07' are the same but for scale"):
        ready_statistics(sl.Dataset(table), Run("PC"))

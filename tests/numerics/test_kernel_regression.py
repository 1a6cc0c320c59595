"""Regression by kernels is that of scikit-learn with the ridge of least generalised cross-validation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression

from structlearn.numerics.kernel_regression import RIDGES, _shortest, cross_fitted_residuals


def by_definition(inputs, target):
    """Half by half: a line, then ridge regression of what it leaves, by the least criterion."""
    width = np.median(pdist(inputs))
    gamma = 1 / (2 * width**2)
    found = np.empty(len(target))
    for held in (np.arange(len(target)) % 2 == 1, np.arange(len(target)) % 2 == 0):
        known, n = ~held, (~held).sum()
        bent = target - LinearRegression().fit(inputs[known], target[known]).predict(inputs)
        criteria, left = [], []
        for ridge in RIDGES:
            model = KernelRidge(alpha=ridge * n, kernel="rbf", gamma=gamma)
            smoother = model.fit(inputs[known], np.eye(n)).predict(inputs[known])
            missed = bent[known] - smoother @ bent[known]
            criteria.append((missed @ missed / n) / (np.trace(np.eye(n) - smoother) / n) ** 2)
            left.append(bent[held] - model.fit(inputs[known], bent[known]).predict(inputs[held]))
        found[held] = left[int(np.argmin(criteria))]
    return found


@pytest.mark.parametrize(("n_rows", "noise"), [(40, 0.1), (41, 1.0), (9, 0.3)])
@pytest.mark.parametrize("n_inputs", [1, 2])
def test_residuals_are_those_of_the_definition(n_rows, noise, n_inputs):
    rng = np.random.default_rng(n_rows)
    inputs = rng.normal(size=(n_rows, n_inputs))
    target = np.sin(2 * inputs[:, 0]) + inputs.sum(axis=1) + noise * rng.normal(size=n_rows)

    expected = by_definition(inputs, target)

    assert cross_fitted_residuals(inputs, target) == pytest.approx(expected, abs=1e-8)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(8, 30), st.floats(-100, 100), st.floats(-100, 100))
def test_a_line_leaves_nothing_and_what_is_added_to_a_target_changes_nothing(seed, n_rows, level, slope):
    rng = np.random.default_rng(seed)
    x, other = rng.normal(size=(2, n_rows))
    line = level + slope * x

    assert cross_fitted_residuals(x[:, None], line) == pytest.approx(np.zeros(n_rows), abs=1e-8)
    assert cross_fitted_residuals(x[:, None], other + line) == pytest.approx(
        cross_fitted_residuals(x[:, None], other), abs=1e-7
    )


def test_a_row_is_not_predicted_by_itself_or_by_its_own_half():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 30))
    moved = y.copy()
    moved[5] += 10.0
    change = cross_fitted_residuals(x[:, None], moved) - cross_fitted_residuals(x[:, None], y)

    assert change[5] == pytest.approx(10.0)
    assert np.delete(change[1::2], 2) == pytest.approx(np.zeros(14))
    assert (np.abs(change[::2]) > 1e-6).any()


def test_without_inputs_each_half_is_measured_from_the_mean_of_the_other():
    found = cross_fitted_residuals(np.empty((4, 0)), np.array([1.0, 10.0, 3.0, 20.0]))

    assert found.tolist() == [1.0 - 15.0, 10.0 - 2.0, 3.0 - 15.0, 20.0 - 2.0]


def test_inputs_that_are_all_tied_leave_the_same():
    target = np.array([1.0, 10.0, 3.0, 20.0, 5.0, 0.0, 7.0, 2.0])
    found = cross_fitted_residuals(np.ones((8, 1)), target)

    assert found == pytest.approx(cross_fitted_residuals(np.empty((8, 0)), target), abs=1e-8)


def test_of_more_inputs_than_rows_the_shortest_slopes_are_taken():
    rng = np.random.default_rng(0)
    design, target = rng.normal(size=(6, 9)), rng.normal(size=6)
    design[4:] = design[:2]  # and rows that are there twice

    assert _shortest(design, target) == pytest.approx(np.linalg.pinv(design) @ target, abs=1e-8)
    assert _shortest(design.T, design[0]) == pytest.approx(np.linalg.pinv(design.T) @ design[0], abs=1e-8)

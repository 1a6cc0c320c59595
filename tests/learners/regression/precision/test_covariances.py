"""Covariances of rows and of parts of them, beside numpy's."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from structlearn.learners.regression.precision.covariances import covariance_of, loss, moments_beside

ROWS = np.random.default_rng(0).normal(size=(40, 3)) @ np.array(
    [[2.0, 1.0, 0.0], [0.0, 1.0, 3.0], [0.0, 0.0, 0.5]]
)


def test_covariances_and_correlations_are_those_of_numpy():
    np.testing.assert_allclose(
        covariance_of(ROWS, standardise=False), np.cov(ROWS, rowvar=False, bias=True), atol=1e-12
    )
    np.testing.assert_allclose(
        covariance_of(ROWS, standardise=True), np.corrcoef(ROWS, rowvar=False), atol=1e-12
    )


def test_a_constant_column_has_variance_one_and_no_covariances():
    rows = np.column_stack([ROWS, np.full(40, 0.1)])

    for standardise in (False, True):
        assert covariance_of(rows, standardise=standardise)[3].tolist() == [0, 0, 0, 1]


def test_rows_beside_others_are_measured_from_their_mean_in_their_units():
    kept, held_out = ROWS[:30], ROWS[30:]
    apart = (held_out - kept.mean(axis=0)) / kept.std(axis=0)

    found = moments_beside(kept, held_out, standardise=True)

    np.testing.assert_allclose(found, apart.T @ apart / 10, atol=1e-12)


def test_the_loss_is_that_of_the_normal_density():
    precision = np.array([[2.0, -0.5, 0.0], [-0.5, 1.0, 0.2], [0.0, 0.2, 1.5]])
    rows = ROWS - ROWS.mean(axis=0)
    densities = multivariate_normal(np.zeros(3), np.linalg.inv(precision)).logpdf(rows)

    expected = -2.0 * densities.mean() - 3 * np.log(2 * np.pi)
    assert loss(precision, covariance_of(ROWS, standardise=False)) == pytest.approx(expected)
    assert loss(-precision, np.eye(3)) == np.inf

"""Widths of kernels by the probability of Gaussian processes."""

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.spatial.distance import cdist

from structlearn.independence.tuned_widths import improbability, tuned_widths

RNG = np.random.default_rng(0)
GIVEN = RNG.normal(size=(40, 2))
COLUMNS = np.column_stack([np.sin(3 * GIVEN[:, 0]), GIVEN[:, 0]]) + 0.3 * RNG.normal(size=(40, 2))
STRATA = np.eye(2)[RNG.integers(0, 2, 40)]


def log_density(widths, noise, column, strata):
    """That of a column as one draw of a normal distribution, at the best of many sizes."""
    scaled = GIVEN / widths
    kernel = np.exp(-cdist(scaled, scaled, "sqeuclidean") / 2) * (strata @ strata.T)
    covariance = kernel + noise * np.eye(len(column))

    def minus(log_size):
        return -stats.multivariate_normal(cov=np.exp(log_size) * covariance).logpdf(column)

    return -optimize.minimize_scalar(minus, bounds=(-8, 8), method="bounded", options={"xatol": 1e-9}).fun


@pytest.mark.parametrize("strata", [np.ones((40, 1)), STRATA])
def test_improbability_is_that_of_normal_distributions(strata):
    points = np.log([[1.0, 1.0, 0.1, 0.1], [0.4, 3.0, 0.02, 2.0], [5.0, 0.3, 50.0, 0.5]])
    ours = [improbability(point, COLUMNS, GIVEN, strata @ strata.T)[0] for point in points]
    plain = []
    for *widths, one, other in np.exp(points):
        ends = zip((one, other), COLUMNS.T, strict=True)
        plain.append(-sum(log_density(widths, noise, column, strata) for noise, column in ends))

    assert np.diff(ours) == pytest.approx(np.diff(plain), rel=1e-5)


def test_its_slope_is_that_of_small_steps():
    point = np.log([0.7, 2.0, 0.1, 0.6])
    _, slope = improbability(point, COLUMNS, GIVEN, STRATA @ STRATA.T)
    steps = 1e-5 * np.eye(4)
    by_steps = [
        improbability(point + step, COLUMNS, GIVEN, STRATA @ STRATA.T)[0]
        - improbability(point - step, COLUMNS, GIVEN, STRATA @ STRATA.T)[0]
        for step in steps
    ]

    assert slope == pytest.approx(np.array(by_steps) / 2e-5, rel=1e-5)


def test_what_says_nothing_gets_a_wide_kernel():
    widths = tuned_widths(COLUMNS, GIVEN, np.ones((40, 1)))

    assert widths[0] < 1.5
    assert widths[1] > 4.0


def test_rows_beyond_some_hundred_change_little():
    z = np.random.default_rng(1).normal(size=(2000, 1))
    x = np.hstack([np.sin(2 * z), np.cos(2 * z)]) + 0.2 * np.random.default_rng(2).normal(size=(2000, 2))
    few, many = (tuned_widths(x[:n], z[:n], np.ones((n, 1))) for n in (300, 2000))

    assert many == pytest.approx(few, rel=0.3)

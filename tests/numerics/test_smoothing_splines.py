"""Smoothing splines: those of scipy at the penalty that cross-validation, written out, likes best."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_smoothing_spline

from structlearn.numerics.smoothing_splines import smoothed


def best_by_hand(times, states, weights):
    """The splines of least Σw(y − g)² / (n − trace)², over penalties beyond any that matter."""
    scaled = (times - times[0]) * (len(times) - 1) / (times[-1] - times[0])
    best, fitted = np.full(states.shape[1], np.inf), np.zeros_like(states)
    for penalty in np.geomspace(1e-7, 1e9, 161):
        smoother = make_smoothing_spline(scaled, np.eye(len(times)), w=weights, lam=penalty)(scaled)
        criterion = weights @ (states - smoother @ states) ** 2 / (len(times) - np.trace(smoother)) ** 2
        is_better = criterion < best
        best[is_better], fitted[:, is_better] = criterion[is_better], (smoother @ states)[:, is_better]
    return fitted


@pytest.mark.parametrize("n_times", [6, 40])
def test_they_are_those_that_cross_validation_likes_best_in_any_unit_of_time(n_times):
    rng = np.random.default_rng(n_times)
    times = np.cumsum(rng.uniform(0.5, 1.5, n_times))
    weights = rng.integers(1, 4, n_times).astype(float)
    course = np.exp(-times / n_times) * np.sin(6 * times / n_times)
    states = course[:, None] + rng.normal(size=(n_times, 3)) * [0.02, 0.1, 0.3]
    fitted = best_by_hand(times, states, weights)
    spread = np.abs(fitted - states).max(axis=0)

    for unit in (1.0, 60.0, 1e-6):
        values, slopes = smoothed(unit * times, states, weights)
        assert (np.abs(values - fitted) <= 1e-3 + 0.15 * spread).all()  # few penalties are tried
        natural = CubicSpline(times, values, bc_type="natural")
        assert unit * slopes == pytest.approx(natural(times, nu=1), abs=1e-6)


def test_lines_and_constants_stay_what_they_are():
    times = np.array([0.0, 1.0, 2.0, 4.0, 8.0, 16.0])

    values, slopes = smoothed(times, np.column_stack([3 * times - 1, np.full(6, 2.5)]), np.ones(6))

    assert values == pytest.approx(np.column_stack([3 * times - 1, np.full(6, 2.5)]))
    assert slopes == pytest.approx(np.column_stack([np.full(6, 3.0), np.zeros(6)]))


def test_long_slow_courses_are_smoothed_too():
    times = np.arange(2000.0)
    course = np.sin(times / 400)
    noisy = course + 0.3 * np.random.default_rng(0).normal(size=2000)

    values, _ = smoothed(times, noisy[:, None], np.ones(2000))

    # Some 15 rows of 2,000 are enough for two waves: errors of about 0.3·√(15/2000).
    assert np.sqrt(np.mean((values[:, 0] - course) ** 2)) < 0.04

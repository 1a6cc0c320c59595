"""Slopes of cubic splines are those of scipy, and exact on cubics."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from structlearn.numerics.spline_slopes import spline_slopes


@pytest.mark.parametrize("n_knots", [4, 5, 6, 40])
@pytest.mark.parametrize("seed", range(3))
def test_slopes_are_those_of_another_library(n_knots, seed):
    rng = np.random.default_rng(seed)
    times, states = np.cumsum(rng.uniform(0.1, 2.0, n_knots)), rng.normal(size=(n_knots, 3))

    expected = CubicSpline(times, states)(times, 1)

    assert spline_slopes(times, states) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_cubic_has_its_own_slopes():
    times = np.array([0.0, 0.5, 0.7, 2.0, 3.5])

    found = spline_slopes(times, (times**3 - 2.0 * times)[:, None])

    assert found[:, 0] == pytest.approx(3.0 * times**2 - 2.0)

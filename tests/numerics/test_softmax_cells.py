"""Kernels of softmax regressions agree with their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax as by_scipy

from structlearn.numerics.kernels.softmax_cells import log_softmax


@settings(deadline=None)  # the first call compiles
@given(seed=st.integers(0, 10_000), spread=st.sampled_from([1e-3, 1.0, 1e4]))
def test_log_softmax_is_what_scipy_says(seed, spread):
    rng = np.random.default_rng(seed)
    linear = spread * rng.normal(size=(rng.integers(1, 6), rng.integers(1, 5)))

    np.testing.assert_allclose(log_softmax(linear), by_scipy(linear, axis=1), rtol=1e-12, atol=1e-12)


def test_numbers_beyond_the_exponential_do_no_harm():
    assert log_softmax(np.array([[0.0, 1e4]])).tolist() == [pytest.approx([-1e4, 0.0])]

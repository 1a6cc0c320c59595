"""The gain of an indicator is the best that any weight of it brings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from structlearn.numerics.log_linear.indicator_gains import indicator_gains

SHARES = st.floats(0.01, 0.99)


@given(SHARES, SHARES, st.floats(0.0, 0.3))
def test_gains_are_those_of_the_best_weight(in_data, in_model, penalty):
    def loss(weight):
        """Minus the log-likelihood per row of tilting the model by this weight, and its price."""
        return np.log1p(in_model * np.expm1(weight)) - weight * in_data + penalty * abs(weight)

    best = min(
        loss(0.0), *(minimize_scalar(loss, bounds=ends, method="bounded").fun for ends in [(-12, 0), (0, 12)])
    )

    found = indicator_gains(np.array([in_data]), np.array([in_model]), penalty)[0]

    assert found == pytest.approx(-best, abs=1e-6)


def test_what_the_model_is_sure_of_cannot_be_tilted():
    assert indicator_gains(np.array([0.5, 0.5]), np.array([0.0, 1.0]), 0.1).tolist() == [0, 0]

"""Rows of steady states are least squares with their errors, whatever the units of a node."""

import numpy as np
import pytest

from structlearn.learners.network.dynamics.steady_states import Experiments, _fitted


@pytest.mark.parametrize("unit", [1e-17, 1e-9, 1.0, 1e12])
@pytest.mark.parametrize("error", [0.0, 0.1])
def test_coefficients_and_their_errors_are_those_of_the_closed_form(unit, error):
    rng = np.random.default_rng(0)
    states = rng.normal(size=(60, 2))
    target = states @ [1.0, 2.0] + 0.1 * rng.normal(size=60)
    units, none = np.array([1.0, unit]), np.zeros((60, 2))
    experiments = Experiments(states * units, none, none, np.full((60, 2), error))

    row = _fitted(experiments, target, 0, np.arange(2), scaled=False)

    inverse = np.linalg.inv(states.T @ states)
    wanted = inverse @ states.T @ target
    variance = error**2 or np.square(target - states @ wanted).sum() / 58
    assert row.coefficients * units == pytest.approx(wanted)
    assert np.sqrt(np.diag(row.covariance)) * units == pytest.approx(np.sqrt(variance * np.diag(inverse)))

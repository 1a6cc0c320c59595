"""Proximal gradients end at the optimum of the lasso, and stay where a function is finite."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from structlearn.numerics.proximal_descent import proximal_descent


def test_the_lasso_of_scikit_learn_is_reached():
    rng = np.random.default_rng(0)
    design = rng.normal(size=(60, 8))
    target = design[:, 0] - 2.0 * design[:, 3] + rng.normal(size=60)

    def half_mean_square(weights):
        left = design @ weights - target
        return float(left @ left) / 120, design.T @ left / 60

    found = proximal_descent(half_mean_square, np.zeros(8), np.full(8, 0.2), tolerance=1e-10, most_steps=2000)

    expected = Lasso(alpha=0.2, fit_intercept=False, tol=1e-12).fit(design, target).coef_
    assert found == pytest.approx(expected, abs=1e-7)
    assert (found == 0.0).tolist() == (expected == 0.0).tolist()


def barrier(x):
    """−ln(1 − x) − 5x, least at 0.8, and infinite from 1 on."""
    if x[0] >= 1.0:
        return np.inf, x
    return -np.log(1.0 - x[0]) - 5.0 * x[0], 1.0 / (1.0 - x) - 5.0


def test_a_barrier_is_not_crossed():
    found = proximal_descent(barrier, np.zeros(1), np.zeros(1), tolerance=1e-10, most_steps=500)

    assert found == pytest.approx([0.8], abs=1e-6)


def test_it_ends_after_a_step_where_it_must():
    found = proximal_descent(
        barrier, np.zeros(1), np.zeros(1), tolerance=0.0, most_steps=500, must_stop=lambda: True
    )

    assert 0.0 < found[0] < 1.0
    assert abs(found[0] - 0.8) > 1e-3

"""The minimum between bounds is where hand calculation says."""

import numpy as np
import pytest

from structlearn.numerics.quasi_newton import quasi_newton


def distance_to(target):
    """Half the squared distance, and its slope."""
    return lambda x: (0.5 * float(((x - target) ** 2).sum()), x - target)


def test_a_paraboloid_is_least_at_its_centre():
    target = np.array([3.0, -2.0, 0.5])

    assert quasi_newton(distance_to(target), np.zeros(3)) == pytest.approx(target, abs=1e-9)


def test_between_bounds_each_number_is_the_nearest_one_allowed():
    found = quasi_newton(distance_to(np.array([3.0, -2.0, 0.5])), np.zeros(3), bounds=(-1.0, 1.0))

    assert found == pytest.approx([1.0, -1.0, 0.5], abs=1e-9)

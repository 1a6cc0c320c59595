"""Matrices of low norm: known optima, two ways to the same optimum, and signs that were not seen."""

import numpy as np
import pytest

from structlearn.numerics.factorization.low_norm import (
    factorised,
    hinge,
    shrunken,
    small_start,
    soft_imputed,
    squares,
)

SIGNS = np.array([[1.0, -1.0], [1.0, 1.0]])


def by_hinge(cost):
    """The optimum for the hinge itself: its round corner is made smaller and smaller."""
    point = small_start((2, 2), 2, np.random.default_rng(0))
    for width in 10.0 ** -np.arange(7):
        found = factorised(SIGNS, np.ones((2, 2), dtype=bool), point, cost, hinge(width))
        point = found.rows, found.columns
    return found


@pytest.mark.parametrize(
    ("cost", "matrix", "value"),
    [(0.2, 0 * SIGNS, 0.8), (0.6, 0 * SIGNS, 2.4), (1.0, SIGNS, 8**0.5), (5.0, SIGNS, 8**0.5)],
)
def test_signs_are_fitted_once_errors_cost_more_than_the_norm(cost, matrix, value):
    found = by_hinge(cost)  # 0 is best as long as the cost is at most 1 / ‖Y‖₂ = 0.7071

    assert found.matrix() == pytest.approx(matrix, abs=1e-4)
    assert found.value == pytest.approx(value, abs=1e-4)


def test_singular_values_are_made_smaller_by_hand():
    matrix = np.array([[2.0, 1.0], [0.0, 1.0]])  # singular values whose sum is √10

    expected = [[1.52565835, 0.84188612], [0.15811388, 0.52565835]]
    assert shrunken(matrix, 0.5) == pytest.approx(np.array(expected), abs=5e-9)
    norms = np.linalg.svd(matrix, compute_uv=False).sum(), np.linalg.svd(expected, compute_uv=False).sum()
    assert norms == pytest.approx((10**0.5, 10**0.5 - 1.0), abs=1e-8)


def test_factors_and_shrunken_values_reach_the_same_optimum():
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(12, 2)) @ rng.normal(size=(2, 9)) + 0.1 * rng.normal(size=(12, 9))
    is_known = rng.random(matrix.shape) < 0.7

    found = factorised(matrix, is_known, small_start(matrix.shape, 9, rng), 1.0 / 0.8, squares)

    assert found.matrix() == pytest.approx(soft_imputed(matrix, is_known, 0.8), abs=1e-4)


def test_with_all_entries_known_one_step_is_enough():
    matrix = np.random.default_rng(0).normal(size=(6, 5))

    assert soft_imputed(matrix, matrix < 99, 0.7) == pytest.approx(shrunken(matrix, 0.7), abs=1e-9)


@pytest.mark.parametrize("width", [1.0, 0.25])
def test_the_slope_of_the_hinge_is_that_of_its_value(width):
    fitted = np.linspace(-2.0, 2.0, 41) + 0.013
    labels = np.tile([1.0, -1.0], 21)[:41]
    values, slopes = hinge(width)(labels, fitted)
    later = hinge(width)(labels, fitted + 1e-6)[0]

    assert slopes == pytest.approx((later - values) / 1e-6, abs=1e-4)


def test_the_smooth_hinge_by_hand():
    values, _ = hinge()(np.ones(4), np.array([-1.0, 0.0, 0.5, 1.0]))

    assert values == pytest.approx([1.5, 0.5, 0.125, 0.0])


@pytest.mark.parametrize("seed", range(5))
def test_signs_that_were_not_seen_are_predicted(seed):
    rng = np.random.default_rng(seed)
    signs = np.sign(rng.normal(size=(60, 3)) @ rng.normal(size=(3, 60)))
    is_known = rng.random((60, 60)) < 0.4

    found = factorised(signs, is_known, small_start(signs.shape, 10, rng), 0.3, hinge())

    assert (np.sign(found.matrix()) == signs)[~is_known].mean() >= 0.85


def test_a_row_without_a_known_entry_is_predicted_as_nothing():
    is_known = np.ones((5, 4), dtype=bool)
    is_known[2] = False
    signs = np.sign(np.random.default_rng(0).normal(size=(5, 4)))

    found = factorised(signs, is_known, small_start(signs.shape, 4, np.random.default_rng(1)), 2.0, hinge())

    assert np.abs(found.matrix()[2]).max() < 1e-6

"""Low norm beside shifts of rows and columns, of symmetric matrices, and of grades."""

import numpy as np
import pytest

from structlearn.numerics.factorization.low_norm import hinge, small_start, soft_imputed, squares
from structlearn.numerics.factorization.margins import graded, shifted, symmetric


def low_rank(seed=0, shape=(10, 8)):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1])) + 0.1 * rng.normal(size=shape)
    return matrix, rng.random(shape) < 0.7, rng


def test_shifts_by_factors_and_by_shrunken_values_reach_the_same_optimum():
    matrix, is_known, rng = low_rank()
    matrix = matrix + 3.0 * rng.normal(size=(10, 1)) + 3.0 * rng.normal(size=8)

    found, _ = shifted(matrix, is_known, small_start(matrix.shape, 8, rng), 1.0 / 0.8, squares)

    assert found == pytest.approx(soft_imputed(matrix, is_known, 0.8, shifts=True), abs=1e-3)


def test_what_only_rows_and_columns_have_in_common_costs_nothing():
    matrix = np.arange(4.0)[:, None] - 2.0 * np.arange(3.0)

    assert soft_imputed(matrix, np.isfinite(matrix), 5.0, shifts=True) == pytest.approx(matrix, abs=1e-7)


def test_factors_of_a_symmetric_matrix_reach_the_one_optimum():
    matrix, is_known, rng = low_rank(shape=(9, 9))
    matrix, is_known = matrix + matrix.T, is_known | is_known.T

    found, value = symmetric(matrix, is_known, small_start(matrix.shape, 10, rng)[0], 1.0 / 0.8, squares)

    expected = soft_imputed(matrix, is_known, 0.8)
    assert found == pytest.approx(expected, abs=1e-3)
    norm = np.linalg.svd(expected, compute_uv=False).sum()
    assert value == pytest.approx(norm + 0.5 * ((matrix - expected) ** 2)[is_known].sum() / 0.8, rel=1e-5)


def test_two_grades_are_signs_beside_a_shift_of_each_row():
    rng = np.random.default_rng(1)
    signs = np.sign(rng.normal(size=(7, 2)) @ rng.normal(size=(2, 6)) + 0.5)
    start = small_start(signs.shape, 6, rng)

    found = graded((signs > 0).astype(np.int64), signs != 0, start, 0.5, 2)

    # Of the same optimum: moving any row's threshold, or all factors a little, makes nothing better.
    values, _ = hinge()(signs, found.matrix - found.thresholds)
    norm = np.linalg.svd(found.matrix, compute_uv=False).sum()
    assert found.value == pytest.approx(norm + 0.5 * values.sum(), rel=1e-4)
    for step in (-0.01, 0.01):
        moved, _ = hinge()(signs, found.matrix - found.thresholds - step)
        assert (moved.sum(axis=1) >= values.sum(axis=1) - 1e-6).all()


def test_grades_that_were_not_seen_are_predicted():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 30))
    grades = np.digitize(hidden, np.quantile(hidden, [0.25, 0.5, 0.75]))
    is_known = rng.random(grades.shape) < 0.7

    found = graded(grades, is_known, small_start(grades.shape, 6, rng), 0.3, 4).grades()

    away = np.abs(found - grades)[~is_known]
    assert away.mean() < 0.5 * np.abs(np.median(grades) - grades)[~is_known].mean()

"""Kernels of the optimisers equal their definitions in numpy."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.numerics.kernels.groups import block_norm, descend_groups, descend_groups_of_lists, move_row
from structlearn.numerics.kernels.precision import (
    curve,
    descend_columns,
    descend_columns_by_rows,
    free_pairs,
    mirror,
)
from structlearn.numerics.kernels.subsets import subset_residual

SEEDS = st.integers(0, 2**32)
STARTS = np.array([0, 2, 3, 6])  # three groups of two, one and three columns


def design(seed, n_rows=20, n_columns=6):
    return np.random.default_rng(seed).normal(size=(n_rows, n_columns))


@settings(deadline=None, max_examples=20)
@given(SEEDS, st.lists(st.integers(0, 5), unique=True))
def test_the_residual_of_a_subset_is_that_of_least_squares(seed, members):
    columns = design(seed)
    target = np.random.default_rng(seed + 1).normal(size=20)
    chosen = columns[:, members]
    fitted = chosen @ np.linalg.lstsq(chosen, target)[0] if members else np.zeros(20)

    found = subset_residual(
        columns.T @ columns, columns.T @ target, target @ target, np.array(members, dtype=np.int64)
    )

    assert found == pytest.approx(((target - fitted) ** 2).sum())


def test_a_dependent_column_explains_nothing_more():
    columns = design(0)
    columns[:, 5] = columns[:, 0] - columns[:, 1]
    gram, target = columns.T @ columns, columns.T @ columns[:, 3]

    with_it = subset_residual(gram, target, gram[3, 3], np.array([0, 1, 5]))

    assert with_it == pytest.approx(subset_residual(gram, target, gram[3, 3], np.array([0, 1])))


def test_a_move_changes_a_weight_and_every_gradient():
    columns = design(1)
    gram, weights = columns.T @ columns, np.arange(12.0).reshape(6, 2)
    target = np.ones((6, 2))
    gradient = target - 0.5 * gram @ weights

    move_row(gram, 0.5, 2, 1, 3.0, weights, gradient)

    assert weights[2, 1] == 8.0
    np.testing.assert_allclose(gradient, target - 0.5 * gram @ weights, atol=1e-9)
    assert block_norm(weights, 1, 3) == pytest.approx(np.linalg.norm(weights[1:3]))


@settings(deadline=None, max_examples=15)
@given(SEEDS, st.floats(0.01, 5.0))
def test_blocks_meet_the_conditions_of_an_optimum(seed, penalty):
    columns = design(seed)
    gram, target = columns.T @ columns / 20, columns.T @ design(seed + 1, n_columns=2) / 20
    bounds = np.array([np.linalg.eigvalsh(gram[a:b, a:b])[-1] for a, b in pairwise(STARTS)])
    penalties, weights = penalty * np.array([1.0, 0.5, np.inf]), np.zeros((6, 2))
    gradient = target.copy()

    descend_groups(gram, STARTS, bounds, penalties, 1.5, weights, gradient, 1e-16, 10_000)

    np.testing.assert_allclose(gradient, target - 1.5 * gram @ weights, atol=1e-9)
    assert not weights[3:].any()
    for first, end, price in zip(STARTS[:2], STARTS[1:], penalties, strict=False):
        block, pull = weights[first:end], gradient[first:end]
        if block.any():
            np.testing.assert_allclose(pull, price * block / np.linalg.norm(block), atol=1e-5)
        else:
            assert np.linalg.norm(pull) <= price + 1e-9


def interpreted(kernel):
    return getattr(kernel, "py_func", kernel)


@pytest.mark.parametrize("n_columns", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_groups_descend_by_lists_as_by_loops_to_the_bit(seed, n_columns):
    columns = design(seed)
    gram, target = columns.T @ columns / 20, columns.T @ design(seed + 1, n_columns=n_columns) / 20
    bounds = np.array([np.linalg.eigvalsh(gram[a:b, a:b])[-1] for a, b in pairwise(STARTS)])
    bounds[0] *= seed != 2  # a block without curvature stays
    results = []
    for descend in (interpreted(descend_groups), descend_groups_of_lists):
        weights, gradient = 0.1 * target, target.copy()
        descend(gram, STARTS, bounds, 0.2 * np.arange(3.0), 1.5, weights, gradient, 1e-9, 30)
        results.append((weights.tolist(), gradient.tolist()))

    assert results[0] == results[1]


def model_of(seed, p=11):
    """A covariance, a precision that is not its inverse, and the inverse of that."""
    rows = design(seed, 30, p)
    covariance = rows.T @ rows / 30
    precision = np.diag(1.0 / np.diag(covariance))
    precision[0, 1] = precision[1, 0] = 0.1
    return covariance, precision, np.linalg.inv(precision)


def test_free_pairs_are_those_that_are_not_zero_or_should_not_be():
    covariance, precision, inverse = model_of(0)
    penalties = np.full(covariance.shape, 0.2)

    rows, ends = free_pairs(covariance, inverse, precision, penalties)

    expected = [
        (i, j)
        for j in range(11)
        for i in range(j + 1)
        if precision[i, j] != 0.0 or abs(covariance[i, j] - inverse[i, j]) > 0.2
    ]
    columns = np.repeat(np.arange(11), np.diff(ends, prepend=0))
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == expected


def all_pairs(p):
    return np.concatenate([np.arange(j + 1) for j in range(p)]), np.cumsum(np.arange(1, p + 1))


def symmetric(rows, ends, values):
    """The symmetric matrix that has these values at pairs (i, j), i <= j."""
    columns = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    matrix = np.zeros((len(ends), len(ends)))
    matrix[rows, columns] = matrix[columns, rows] = values
    return matrix


def test_the_curve_of_a_direction_is_inverse_times_it_times_inverse():
    _, _, inverse = model_of(1)
    rows, ends = all_pairs(11)
    direction = np.random.default_rng(2).normal(size=len(rows))
    out = np.empty(len(rows))

    curve(inverse, rows, ends, direction, np.empty_like(inverse), out)

    expected = inverse @ symmetric(rows, ends, direction) @ inverse
    columns = np.repeat(np.arange(11), np.diff(ends, prepend=0))
    np.testing.assert_allclose(out, expected[rows, columns], atol=1e-10)


@pytest.mark.parametrize("cuts", [(0, 11), (0, 8, 11)])
def test_the_model_is_least_where_its_conditions_hold(cuts):
    covariance, precision, inverse = model_of(3)
    rows, ends = all_pairs(11)
    columns = np.repeat(np.arange(11), np.diff(ends, prepend=0))
    gradient = (covariance - inverse)[rows, columns]
    penalty, value = np.full(len(rows), 0.1), precision[rows, columns]
    target = value.copy()

    product = np.zeros_like(inverse)
    for _ in range(2000):
        parts = [
            descend_columns(inverse, gradient, penalty, rows, ends, product, start, stop, target)
            for start, stop in pairwise(cuts)
        ]

    slopes = gradient + (inverse @ symmetric(rows, ends, target - value) @ inverse)[rows, columns]
    assert sum(parts) < 1e-12
    assert np.abs(slopes + 0.1 * np.sign(target))[target != 0.0].max() < 1e-8
    assert np.abs(slopes)[target == 0.0].max(initial=0.0) <= 0.1 + 1e-8


@pytest.mark.parametrize("cuts", [(0, 11), (0, 8, 11)])
def test_columns_descend_by_rows_as_by_loops_to_the_bit(cuts):
    covariance, precision, inverse = model_of(4)
    rows, ends = all_pairs(11)
    columns = np.repeat(np.arange(11), np.diff(ends, prepend=0))
    gradient, penalty = (covariance - inverse)[rows, columns], np.full(len(rows), 0.1)
    results = []
    for descend in (interpreted(descend_columns), descend_columns_by_rows):
        target, product = precision[rows, columns], np.zeros_like(inverse)
        met = [
            descend(inverse, gradient, penalty, rows, ends, product, start, stop, target)
            for _ in range(3)
            for start, stop in pairwise(cuts)
        ]
        results.append((met, target.tolist(), product.tolist()))

    assert results[0] == results[1]


@pytest.mark.parametrize("descend", [descend_columns, descend_columns_by_rows])
def test_matrices_of_half_the_digits_give_the_same_step_and_curve_to_six_of_them(descend):
    covariance, precision, inverse = model_of(5)
    rows, ends = all_pairs(11)
    columns = np.repeat(np.arange(11), np.diff(ends, prepend=0))
    gradient, penalty = (covariance - inverse)[rows, columns], np.full(len(rows), 0.1)
    found = []
    for matrix in (inverse, inverse.astype(np.float32)):
        target, product, change = precision[rows, columns], np.zeros_like(matrix), np.empty(len(rows))
        descend(matrix, gradient, penalty, rows, ends, product, 0, 11, target)
        curve(matrix, rows, ends, target - precision[rows, columns], np.empty_like(matrix), change)
        found.append((target, product, change))

    for whole, half in zip(*found, strict=True):
        np.testing.assert_allclose(half, whole, atol=1e-6 * np.abs(whole).max())


@pytest.mark.parametrize("p", [1, 31, 33, 70])
def test_a_mirror_makes_a_matrix_symmetric(p):
    matrix = np.random.default_rng(p).normal(size=(p, p))
    expected = np.tril(matrix) + np.tril(matrix, k=-1).T

    mirror(matrix)

    assert (matrix == expected).all()

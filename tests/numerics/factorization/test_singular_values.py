"""Singular values: signs, shares, and how many of them are more than noise."""

import numpy as np
import pytest

from structlearn.numerics.factorization.singular_values import (
    decomposed,
    entropy_of,
    fractions_of,
    noise_factor,
    rank_by_chance,
    rank_by_noise,
    rank_by_thumb,
    values_by_chance,
)

SMALL = np.array([[3.0, 2.0, 2.0], [2.0, 3.0, -2.0]])


def of_rank_two(noise, seed=0, shape=(30, 80)):
    rng = np.random.default_rng(seed)
    signal = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1]))
    return signal + noise * rng.normal(size=shape)


def test_values_shares_and_entropy_by_hand():
    values = decomposed(SMALL).values  # the eigenvalues of [[17, 8], [8, 17]] are 25 and 9

    assert values == pytest.approx([5.0, 3.0], abs=1e-12)
    assert fractions_of(values) == pytest.approx([25 / 34, 9 / 34], abs=1e-12)
    assert entropy_of(values) == pytest.approx(0.8337649072, abs=1e-10)


def test_the_error_of_a_cut_is_the_sum_of_the_squares_that_are_dropped():
    matrix = of_rank_two(noise=1.0)
    whole = decomposed(matrix)

    for rank in (0, 1, 5, 30):
        error = ((matrix - whole.cut(rank).matrix()) ** 2).sum()
        assert error == pytest.approx((whole.values[rank:] ** 2).sum(), abs=1e-10 * (matrix**2).sum())


def test_what_is_left_without_a_component_has_nothing_of_it():
    whole = decomposed(of_rank_two(noise=1.0))

    left = whole.without([0, 3]).matrix()

    assert np.abs(whole.loadings[:, [0, 3]].T @ left).max() < 1e-12
    assert np.linalg.norm(whole.loadings[:, 1] @ left) == pytest.approx(whole.values[1], rel=1e-12)


def test_the_largest_loading_is_positive_whatever_the_sign_of_the_table():
    matrix = of_rank_two(noise=0.5)

    first, second = decomposed(matrix), decomposed(-matrix)

    assert (first.loadings.max(axis=0) >= -first.loadings.min(axis=0)).all()
    assert np.allclose(first.loadings, second.loadings)
    assert np.allclose(first.courses, -second.courses)


def test_the_entropy_is_1_for_equal_values_and_0_for_one():
    assert entropy_of(np.ones(5)) == pytest.approx(1.0)
    assert entropy_of(np.array([4.0, 0.0, 0.0])) == 0.0
    assert entropy_of(np.array([4.0])) == 0.0


@pytest.mark.parametrize("ratio", [0.05, 0.1, 0.3, 0.5, 0.8, 1.0])
def test_the_factor_of_noise_is_near_the_published_polynomial(ratio):
    published = 0.56 * ratio**3 - 0.95 * ratio**2 + 1.82 * ratio + 1.43

    assert noise_factor(ratio) == pytest.approx(published, abs=0.02)


@pytest.mark.parametrize("shape", [(10, 100), (100, 10)])
def test_the_threshold_is_that_of_the_ratio_of_the_sides(shape):
    # The published factor is 1.60 for sides of 1 to 10, and 2.86 for a square.
    assert rank_by_noise(np.array([2.0, 1.5, *[1.0] * 8]), shape) == 1
    assert rank_by_noise(np.array([2.0, 1.5, *[1.0] * 8]), (10, 10)) == 0


@pytest.mark.parametrize("seed", range(3))
def test_each_rule_finds_two_components_in_noise(seed):
    matrix = of_rank_two(noise=0.5, seed=seed)
    values, rng = decomposed(matrix).values, np.random.default_rng(seed)
    chance = np.array([values_by_chance(np.sort(matrix, axis=1), rng) for _ in range(40)])

    assert rank_by_chance(matrix, values, chance) == 2
    assert rank_by_noise(values, matrix.shape) == 2
    assert rank_by_thumb(values) == 2


def test_noise_alone_has_no_component():
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(20, 100))
    values = decomposed(matrix).values
    chance = np.array([values_by_chance(matrix, rng) for _ in range(40)])

    assert rank_by_noise(values, matrix.shape) == 0
    assert rank_by_chance(matrix, values, chance) == 0

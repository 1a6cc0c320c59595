"""Tests for curves given conditions, worked out step by step from their definitions."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cdist

from structlearn.independence import GCM, KCI, RCoT
from structlearn.independence.by_rows import Standardised
from structlearn.independence.kci import _share_left, _without_own_rows


def columns_of(n_rows, n_conditions, seed=0):
    """Standardised columns that depend on each other."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n_rows, n_conditions))
    x, y = np.tanh(z).sum(axis=1) + rng.normal(size=(2, n_rows))
    return Standardised.continuous(stats.zscore(x), stats.zscore(y), stats.zscore(z))


def plainly(columns):
    return columns.x[:, 0], columns.y[:, 0], columns.given


def gamma_law(mean, variance):
    return stats.gamma(mean**2 / variance, scale=variance / mean)


def kernel_of(rows, width=0.8):
    centring = np.eye(len(rows)) - 1 / len(rows)
    return centring @ np.exp(-cdist(rows, rows, "sqeuclidean") / (2 * width**2)) @ centring


@pytest.mark.parametrize("n_conditions", [1, 2, 3])
def test_kernels_given_conditions_have_the_p_value_of_the_definition(n_conditions):
    x, y, z = plainly(columns_of(40, n_conditions))
    z = z / n_conditions
    left = 1e-3 * np.linalg.inv(kernel_of(z) + 1e-3 * np.eye(40))
    one = left @ kernel_of(np.column_stack([x, z / 2])) @ left
    other = left @ kernel_of(y[:, None]) @ left
    mean = sum(one[t, t] * other[t, t] for t in range(40))
    apart = [(s, t) for s in range(40) for t in range(40) if s != t]
    variance = 2 * sum((one[s, t] * other[s, t]) ** 2 for s, t in apart) * 40 / 39
    squared = left @ left
    share = sum(squared[t, t] ** 2 for t in range(40)) / np.trace(squared @ squared)
    statistic = np.trace(one @ other)
    expected = gamma_law(mean, variance).sf(statistic * share)

    found = KCI()._answer(columns_of(40, n_conditions))

    assert found.statistic == pytest.approx(statistic, rel=1e-8)
    assert found.p_value == pytest.approx(expected, rel=1e-6)
    assert found.is_reliable is (n_conditions == 1)  # 25 rows for each are asked for


@pytest.mark.parametrize("n_gone", [0, 2, 4])
def test_an_even_projection_leaves_its_share_of_the_dimensions(n_gone):
    """The first waves of a circle are gone, from all of its points alike: by hand, m of n are left."""
    angles = 2 * np.pi * np.arange(12) / 12
    waves = [f(k * angles) for k in (1, 2) for f in (np.cos, np.sin)]
    gone = np.array(waves[:n_gone]).reshape(-1, 12) / np.sqrt(6)

    left = np.eye(12) - gone.T @ gone

    assert _share_left(left) == pytest.approx((12 - n_gone) / 12)


def test_the_variance_of_products_is_right_on_average():
    """Rows of independent ±1 times a scale: of M = Σ w wᵀ, n² tr (E w wᵀ)² is wanted, by hand."""
    rng = np.random.default_rng(0)
    scales, found, plain = np.array([1.0, 0.5]), [], []
    for _ in range(2000):
        x, y = rng.choice([-1.0, 1.0], size=(2, 8, 2)) * scales
        one, other = x @ x.T, y @ y.T
        plain.append(2 * np.square(one * other).sum())
        found.append(_without_own_rows(plain[-1], one, other))
    eigenvalues = np.outer(scales**2, scales**2)

    assert np.mean(found) == pytest.approx(2 * 8**2 * np.square(eigenvalues).sum(), rel=0.05)
    assert np.mean(plain) > 1.1 * np.mean(found)


def of_one(test, columns):
    """Sixteen features of a condition: five rows for each of them."""
    return np.column_stack([columns.given, test._features(columns.given, 16, 2)])


def of_two(test, columns):
    """Of the sixteen, four each of the lines that fit x and y best, and of both conditions."""
    x, y, z = plainly(columns)
    ways = [z @ np.linalg.inv(z.T @ z) @ z.T @ column for column in (x, y)] + [*z.T]
    alone = [test._features(way[:, None], 4, 3 + j) for j, way in enumerate(ways)]
    return np.column_stack([z, *alone])


@pytest.mark.parametrize(("n_conditions", "design_of"), [(1, of_one), (2, of_two)])
def test_features_given_conditions_have_the_p_value_of_the_definition(n_conditions, design_of):
    test, columns = RCoT(seed=4), columns_of(80, n_conditions)
    design = np.column_stack([np.ones(80), design_of(test, columns)])
    hat = design @ np.linalg.pinv(design, rcond=1e-5)
    x, y = (
        (np.eye(80) - hat) @ test._features(column, 5, role)
        for role, column in enumerate((columns.x, columns.y))
    )
    freedom = 80 - np.linalg.matrix_rank(design, rtol=1e-5)
    shares = np.maximum(1 - np.diag(hat), 0.05)  # of a row's noise
    products = np.array([np.outer(*row).ravel() / share for *row, share in zip(x, y, shares, strict=True)])
    spread = np.cov(products.T, bias=True) * freedom / 80
    statistic = 80 * np.square(x.T @ y / 80).sum()

    found = test._answer(columns)

    assert found.statistic == pytest.approx(statistic, rel=1e-6)
    law = gamma_law(np.trace(spread), 2 * np.square(spread).sum())
    assert found.p_value == pytest.approx(law.sf(statistic), rel=1e-6)


@pytest.mark.parametrize(("n_rows", "degree"), [(20, 2), (24, 3), (31, 3), (32, 4), (60, 4)])
def test_a_polynomial_has_as_many_terms_as_there_are_eight_rows_for_each(n_rows, degree):
    x, y, z = plainly(columns_of(n_rows, 1))
    left = [column - np.polyval(np.polyfit(z[:, 0], column, degree), z[:, 0]) for column in (x, y)]
    products = left[0] * left[1]
    expected = np.sqrt(n_rows - 1 - degree) * products.mean() / products.std()

    found = GCM()._answer(columns_of(n_rows, 1))

    assert found.statistic == pytest.approx(expected, rel=1e-8)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(expected)), rel=1e-8)
    assert found.is_reliable


def test_below_twenty_rows_or_ten_left_a_regression_says_nothing():
    assert GCM()._answer(columns_of(19, 1)) == (0.0, 1.0, False)
    assert GCM()._answer(columns_of(20, 10)) == (0.0, 1.0, False)  # nine are left beside eleven terms
    assert GCM()._answer(columns_of(21, 10)).is_reliable

"""Sparse components beside a search over all directions, and rough ones beside exact ones."""

import numpy as np
import pytest

from structlearn.numerics.factorization.singular_values import decomposed
from structlearn.numerics.factorization.sparse_loadings import (
    roughly_decomposed,
    sparse_component,
    sparsely_decomposed,
)


def cost(matrix, loading, course, price):
    return 0.5 * ((matrix - np.outer(loading, course)) ** 2).sum() + price * np.abs(loading).sum()


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6])
@pytest.mark.parametrize("seed", range(3))
def test_a_sparse_component_is_the_best_of_all_directions(seed, share):
    matrix = np.random.default_rng(seed).normal(size=(6, 2))
    loading, course = sparse_component(matrix, share)
    price = share * np.abs(matrix @ np.linalg.svd(matrix)[2][0]).max()

    angles = np.linspace(0.0, np.pi, 20_001)
    pulls = matrix @ np.array([np.cos(angles), np.sin(angles)])
    shrunk = np.sign(pulls) * np.maximum(np.abs(pulls) - price, 0.0)
    best = min(
        cost(matrix, u, (np.cos(a), np.sin(a)), price)
        for u, a in zip(shrunk.T[::20], angles[::20], strict=True)
    )
    assert cost(matrix, loading, course, price) <= best + 1e-6


def test_without_a_price_components_are_the_singular_ones():
    matrix = np.random.default_rng(0).normal(size=(7, 5))
    found, exact = sparsely_decomposed(matrix, 3, 0.0), decomposed(matrix).cut(3)

    assert found.values == pytest.approx(exact.values)
    assert found.loadings == pytest.approx(exact.loadings, abs=1e-6)
    assert found.courses == pytest.approx(exact.courses, abs=1e-6)


def test_loadings_of_variables_that_have_little_of_a_component_are_zero():
    rng = np.random.default_rng(0)
    matrix = np.repeat(rng.normal(size=(2, 60)), 4, axis=0) * np.repeat([[2.0], [1.0]], 4, axis=0)
    matrix += 0.1 * rng.normal(size=matrix.shape)

    found = sparsely_decomposed(matrix, 2, 0.4)

    assert (found.loadings != 0.0).T.tolist() == [[True] * 4 + [False] * 4, [False] * 4 + [True] * 4]


def test_nothing_is_found_in_nothing():
    assert len(sparsely_decomposed(np.zeros((3, 4)), 2, 0.1).values) == 0


@pytest.mark.parametrize("shape", [(40, 90), (90, 40)])
def test_rough_components_are_the_exact_ones_where_values_fall_off(shape):
    rng = np.random.default_rng(0)
    exact = decomposed(
        rng.normal(size=(shape[0], 5)) @ rng.normal(size=(5, shape[1])) + 0.01 * rng.normal(size=shape)
    )
    matrix = exact.matrix()

    found = roughly_decomposed(matrix, 4, rng)

    assert found.values == pytest.approx(exact.values[:4], rel=1e-8)
    assert found.cut(4).matrix() == pytest.approx(exact.cut(4).matrix(), abs=1e-6)
    assert (found.loadings[np.abs(found.loadings).argmax(axis=0), np.arange(4)] > 0.0).all()

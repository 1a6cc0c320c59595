"""How slopes change along a direction, by whole matrices and by pairs, on the arrays of numpy."""

import numpy as np
import pytest

from structlearn.gpu import curvature, precision
from structlearn.run import never
from tests.gpu.test_precision import random_problem


@pytest.fixture(autouse=True)
def of_any_size(monkeypatch):
    monkeypatch.setattr(curvature, "FEWEST_COLUMNS", 0)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_change_is_the_product_of_three_matrices(share, monkeypatch):
    monkeypatch.setattr(curvature, "DENSE", share)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 9))
        root = rng.normal(size=(n, n))
        inverse = root @ root.T
        is_free = np.triu((rng.random((n, n)) < 0.4) | np.eye(n, dtype=np.bool_))
        pairs = np.nonzero(is_free)
        direction = np.zeros((n, n))
        direction[pairs] = rng.normal(size=len(pairs[0]))
        direction += np.triu(direction, k=1).T

        found = curvature.curving(np, inverse, pairs)(direction[pairs])

        np.testing.assert_allclose(found, (inverse @ direction @ inverse)[pairs], atol=1e-10)


def test_both_ways_end_at_the_same_matrix(monkeypatch):
    for seed in range(10):
        covariance, penalties = random_problem(seed)
        found = []
        for share in (0.0, 1.0):
            monkeypatch.setattr(curvature, "DENSE", share)
            start = np.diag(1.0 / np.diag(covariance))
            found.append(
                precision.minimise(np, covariance, penalties, start, tolerance=1e-12, must_stop=never)[0]
            )
        np.testing.assert_allclose(*found, atol=1e-6 * np.abs(found[0]).max())

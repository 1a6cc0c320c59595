"""Kernels of all nodes' regressions: each node as if it were alone."""

import numpy as np
import pytest

from structlearn.learners.regression.nodewise.kernels.neighborhoods import refit_residuals, solve_nodes
from structlearn.numerics.descent import lasso

P = 6


def correlation():
    rows = np.random.default_rng(0).normal(size=(80, P)).cumsum(axis=1)
    return np.corrcoef(rows, rowvar=False)


@pytest.mark.parametrize("weights", [np.ones((1, P)), np.random.default_rng(1).uniform(0.5, 2, (P, P))])
def test_each_node_has_the_lasso_on_all_others(weights):
    gram, coefficients, gaps = correlation(), np.zeros((P, P)), np.full(P, np.nan)
    penalties, ridges = np.full(P, 0.1), np.full(P, 0.02)

    solve_nodes(gram, 1, 5, weights, penalties, np.full(P, np.inf), ridges, 1e-12, coefficients, gaps)

    for node in range(1, 5):
        others = np.broadcast_to(weights, (P, P))[node].copy()
        others[node] = np.inf
        alone = lasso(gram, gram[node], penalty=0.1, weights=others, ridge=0.02, tolerance=1e-12, total=1.0)
        assert coefficients[node] == pytest.approx(alone.coefficients, abs=1e-6)
        assert 0.0 <= gaps[node] < 1e-9
    assert not coefficients[[0, 5]].any()
    assert np.isnan(gaps[[0, 5]]).all()


def test_refitted_residuals_are_those_of_least_squares_on_the_neighbors():
    gram = correlation()
    chosen = np.zeros((P, P))
    chosen[2, [1, 3]] = 0.5
    sizes, residuals = np.zeros(P), np.full(P, np.nan)

    refit_residuals(gram, 2, 4, chosen, sizes, residuals)

    own = gram[2, [1, 3]]
    assert residuals[2] == pytest.approx(1 - own @ np.linalg.solve(gram[np.ix_([1, 3], [1, 3])], own))
    assert residuals[3] == pytest.approx(1.0)
    assert sizes.tolist() == [0, 0, 2, 0, 0, 0]
    assert np.isnan(residuals[[0, 1, 4, 5]]).all()

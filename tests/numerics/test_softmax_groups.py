"""Softmax regressions with a penalty on groups: the optimum, by its conditions and by another optimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

from structlearn.numerics.group_descent import GroupFit
from structlearn.numerics.softmax_groups import Cells

WIDTHS = (2, 1, 3)


def random_cells(seed, n_cells=30, n_levels=3):
    rng = np.random.default_rng(seed)
    n_columns = sum(WIDTHS)
    design = np.column_stack([rng.normal(size=(n_cells, n_columns)), np.ones(n_cells)])
    shares = rng.random((n_cells, n_levels)) + rng.random(n_levels)
    starts = np.cumsum([0, *WIDTHS, 1])
    return Cells(design, shares / shares.sum(), starts)


def fitted(cells, penalties, tolerance=1e-9):
    start = GroupFit(
        np.zeros((sum(WIDTHS), cells.shares.shape[1])), np.zeros(cells.shares.shape[1]), 0.0, 0.0
    )
    return cells.fit(np.array(penalties), start, tolerance=tolerance)


def mean_loss(cells, weights):
    return -float((cells.shares * log_softmax(cells.design @ weights, axis=1)).sum())


@pytest.mark.parametrize("seed", range(3))
def test_without_penalties_the_loss_is_the_least_that_another_optimiser_finds(seed):
    cells = random_cells(seed)
    shape = cells.design.shape[1], cells.shares.shape[1]

    found = fitted(cells, [0.0, 0.0, 0.0])

    best = minimize(lambda flat: mean_loss(cells, flat.reshape(shape)), np.zeros(shape[0] * shape[1])).fun
    assert found.loss == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_with_penalties_the_conditions_of_the_optimum_hold(seed):
    cells = random_cells(seed)
    penalties = np.array([0.02, 0.05, 0.03])

    found = fitted(cells, penalties)

    weights = np.vstack([found.weights, found.intercepts])
    fractions = np.exp(log_softmax(cells.design @ weights, axis=1))
    slope = cells.design.T @ (cells.shares - cells.shares.sum(axis=1, keepdims=True) * fractions)
    assert slope[-1] == pytest.approx(0.0, abs=1e-6)
    for group, penalty in enumerate(penalties):
        rows = slice(cells.starts[group], cells.starts[group + 1])
        norm = np.linalg.norm(found.weights[rows])
        if norm:
            assert slope[rows] == pytest.approx(penalty * found.weights[rows] / norm, abs=1e-6)
        else:
            assert np.linalg.norm(slope[rows]) <= penalty + 1e-6


def test_beyond_the_largest_pull_only_intercepts_are_left():
    cells = random_cells(0)

    found = fitted(cells, [10.0, 10.0, 10.0])

    assert not found.weights.any()
    assert np.exp(log_softmax(found.intercepts)) == pytest.approx(cells.shares.sum(axis=0), abs=1e-6)

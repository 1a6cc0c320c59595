"""Starts of non-negative factors, a price of their entries, and entries that are held out."""

import numpy as np
import pytest
from sklearn.decomposition import NMF
from sklearn.decomposition._nmf import _initialize_nmf

from structlearn.numerics.factorization.nonnegative import (
    descended,
    descended_at_a_price,
    factorised,
    loss_of,
    multiplied,
    multiplied_where_known,
)
from structlearn.numerics.factorization.nonnegative_starts import random_start, singular_start

MATRIX = np.random.default_rng(0).gamma(1.0, size=(8, 3)) @ np.random.default_rng(1).gamma(1.0, size=(3, 11))


def never():
    return False


@pytest.mark.parametrize("rank", [1, 3, 5])
def test_the_start_by_singular_vectors_is_that_of_scikit_learn(rank):
    matrix = MATRIX + np.random.default_rng(2).random(MATRIX.shape)

    found = singular_start(matrix, rank)

    for ours, theirs in zip(found, _initialize_nmf(matrix, rank, init="nndsvd", random_state=0), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-5)


def test_zeros_of_the_start_can_be_filled():
    parts, mixtures = singular_start(np.eye(3), 3, fill=0.5)

    assert min(parts.min(), mixtures.min()) == 0.5


def test_a_price_leads_where_scikit_learn_goes_from_the_same_start():
    price, start = 0.1, random_start(MATRIX.shape, 3, float(MATRIX.mean()), np.random.default_rng(3))
    theirs = NMF(3, init="custom", solver="cd", alpha_W=price, l1_ratio=1.0, tol=1e-10, max_iter=5000)
    parts = theirs.fit_transform(MATRIX, W=start[0].copy(), H=start[1].copy())

    prices = price * MATRIX.shape[1], price * len(MATRIX)
    found = factorised(
        MATRIX, start, descended_at_a_price(*prices), "euclidean", never, prices, tolerance=1e-13
    )

    def cost(left, right):
        """What is minimised, with the scale of each factor shared out as it is cheapest."""
        paid = np.sqrt(prices[0] * left.sum(axis=0) * prices[1] * right.sum(axis=1))
        return 0.5 * loss_of(MATRIX, left, right) + 2.0 * paid.sum()

    assert cost(found.parts, found.mixtures) == pytest.approx(cost(parts, theirs.components_), rel=1e-4)


def test_without_a_price_the_sweep_is_the_usual_one():
    start = random_start(MATRIX.shape, 2, 1.0, np.random.default_rng(0))

    for ours, usual in zip(
        descended_at_a_price(0.0, 0.0)(MATRIX, *start), descended(MATRIX, *start), strict=True
    ):
        assert ours == pytest.approx(usual)


def test_where_all_is_known_the_sweep_is_the_multiplicative_one():
    start = random_start(MATRIX.shape, 2, 1.0, np.random.default_rng(0))

    found = multiplied_where_known(np.ones(MATRIX.shape, dtype=bool))(MATRIX, *start)

    for ours, usual in zip(found, multiplied(MATRIX, *start), strict=True):
        assert ours == pytest.approx(usual)


def test_entries_that_are_held_out_change_nothing_and_the_known_are_fitted_better_and_better():
    rng = np.random.default_rng(0)
    is_known = rng.random(MATRIX.shape) < 0.8
    start, losses = random_start(MATRIX.shape, 3, 1.0, rng), []
    sweep, point = multiplied_where_known(is_known), start
    for _ in range(50):
        point = sweep(np.where(is_known, MATRIX, np.nan), *point)
        losses.append(((MATRIX - point[0] @ point[1]) ** 2)[is_known].sum())
        assert loss_of(np.where(is_known, MATRIX, np.nan), *point) == pytest.approx(losses[-1])

    assert (np.diff(losses) <= 1e-9).all()
    again = start
    for _ in range(50):
        again = sweep(np.where(is_known, MATRIX, 0.0), *again)
    assert again[0] == pytest.approx(point[0])

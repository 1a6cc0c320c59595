"""Non-negative factors: updates that never lose, sparseness, and modules that runs agree on.

Numbers are in docs/references/networks.md#factors.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import NMF

from structlearn.numerics.factorization.consensus import consensus_of, cophenetic_correlation
from structlearn.numerics.factorization.nonnegative import (
    Sparse,
    descended,
    descended_at_a_price,
    descended_sparsely,
    factorised,
    loss_of,
    multiplied,
    multiplied_by_divergence,
    multiplied_where_known,
)
from structlearn.numerics.factorization.nonnegative_starts import random_start
from structlearn.numerics.factorization.sparseness import made_sparse, projected, sparseness_of

MATRIX = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 1.0, 1.0]])
PARTS = np.array([[0.5, 0.2], [0.3, 0.9], [0.4, 0.7]])
MIXTURES = np.array([[0.6, 0.1, 0.8], [0.2, 0.9, 0.5]])


def never():
    return False


def losses(sweep, loss, n_sweeps):
    parts, mixtures = PARTS, MIXTURES
    found = [loss_of(MATRIX, parts, mixtures, loss)]
    for _ in range(n_sweeps):
        parts, mixtures = sweep(MATRIX, parts, mixtures)
        found.append(loss_of(MATRIX, parts, mixtures, loss))
    return np.array(found)


@pytest.mark.parametrize(
    ("sweep", "loss", "expected"),
    [
        (multiplied, "euclidean", {0: 51.292, 1: 1.65122077, 10: 0.49905036, 100: 0.14183803}),
        (multiplied_by_divergence, "kl", {0: 18.87740028, 1: 0.47841894, 10: 0.21856905}),
    ],
)
def test_multiplicative_updates_lose_what_the_formulas_say(sweep, loss, expected):
    found = losses(sweep, loss, 100)

    assert {step: found[step] for step in expected} == pytest.approx(expected, abs=5e-9)
    assert (np.diff(found) <= 1e-9).all()


def test_least_squares_of_each_factor_never_lose_and_are_faster():
    found = losses(descended, "euclidean", 20)

    assert (np.diff(found) <= 1e-9).all()
    assert found[20] < losses(multiplied, "euclidean", 20)[20] / 10


@pytest.mark.parametrize("sweep", [multiplied, multiplied_by_divergence], ids=["euclidean", "kl"])
def test_sweeps_are_those_of_scikit_learn(sweep):
    loss = "euclidean" if sweep is multiplied else "kl"
    rng = np.random.default_rng(0)
    matrix, parts, mixtures = rng.random((8, 12)), rng.random((8, 3)), rng.random((3, 12))
    # scikit-learn updates the left factor first: the transposed problem is the same as ours.
    other = NMF(
        3,
        init="custom",
        solver="mu",
        beta_loss="frobenius" if loss == "euclidean" else "kullback-leibler",
        max_iter=50,
        tol=0.0,
    )
    left = other.fit_transform(matrix.T, W=mixtures.T.copy(), H=parts.T.copy())

    for _ in range(50):
        parts, mixtures = sweep(matrix, parts, mixtures)

    expected = loss_of(matrix, other.components_.T, left.T, loss)
    assert loss_of(matrix, parts, mixtures, loss) == pytest.approx(expected, rel=1e-6)


def test_updates_of_what_is_known_do_not_look_at_gaps_and_never_lose():
    is_known = np.array([[True, True, False], [True, False, True], [True, True, True]])
    gaps = np.where(is_known, MATRIX, np.nan)
    sweep = multiplied_where_known(is_known)

    found = [loss_of(gaps, PARTS, MIXTURES)]
    parts, mixtures = PARTS, MIXTURES
    for _ in range(200):
        parts, mixtures = sweep(gaps, parts, mixtures)
        found.append(loss_of(gaps, parts, mixtures))

    assert found[0] == pytest.approx(np.square(MATRIX - PARTS @ MIXTURES)[is_known].sum())
    assert (np.diff(found) <= 1e-12).all()
    assert found[-1] < 1e-3  # seven entries, which two factors can meet


def test_updates_where_all_is_known_are_those_of_the_whole_matrix():
    found = multiplied_where_known(np.ones((3, 3), dtype=bool))(MATRIX, PARTS, MIXTURES)

    for ours, expected in zip(found, multiplied(MATRIX, PARTS, MIXTURES), strict=True):
        assert ours == pytest.approx(expected, rel=1e-12)


def test_at_a_price_each_entry_pays_or_is_zero():
    # The gradient of half the squares + price · sum: 0 where an entry is not 0, and nowhere below.
    price, parts, mixtures = 0.05, PARTS, MIXTURES
    for _ in range(3000):
        parts, mixtures = descended_at_a_price(price, price)(MATRIX, parts, mixtures)

    too_much = parts @ mixtures - MATRIX
    for gradient, entries in ((too_much @ mixtures.T, parts), (parts.T @ too_much, mixtures)):
        assert (gradient + price >= -1e-6).all()
        assert (gradient + price)[entries > 0.0] == pytest.approx(0.0, abs=1e-6)


def test_rows_of_zeros_stay_zeros():
    matrix = np.vstack([MATRIX, np.zeros(3)])
    start = (np.vstack([PARTS, [0.3, 0.4]]), MIXTURES)

    for sweep, loss in (
        (multiplied, "euclidean"),
        (multiplied_by_divergence, "kl"),
        (descended, "euclidean"),
    ):
        found = factorised(matrix, start, sweep, loss, never)
        assert np.abs(found.parts[3]).max() < 1e-6
        assert np.isfinite(found.mixtures).all()


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        ((1, 0, 0, 0), 1.0),
        ((1, 1, 1, 1), 0.0),
        ((3, 1, 0, 0), 0.7350889359),
        ((4, 3, 2, 1), 0.1742581416),
        ((-4, 3, 2, -1), 0.1742581416),  # the sizes alone count
    ],
)
def test_sparseness_by_its_formula(vector, expected):
    assert sparseness_of(np.array(vector, dtype=float)) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("sparseness", "expected"),
    [
        (0.2, (4.06631325, 2.99860542, 1.93089760, 0.86318977)),
        (0.5, (4.67510446, 2.73861279, 0.80212111, 0.0)),
        (0.8, (5.33572550, 1.23694519, 0.0, 0.0)),
    ],
)
def test_the_nearest_sparse_vector_by_hand(sparseness, expected):
    found = made_sparse(np.array([[4.0, 3.0, 2.0, 1.0]]), sparseness)[0]

    assert found == pytest.approx(expected, abs=5e-9)
    assert sparseness_of(found) == pytest.approx(sparseness, abs=1e-10)


def test_rows_are_made_sparse_each_by_itself_and_zeros_stay():
    rows = np.random.default_rng(0).normal(size=(7, 9))
    rows[2], rows[4], rows[5] = 0.0, 1.0, [3.0, *[0.0] * 8]

    found = made_sparse(rows, 0.7)

    assert found == pytest.approx(np.concatenate([made_sparse(row[None], 0.7) for row in rows]), abs=1e-12)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.linalg.norm(rows, axis=1))
    assert not found[2].any()


@settings(deadline=None, max_examples=50)
@given(
    vector=st.lists(st.floats(-5.0, 5.0), min_size=3, max_size=6),
    sparseness=st.floats(0.05, 0.95),
    seed=st.integers(0, 1000),
)
def test_no_vector_with_the_sum_and_length_is_nearer(vector, sparseness, seed):
    x, n = np.array(vector), len(vector)
    total = np.sqrt(n) - sparseness * (np.sqrt(n) - 1.0)

    found = projected(x[None], np.array([total]), np.ones(1))[0]

    assert found.min() >= 0.0
    assert [found.sum(), np.linalg.norm(found)] == pytest.approx([total, 1.0], abs=1e-6)
    swapped = np.random.default_rng(seed).permutation(found)
    assert np.linalg.norm(x - found) <= np.linalg.norm(x - swapped) + 1e-6


def test_sparse_factors_have_their_sparseness_and_never_lose():
    rng = np.random.default_rng(0)
    matrix = rng.random((12, 3)) @ rng.random((3, 20))
    parts, mixtures = random_start(matrix.shape, 3, matrix.mean(), rng)
    parts, sweep = made_sparse(parts.T, 0.6).T, descended_sparsely(Sparse(parts=0.6, mixtures=None))
    found = [loss_of(matrix, parts, mixtures)]
    for _ in range(60):
        parts, mixtures = sweep(matrix, parts, mixtures)
        found.append(loss_of(matrix, parts, mixtures))

    assert [sparseness_of(column) for column in parts.T] == pytest.approx([0.6] * 3, abs=1e-9)
    assert (np.diff(found) <= 1e-9).all()
    assert found[-1] < found[0] / 2


@pytest.mark.parametrize(("seed", "n_halvings"), [(0, 0), (89, 1)])
def test_a_sparse_sweep_goes_down_the_gradient_as_far_as_it_does_not_lose(seed, n_halvings):
    rng = np.random.default_rng(seed)
    matrix, parts = rng.random((3, 4)), rng.random((3, 2))
    mixtures = made_sparse(rng.random((2, 4)), 0.9)
    bend = np.linalg.eigvalsh(parts.T @ parts).max()
    tried = [
        made_sparse(mixtures - parts.T @ (parts @ mixtures - matrix) / (2.0**n * bend), 0.9)
        for n in range(n_halvings + 1)
    ]
    lost = [loss_of(matrix, parts, one) - loss_of(matrix, parts, mixtures) for one in tried]
    assert [loss > 0.0 for loss in lost] == [True] * n_halvings + [False]

    _, found = descended_sparsely(Sparse(parts=None, mixtures=0.9))(matrix, parts, mixtures)

    assert found == pytest.approx(tried[-1], abs=1e-12)


def test_where_every_sparse_step_loses_nothing_changes():
    rng = np.random.default_rng(1)
    parts, mixtures = rng.random((4, 2)), rng.random((2, 5))  # the best there is, and not sparse

    found = descended_sparsely(Sparse(parts=0.9, mixtures=0.9))(parts @ mixtures, parts, mixtures)

    assert np.array_equal(found[0], parts)
    assert np.array_equal(found[1], mixtures)


def test_runs_on_blocks_agree_and_their_tree_is_exact():
    rng = np.random.default_rng(0)
    blocks = np.kron(np.eye(3), np.ones((4, 1))) @ rng.exponential(size=(3, 40))
    runs = [
        factorised(blocks, random_start(blocks.shape, 3, blocks.mean(), rng), descended, "euclidean", never)
        for _ in range(6)
    ]
    best = [run.parts for run in runs if run.loss < 1e-3 * (blocks**2).sum()]

    consensus = consensus_of(best)

    assert np.array_equal(consensus, np.kron(np.eye(3), np.ones((4, 4))))
    assert cophenetic_correlation(consensus) == pytest.approx(1.0)


def test_runs_that_disagree_have_a_lower_correlation():
    consensus = consensus_of([np.eye(4)[[0, 0, 1, 1]], np.eye(4)[[0, 1, 1, 0]], np.eye(4)[[0, 1, 0, 1]]])

    assert consensus[0, 1] == pytest.approx(1 / 3)
    mixed = consensus.copy()
    mixed[0, 1] = mixed[1, 0] = 0.9
    mixed[1, 2] = mixed[2, 1] = 0.8
    assert cophenetic_correlation(mixed) < 0.99


def test_a_variable_without_a_factor_is_alone_even_in_a_single_run():
    consensus = consensus_of([np.array([[1.0, 0.0], [0.0, 0.0], [2.0, 1.0], [0.0, 0.0]])])

    assert consensus.tolist() == [[1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]]


def test_a_tree_of_one_cluster_keeps_its_distances():
    assert cophenetic_correlation(np.ones((3, 3))) == 1.0
    assert cophenetic_correlation(np.ones((1, 1))) == 1.0

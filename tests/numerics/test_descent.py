"""The lasso's descent: the optimum, its certificate, and what screening may not change."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import ElasticNet
from sklearn.linear_model import lasso_path as sklearn_lasso_path

from structlearn.numerics.descent import largest_penalty, lasso, lasso_path
from structlearn.numerics.kernels.lasso import descend, fill_gradient, hardest_pull, jump, n_pulling, pulling
from tests.oracles import regression as oracle

# From docs/references/regression.md#lasso: objective ½·SSE + λ·‖w‖₁ on these.
GRAM, TARGET, TOTAL = np.array([[4.0, 2.0], [2.0, 3.0]]), np.array([3.0, 2.5]), 5.0


def problem(seed, n, p, *, noise=1.0):
    rng = np.random.default_rng(seed)
    design = rng.normal(size=(n, p)) @ (np.eye(p) + 0.3 * rng.normal(size=(p, p)) / np.sqrt(p))
    response = design[:, : min(5, p)].sum(axis=1) + noise * rng.normal(size=n)
    return design, response


def moments(design, response):
    n = len(response)
    return design.T @ design / n, design.T @ response / n, float(response @ response / n)


@pytest.mark.parametrize(
    ("penalty", "expected", "value"),
    [
        (3.1, (0, 0), 2.5),
        (2, (0.25, 0), 2.375),
        (1, (0.375, 0.25), 1.9375),
        (0.5, (0.4375, 0.375), 1.578125),
        (0.1, (0.4875, 0.475), 1.223125),
    ],
)
def test_the_worked_example_of_two_columns(penalty, expected, value):
    fit = lasso(GRAM, TARGET, penalty=penalty, total=TOTAL, tolerance=1e-12)

    assert fit.coefficients == pytest.approx(expected, abs=1e-10)
    found = oracle.lasso_objective(GRAM, TARGET, TOTAL, np.full(2, penalty), fit.coefficients)
    assert found == pytest.approx(value, abs=1e-10)
    assert 0 <= fit.gap <= 1e-11


def test_without_a_penalty_it_is_least_squares_and_with_a_ridge_the_ridge():
    assert lasso(GRAM, TARGET, penalty=0, total=TOTAL).coefficients == pytest.approx([0.5, 0.5])
    ridge = lasso(GRAM, TARGET, penalty=0, ridge=1.0, total=TOTAL, tolerance=1e-12)
    assert ridge.coefficients == pytest.approx([0.4375, 0.40625])  # From docs/references/regression.md#lasso


def test_orthonormal_columns_are_soft_thresholded():
    target = np.array([2.0, -1.5, 0.3])

    fit = lasso(np.eye(3), target, penalty=0.5)

    assert fit.coefficients.tolist() == [1.5, -1.0, 0.0]


def test_a_column_that_tells_nothing_alone_comes_in_behind_one_that_it_corrects():
    # The first column is the signal plus the second: alone the second has nothing to do with the response.
    gram, target = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), np.array([1.0, 0.0, 0.01])

    fit = lasso(gram, target, penalty=0.1, total=1.0, tolerance=1e-12)

    # 2a + b = 1 - 0.1 and a + b = -(-0.1), so that a = 0.8 and b = -0.7.
    assert fit.coefficients == pytest.approx([0.8, -0.7, 0.0], abs=1e-9)
    assert 0 <= fit.gap <= 1e-11


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 1000), share=st.floats(0.05, 0.9))
def test_who_is_left_out_pulls_no_harder_than_the_penalty_and_who_is_in_just_as_hard(seed, share):
    gram, target, total = moments(*problem(seed, n=20, p=30))
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, 30)
    penalty = share * largest_penalty(target)

    fit = lasso(gram, target, penalty=penalty, weights=weights, total=total, tolerance=1e-12)

    pull, is_in = (target - gram @ fit.coefficients) / (penalty * weights), fit.coefficients != 0.0
    assert pull[is_in] == pytest.approx(np.sign(fit.coefficients[is_in]), abs=1e-4)
    assert np.abs(pull[~is_in]).max(initial=0.0) <= 1.0 + 1e-4


def test_from_the_largest_penalty_on_all_are_exactly_zero():
    assert largest_penalty(TARGET) == 3.0
    assert not lasso(GRAM, TARGET, penalty=3.0, total=TOTAL).coefficients.any()
    assert lasso(GRAM, TARGET, penalty=2.999, total=TOTAL).coefficients.any()


@pytest.mark.compiled
def test_a_path_meets_the_conditions_and_is_that_of_scikit_learn():
    design, response = problem(0, n=100, p=200)
    gram, target, total = moments(design, response)
    penalties = largest_penalty(target) * np.geomspace(1, 0.01, 50)

    path = lasso_path(gram, target, penalties=penalties, total=total, tolerance=1e-10)

    for penalty, w in zip(path.penalties, path.coefficients, strict=True):
        assert oracle.lasso_violation(gram, target, np.full(200, penalty), w) < 1e-6
    assert (path.gaps <= 1e-10 * total).all()
    _, theirs, _ = sklearn_lasso_path(design, response, alphas=penalties, tol=1e-11, max_iter=100_000)
    assert np.abs(path.coefficients - theirs.T).max() < 1e-5


def test_screening_changes_nothing():
    gram, target, total = moments(*problem(1, n=40, p=30))
    penalties = largest_penalty(target) * np.geomspace(1, 0.05, 8)

    path = lasso_path(gram, target, penalties=penalties, total=total, tolerance=1e-14)

    for penalty, w in zip(path.penalties, path.coefficients, strict=True):
        plain = oracle.lasso_by_plain_descent(gram, target, np.full(30, penalty))
        assert np.abs(w - plain).max() < 1e-8


def test_along_a_path_the_fit_improves_and_the_coefficients_grow():
    gram, target, total = moments(*problem(2, n=50, p=80))
    path = lasso_path(
        gram, target, penalties=np.geomspace(1, 0.02, 20) * largest_penalty(target), total=total
    )
    nothing = np.zeros(80)

    losses = [oracle.lasso_objective(gram, target, total, nothing, w) for w in path.coefficients]

    assert (np.diff(losses) <= 1e-6).all()
    assert (np.diff(np.abs(path.coefficients).sum(axis=1)) >= -1e-6).all()


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 10_000),
    p=st.integers(1, 8),
    share=st.floats(0.01, 0.9),
    tolerance=st.sampled_from([1e-2, 1e-5, 1e-9]),
)
def test_the_gap_bounds_the_distance_from_the_optimum(seed, p, share, tolerance):
    gram, target, total = moments(*problem(seed, n=20, p=p))
    penalties = np.full(p, share * largest_penalty(target))

    fit = lasso(gram, target, penalty=penalties[0], total=total, tolerance=tolerance)
    best = oracle.lasso_by_plain_descent(gram, target, penalties)

    def objective(w):
        return oracle.lasso_objective(gram, target, total, penalties, w)

    assert -1e-12 <= objective(fit.coefficients) - objective(best) <= fit.gap + 1e-12
    assert fit.gap <= 0.5 * tolerance * total + 1e-12


def test_an_elastic_net_is_that_of_scikit_learn():
    design, response = problem(3, n=60, p=20)
    design, response = design - design.mean(axis=0), response - response.mean()
    gram, target, total = moments(design, response)

    ours = lasso(gram, target, penalty=0.1 * 0.6, ridge=0.1 * 0.4, total=total, tolerance=1e-12)
    theirs = ElasticNet(alpha=0.1, l1_ratio=0.6, tol=1e-12, max_iter=100_000).fit(design, response)

    assert ours.coefficients == pytest.approx(theirs.coef_, abs=1e-6)


def test_weights_scale_the_penalty_zero_frees_and_infinity_leaves_out():
    gram, target, total = moments(*problem(4, n=60, p=6))
    weights = np.array([0.0, 0.5, 1.0, 2.0, np.inf, 1.0])

    fit = lasso(gram, target, penalty=0.3, weights=weights, total=total, tolerance=1e-13)

    kept = np.isfinite(weights)
    plain = oracle.lasso_by_plain_descent(gram[np.ix_(kept, kept)], target[kept], 0.3 * weights[kept])
    assert fit.coefficients[4] == 0.0
    assert fit.coefficients[kept] == pytest.approx(plain, abs=1e-8)


def test_a_constant_column_is_never_divided_by_and_a_repeated_one_stays_out():
    design, response = problem(5, n=50, p=4)
    design = np.column_stack([np.zeros(50), design, design[:, 0]])
    gram, target, total = moments(design, response)

    fit = lasso(gram, target, penalty=0.1, total=total, tolerance=1e-12)

    assert fit.coefficients[0] == 0.0
    assert fit.coefficients[1] != 0.0
    assert fit.coefficients[5] == 0.0  # of two equal columns the first is taken
    assert oracle.lasso_violation(gram, target, np.full(6, 0.1), fit.coefficients) < 1e-6


def test_nearly_equal_columns_take_few_sweeps():
    rng = np.random.default_rng(6)
    shared = rng.normal(size=(200, 1))
    design = shared + 1e-3 * rng.normal(size=(200, 10))
    gram, target, total = moments(design, design @ np.arange(10.0) + rng.normal(size=200))

    fit = lasso(gram, target, penalty=1e-6, total=total, tolerance=1e-10)

    assert fit.n_sweeps < 2000
    assert oracle.lasso_violation(gram, target, np.full(10, 1e-6), fit.coefficients) < 1e-6


def test_a_good_start_needs_no_work_and_a_bad_one_does_no_harm():
    gram, target, total = moments(*problem(7, n=60, p=10))
    fit = lasso(gram, target, penalty=0.2, total=total, tolerance=1e-12)

    again = lasso(gram, target, penalty=0.2, total=total, tolerance=1e-12, start=fit.coefficients)
    far = lasso(gram, target, penalty=0.2, total=total, tolerance=1e-12, start=np.full(10, 7.0))

    assert again.n_sweeps <= 2
    assert far.coefficients == pytest.approx(fit.coefficients, abs=1e-6)


def test_the_total_matters_only_for_the_certificate():
    gram, target, total = moments(*problem(8, n=60, p=10))

    with_it = lasso(gram, target, penalty=0.2, total=total, tolerance=1e-12)
    without = lasso(gram, target, penalty=0.2, tolerance=1e-12)

    assert without.coefficients == pytest.approx(with_it.coefficients, abs=1e-6)
    assert 0 <= without.gap < 1e-8


def test_the_kernel_works_in_place_and_skips_infinite_penalties():
    coefficients, gradient = np.zeros(2), np.empty(2)

    descend(GRAM, TARGET, np.array([1.0, np.inf]), coefficients, gradient, 1e-16, 1000)

    assert coefficients == pytest.approx([0.5, 0.0])  # (3 − 1) / 4
    assert gradient == pytest.approx(TARGET - GRAM @ coefficients)


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10_000), share=st.floats(0.01, 1.5))
def test_a_jump_never_raises_the_objective_nor_changes_a_sign(seed, share):
    gram, target, total = moments(*problem(seed, n=20, p=5))
    penalties = np.full(5, share * largest_penalty(target))
    before = np.random.default_rng(seed).normal(size=5)
    after, gradient = before.copy(), target - gram @ before

    jump(gram, penalties, after, gradient)

    def objective(w):
        return oracle.lasso_objective(gram, target, total, penalties, w)

    assert objective(after) <= objective(before) + 1e-12
    assert (after * before >= 0).all()
    assert gradient == pytest.approx(target - gram @ after)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), threshold=st.floats(0.01, 2.0))
def test_nobody_pulls_where_the_hardest_pull_is_below(seed, threshold):
    rng = np.random.default_rng(seed)
    weights, gradient = rng.choice([0.5, 1.0, np.inf], size=9), rng.normal(size=9)
    is_member = rng.random(9) < 0.4
    pulls = [abs(g) / w for g, w, is_in in zip(gradient, weights, is_member, strict=True) if not is_in]

    assert n_pulling(weights, threshold, gradient, is_member) == sum(pull > threshold for pull in pulls)
    assert hardest_pull(np.eye(9), 0.0, weights, gradient, np.arange(9), is_member) == max(pulls, default=0.0)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), threshold=st.floats(0.01, 2.0))
def test_who_is_in_or_not_zero_or_pulls_is_near(seed, threshold):
    rng = np.random.default_rng(seed)
    weights, gradient = rng.choice([0.0, 0.5, 1.0, np.inf], size=9), rng.normal(size=9)
    is_member, coefficients = rng.random(9) < 0.3, rng.choice([0.0, 0.0, 1.0], size=9)
    room = np.empty(9, dtype=np.int64)

    size = pulling(weights, threshold, coefficients, gradient, is_member, room)

    is_near = is_member | (coefficients != 0.0) | (np.abs(gradient) > threshold * weights)
    assert room[:size].tolist() == np.flatnonzero(is_near).tolist()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), n_used=st.integers(0, 11))
def test_a_gradient_is_what_is_left_of_the_target_to_the_bit_of_one_column_after_the_other(seed, n_used):
    rng = np.random.default_rng(seed)
    gram, target, coefficients, gradient = (
        rng.normal(size=(11, 11)),
        rng.normal(size=11),
        np.zeros(11),
        np.empty(11),
    )
    coefficients[rng.permutation(11)[:n_used]] = rng.normal(size=n_used)

    fill_gradient(gram, target, 0.0, coefficients, gradient)

    expected = target.copy()
    for row, weight in zip(gram, coefficients, strict=True):
        expected -= weight * row
    assert gradient.tolist() == expected.tolist()
    fill_gradient(gram, target, 0.5, coefficients, gradient)
    assert gradient == pytest.approx(expected - 0.5 * coefficients, rel=1e-12)

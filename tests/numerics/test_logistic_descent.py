"""Penalised logistic regression: the closed form, scikit-learn, and the certificate."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from structlearn.numerics.kernels.logistic import fit_logistic, number_cells
from structlearn.numerics.logistic_descent import logistic
from tests.oracles import regression as oracle


def problem(seed, n=120, p=15):
    rng = np.random.default_rng(seed)
    design = rng.normal(size=(n, p))
    return design, rng.random(n) < 1 / (1 + np.exp(-1.5 * design[:, 0] + design[:, 1] - 0.3))


@pytest.fixture
def four_cells():
    # From docs/references/regression.md#logistic-regression: counts of (y, x) are (1,1)=45, (1,0)=15,
    # (0,1)=10, (0,0)=30.
    x = np.repeat([1.0, 0.0, 1.0, 0.0], [45, 15, 10, 30])[:, None]
    return x, np.repeat([True, False], [60, 40])


def test_one_binary_column_has_the_closed_form(four_cells):
    fit = logistic(*four_cells, penalty=0.05)

    assert fit.intercept == pytest.approx(-0.2231435513, abs=1e-9)
    assert fit.coefficients[0] == pytest.approx(1.2039728043, abs=1e-9)
    assert fit.loss + 0.05 * abs(fit.coefficients[0]) == pytest.approx(0.6314066495, abs=1e-9)
    assert 0 <= fit.gap < 1e-10


def test_the_largest_penalty_leaves_nothing(four_cells):
    assert logistic(*four_cells, penalty=0.12).coefficients[0] == 0.0
    assert logistic(*four_cells, penalty=0.1199).coefficients[0] > 0.0


def test_rows_may_be_given_once_with_their_number(four_cells):
    x, y = np.array([[1.0], [0.0], [1.0], [0.0]]), np.array([True, True, False, False])

    fit = logistic(x, y, penalty=0.05, row_weights=np.array([45.0, 15.0, 10.0, 30.0]))

    assert fit.coefficients == pytest.approx(logistic(*four_cells, penalty=0.05).coefficients, abs=1e-8)


def scikit_learn(design, outcome, penalty):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its options are being renamed
        return LogisticRegression(
            penalty="l1", solver="saga", C=1 / (len(outcome) * penalty), tol=1e-11, max_iter=50_000
        ).fit(design, outcome)


@pytest.mark.parametrize("penalty", [0.1, 0.02])
def test_it_agrees_with_scikit_learn(penalty):
    design, outcome = problem(0)
    ours, theirs = logistic(design, outcome, penalty=penalty), scikit_learn(design, outcome, penalty)

    assert ours.coefficients == pytest.approx(theirs.coef_[0], abs=1e-6)
    assert ours.intercept == pytest.approx(theirs.intercept_[0], abs=1e-6)


@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 10_000), penalty=st.floats(0.005, 0.3), tolerance=st.sampled_from([0.1, 1e-2, 1e-4])
)
def test_the_gap_bounds_the_distance_from_the_optimum(seed, penalty, tolerance):
    design, outcome = problem(seed, n=40, p=5)

    # Without an intercept the scaled residual is a dual point exactly, at any tolerance.
    rough, best = (
        logistic(design, outcome, penalty=penalty, tolerance=t, intercept=False) for t in (tolerance, 1e-13)
    )

    def objective(fit):
        return oracle.logistic_objective(design, outcome, penalty, 0.0, fit.coefficients)

    assert best.gap < 1e-10
    assert -1e-12 <= objective(rough) - objective(best) <= rough.gap + 1e-12


def test_a_start_where_newton_steps_are_much_too_long_does_no_harm():
    design, outcome = problem(3, n=60, p=3)
    shares, penalties = np.full(60, 1 / 60), np.full(3, 0.02)
    far, near, residual = np.array([8.0, -8.0, 8.0]), np.zeros(3), np.empty(60)

    for coefficients in (far, near):
        fit_logistic(design, shares * outcome, shares, penalties, coefficients, residual, 1e-10)

    assert far == pytest.approx(near, abs=1e-7)


def test_the_conditions_hold_with_more_columns_than_rows():
    design, outcome = problem(1, n=40, p=100)

    fit = logistic(design, outcome, penalty=0.05)

    probability = 1 / (1 + np.exp(-fit.intercept - design @ fit.coefficients))
    slope = design.T @ (outcome - probability) / 40
    assert abs((outcome - probability).sum()) < 1e-6
    assert np.abs(slope).max() <= 0.05 + 1e-8
    chosen = fit.coefficients != 0
    assert slope[chosen] == pytest.approx(0.05 * np.sign(fit.coefficients[chosen]), abs=1e-8)


def test_columns_that_tell_the_outcome_apart_have_finite_coefficients():
    x = np.linspace(-1, 1, 40)[:, None]

    fit = logistic(x, x[:, 0] > 0, penalty=0.01)

    assert np.isfinite(fit.coefficients).all()
    assert fit.coefficients[0] > 5
    assert fit.gap < 1e-7


def test_without_an_intercept_two_spins_have_the_closed_form():
    # From docs/references/regression.md#ising-neighborhoods: J = atanh(m − λ) for states −1 and 1, where m
    # = mean of the product.
    x = np.repeat([1.0, -1.0], 50)
    y = x.copy()
    y[:10] *= -1
    y[50:60] *= -1  # agree in 80 of 100: m = .6

    fit = logistic(2 * x[:, None], y > 0, penalty=0.05, intercept=False)

    assert fit.coefficients[0] == pytest.approx(0.6183813136, abs=1e-9)


def test_weights_of_infinity_leave_a_column_out_and_of_zero_free_it():
    design, outcome = problem(2, p=3)

    fit = logistic(design, outcome, penalty=10.0, weights=np.array([0.0, np.inf, 1.0]))

    free = logistic(design[:, :1], outcome, penalty=1e-9)
    assert fit.coefficients[1:].tolist() == [0.0, 0.0]
    assert fit.coefficients[0] == pytest.approx(free.coefficients[0], abs=1e-6)


@given(codes=st.lists(st.lists(st.integers(0, 1), min_size=6, max_size=6), min_size=1, max_size=4))
def test_rows_are_numbered_by_their_states_as_they_come(codes):
    members = np.arange(len(codes))
    cells = np.empty(6, dtype=np.int64)

    n_cells = number_cells(np.array(codes), members, cells)

    rows = [*zip(*codes, strict=True)]
    assert n_cells == len(set(rows))
    assert cells.tolist() == [[*dict.fromkeys(rows)].index(row) for row in rows]

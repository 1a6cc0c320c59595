"""Group penalties: the lasso and the logistic regression as special cases, and a smooth stand-in."""

import numpy as np
import pytest

from structlearn.numerics import softmax_rows
from structlearn.numerics.descent import lasso
from structlearn.numerics.group_descent import (
    Grouped,
    GroupFit,
    SoftmaxLoss,
    SquaredLoss,
    fit_groups,
)
from structlearn.numerics.logistic_descent import logistic
from structlearn.numerics.softmax_rows import fit_softmax
from tests.oracles import regression as oracle

ROWS = 90


def centred(seed, p):
    columns = np.random.default_rng(seed).normal(size=(ROWS, p))
    return columns - columns.mean(axis=0)


def groups(columns, starts):
    return Grouped.of(columns, np.array(starts), np.full(len(columns), 1 / len(columns)))


def fitted(grouped, loss, penalties, solve=fit_groups, **options):
    start = GroupFit.empty(grouped.columns.shape[1], loss.alone(grouped.row_weights))
    return solve(grouped, loss, np.asarray(penalties), start, **options)


EITHER = pytest.mark.parametrize("solve", [fit_groups, fit_softmax])


@pytest.fixture
def three_states():
    columns = centred(1, 5)
    rng = np.random.default_rng(2)
    pulls = np.column_stack([columns[:, 0], columns[:, 1] - columns[:, 3], np.zeros(ROWS)])
    return columns, (pulls + rng.gumbel(size=(ROWS, 3))).argmax(axis=1)


def test_groups_of_one_column_are_the_lasso():
    columns = centred(0, 6)
    response = columns[:, 0] - 0.5 * columns[:, 2] + np.random.default_rng(1).normal(size=ROWS)
    response -= response.mean()
    grouped = groups(columns, range(7))

    fit = fitted(grouped, SquaredLoss(response), np.full(6, 0.15))

    total = response @ response / ROWS
    expected = lasso(grouped.gram, columns.T @ response / ROWS, penalty=0.15, total=total, tolerance=1e-12)
    assert fit.weights[:, 0] == pytest.approx(expected.coefficients, abs=1e-6)
    assert 0 <= fit.gap < 1e-6


def test_a_softmax_of_two_states_is_the_logistic_regression():
    columns = centred(3, 4)
    outcome = np.random.default_rng(4).random(ROWS) < 1 / (1 + np.exp(-columns[:, 0]))
    # With W = (−w/2, w/2) the norm of a group of one column is |w| / √2.
    fit = fitted(
        groups(columns, range(5)), SoftmaxLoss(outcome.astype(int), 2), np.full(4, 0.05 * np.sqrt(2))
    )

    expected = logistic(columns, outcome, penalty=0.05)
    assert fit.weights[:, 1] - fit.weights[:, 0] == pytest.approx(expected.coefficients, abs=1e-5)
    assert fit.intercepts[1] - fit.intercepts[0] == pytest.approx(expected.intercept, abs=1e-5)


@EITHER
@pytest.mark.parametrize("penalty", [0.03, 0.1])
def test_the_optimum_is_that_of_a_smooth_stand_in(three_states, penalty, solve):
    columns, codes = three_states
    starts, penalties = [0, 2, 3, 5], penalty * np.array([1.0, 2.0, 0.5])
    grouped = groups(columns, starts)

    fit = fitted(grouped, SoftmaxLoss(codes, 3), penalties, solve)

    value = fit.loss + penalties @ grouped.norms(fit.weights)
    smooth = oracle.group_softmax_by_smoothing(columns, starts, codes, 3, penalties)
    assert value == pytest.approx(smooth, abs=1e-6)
    assert 0 <= fit.gap < 1e-6


@EITHER
def test_a_group_is_in_or_out_as_a_whole(three_states, solve):
    columns, codes = three_states

    fit = fitted(groups(columns, [0, 2, 3, 5]), SoftmaxLoss(codes, 3), np.array([0.05, 0.2, np.inf]), solve)

    assert (fit.weights[:2] != 0).all()
    assert not fit.weights[2:].any()


def test_the_gap_bounds_the_distance_from_the_optimum(three_states):
    columns, codes = three_states
    grouped, loss, penalties = groups(columns, [0, 2, 3, 5]), SoftmaxLoss(codes, 3), np.full(3, 0.05)

    def objective(fit):
        return fit.loss + penalties @ grouped.norms(fit.weights)

    best = fitted(grouped, loss, penalties, tolerance=1e-10)
    for tolerance in (1e-1, 1e-2, 1e-4):
        rough = fitted(grouped, loss, penalties, tolerance=tolerance)
        assert 0 <= objective(rough) - objective(best) <= rough.gap + tolerance


@EITHER
def test_a_state_that_never_occurs_is_no_trouble(three_states, solve):
    columns, codes = three_states

    fit = fitted(groups(columns, [0, 2, 5]), SoftmaxLoss(codes, 4), np.full(2, 0.05), solve)

    expected = fitted(groups(columns, [0, 2, 5]), SoftmaxLoss(codes, 3), np.full(2, 0.05))
    assert fit.loss == pytest.approx(expected.loss, abs=1e-6)


@pytest.mark.parametrize("most", [3, 10])  # no groups fit into so few weights, or one alone
def test_where_newton_would_be_too_large_the_optimum_is_the_same(three_states, most, monkeypatch):
    columns, codes = three_states
    grouped, loss, penalties = groups(columns, [0, 2, 3, 5]), SoftmaxLoss(codes, 3), np.full(3, 0.03)
    expected = fitted(grouped, loss, penalties)
    monkeypatch.setattr(softmax_rows, "MOST_WEIGHTS", most)

    fit = fitted(grouped, loss, penalties, fit_softmax)

    assert fit.weights == pytest.approx(expected.weights, abs=1e-6)
    assert fit.loss == pytest.approx(expected.loss, abs=1e-8)

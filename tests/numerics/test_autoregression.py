"""Linear models of series beside their definitions: also where columns depend on each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from structlearn.numerics.autoregression import (
    LaggedRows,
    bic_of_order,
    bivariate_tests,
    granger_tests,
    least_squares,
    reduced_form,
    spectral_radius,
)
from structlearn.numerics.grouped_targets import GroupedTargets


def lagged(rows, k):
    return rows[k:], np.stack([rows[k - lag : len(rows) - lag] for lag in range(1, k + 1)], axis=1)


def normal(seed, n=80, p=3):
    return np.random.default_rng(seed).normal(size=(n, p))


def left_of(past, y):
    """The squares that a regression with a constant leaves, and the rank of its columns."""
    design = np.column_stack([np.ones(len(past)), past])
    return float(((y - design @ np.linalg.lstsq(design, y)[0]) ** 2).sum()), np.linalg.matrix_rank(design)


def by_two_regressions(now, past, source, target):
    """F and its p-value; dropping a source costs as many degrees of freedom as the rank falls by."""
    flat, n = past.reshape(len(past), -1), len(now)
    full, rank = left_of(flat, now[:, target])
    less, rank_without = left_of(np.delete(past, source, axis=2).reshape(n, -1), now[:, target])
    if rank == rank_without:
        return 0.0, 1.0
    f = ((less - full) / (rank - rank_without)) / (full / (n - rank))
    return f, stats.f.sf(f, rank - rank_without, n - rank)


def with_sum(rows):
    return np.column_stack([rows, rows[:, 0] + rows[:, 1]])


def with_echo(rows):
    """A column that is another a step later: at two lags one of them is there twice."""
    return np.column_stack([rows[1:], rows[:-1, 0]])


def with_constant(rows):
    return np.column_stack([rows, np.full(len(rows), 2.5)])


@pytest.mark.parametrize("change", [np.array, with_sum, with_echo, with_constant])
@pytest.mark.parametrize("k", [1, 2])
def test_a_source_is_tested_by_what_no_other_columns_can_stand_in_for(change, k):
    rows = normal(0)
    rows[1:, 1] += 0.5 * rows[:-1, 0]
    now, past = lagged(change(rows), k)
    known = LaggedRows.of(now, past)

    found = granger_tests(known, least_squares(known))

    for target in range(3):
        for source in range(now.shape[1]):
            f, p_value = by_two_regressions(now, past, source, target)
            assert found.f[target, source] == pytest.approx(f, rel=1e-6, abs=1e-9)
            assert found.p_value[target, source] == pytest.approx(p_value, rel=1e-5)


@pytest.mark.parametrize("change", [np.array, with_echo, with_constant])
@pytest.mark.parametrize("k", [1, 2])
def test_of_two_variables_each_is_tested_beside_the_past_of_the_other(change, k):
    rows = normal(0)
    rows[1:, 1] += 0.5 * rows[:-1, 0]
    now, past = lagged(change(rows), k)

    found = bivariate_tests(LaggedRows.of(now, past))

    for target in range(3):
        for source in range(now.shape[1]):
            pair = [target] if source == target else [target, source]
            f, p_value = by_two_regressions(now[:, pair], past[:, :, pair], len(pair) - 1, 0)
            assert found.f[target, source] == pytest.approx(f, rel=1e-6, abs=1e-9)
            assert found.p_value[target, source] == pytest.approx(p_value, rel=1e-5)
    assert (bivariate_tests(LaggedRows.of(now, past), lambda: True).p_value == 1.0).all()


def test_a_constant_stays_itself_and_acts_on_nothing():
    now, past = lagged(with_constant(normal(1)), 1)
    rows = LaggedRows.of(now, past)
    matrices, intercept = rows.in_units(least_squares(rows).coefficients)

    assert rows.scales[3] == rows.past_scales[3] == 1.0
    assert (rows.now[:, 3] == 0.0).all()
    assert (matrices[0][3] == 0.0).all()
    assert matrices[0][:, 3] == pytest.approx(0.0, abs=1e-12)
    assert intercept[3] == 2.5


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1e100])
def test_coefficients_in_units_predict_as_a_regression_with_a_constant_does(scale):
    now, past = lagged(normal(2) * [scale, 1.0, 3.0] + [0.0, 7.0, -2.0], 2)
    rows = LaggedRows.of(now, past)
    matrices, intercept = rows.in_units(least_squares(rows).coefficients)

    predicted = intercept + sum(past[:, place] @ matrix.T for place, matrix in enumerate(matrices))
    design = np.column_stack([np.ones(len(now)), past.reshape(len(now), -1) / np.tile([scale, 1.0, 1.0], 2)])
    expected = design @ np.linalg.lstsq(design, now / [scale, 1.0, 1.0])[0]
    assert predicted / [scale, 1.0, 1.0] == pytest.approx(expected, rel=1e-9)


def test_the_modulus_of_a_system_is_that_of_the_largest_root_of_its_polynomial():
    assert spectral_radius(np.array([[[0.81]]]), (2,)) == pytest.approx(0.9)
    a, b = 0.5, -0.7  # x_t = a x_{t-1} + b x_{t-3}
    roots = np.roots([1.0, -a, 0.0, -b])
    assert spectral_radius(np.array([[[a]], [[b]]]), (1, 3)) == pytest.approx(np.abs(roots).max())


@given(seed=st.integers(0, 1000), share=st.sampled_from([0.0, 0.1, 0.3, 1.0]))
@settings(max_examples=25, deadline=None)
def test_the_modulus_of_variables_on_no_common_cycle_is_that_of_all_together(seed, share):
    rng = np.random.default_rng(seed)
    matrices = rng.normal(size=(2, 6, 6)) * (rng.random((2, 6, 6)) < share)
    companion = np.block([[matrices[0], matrices[1]], [np.eye(6), np.zeros((6, 6))]])

    whole = np.abs(np.linalg.eigvals(companion)).max()
    # A nilpotent matrix has eigenvalues of 0, which rounding moves by a root of its size.
    assert spectral_radius(matrices, (1, 2)) == pytest.approx(whole, abs=0.1 if whole < 0.1 else 1e-6)


def test_a_series_without_noise_has_no_finite_likelihood():
    now, past = lagged(2.0 ** np.arange(6.0)[:, None], 1)

    assert least_squares(LaggedRows.of(now, past)).squares.tolist() == [0.0]
    now, past = lagged(np.ones((6, 1)), 1)
    assert bic_of_order(now, past) == (np.inf, -np.inf)


def test_without_arrows_within_a_step_nothing_is_reduced_and_paths_within_it_multiply():
    past = normal(3, 3, 3)[None]
    chain = np.array([[0.0, 0, 0], [0.5, 0, 0], [0, 0.4, 0]])

    assert reduced_form(np.zeros((3, 3)), past) == pytest.approx(past)
    total = np.array([[1.0, 0, 0], [0.5, 1, 0], [0.2, 0.4, 1]])  # .2 = .5 · .4, along the path
    assert reduced_form(chain, past)[0] == pytest.approx(total @ past[0])


@given(seed=st.integers(0, 1000), n_groups=st.sampled_from([2, 3, 6]))
@settings(max_examples=25, deadline=None)
def test_with_columns_at_right_angles_each_group_shrinks_by_its_penalty(seed, n_groups):
    rng = np.random.default_rng(seed)
    cross, penalties = rng.normal(size=(6, 2)), rng.uniform(0.0, 2.0, size=(n_groups, 2))
    penalties[0, 0], penalties[1, 1] = 0.0, np.inf
    found = GroupedTargets(np.eye(6), cross, n_groups).minimum(penalties, np.zeros((6, 2)), tolerance=1e-12)

    for group in range(n_groups):
        for target in range(2):
            part = cross[group::n_groups, target]
            share = max(1.0 - penalties[group, target] / np.linalg.norm(part), 0.0)
            assert found[group::n_groups, target] == pytest.approx(share * part, abs=1e-10)


@pytest.mark.parametrize("n_rows", [8, 60])  # of 12 columns
@pytest.mark.parametrize("likeness", [0.0, 1e-3])
def test_the_conditions_of_the_optimum_hold_for_wide_and_nearly_repeated_columns(n_rows, likeness):
    z, y = normal(4, n_rows, 12), normal(5, n_rows, 2)
    if likeness:
        z[:, 5] = z[:, 2] + likeness * z[:, 5]
    problem = GroupedTargets(z.T @ z / n_rows, z.T @ y / n_rows, 4)
    weights = problem.minimum(np.full((4, 2), 0.2), np.zeros((12, 2)), tolerance=1e-7)

    slope = z.T @ (y - z @ weights) / n_rows
    for group in range(4):
        for target in range(2):
            b, g = weights[group::4, target], slope[group::4, target]
            size = np.linalg.norm(b)
            assert np.linalg.norm(g) <= 0.2 + 1e-6
            assert size == 0.0 or g == pytest.approx(0.2 * b / size, abs=1e-6)
    assert (weights != 0.0).any()
    assert (weights == 0.0).any()


def test_how_far_from_the_optimum_zero_is_and_that_a_stop_moves_nothing():
    cross = np.array([[3.0], [1.0], [4.0], [0.0]])  # groups (3, 4) and (1, 0)
    problem, start = GroupedTargets(np.eye(4), cross, 2), np.zeros((4, 1))

    assert problem.norms(cross).tolist() == [[5.0], [1.0]]
    assert problem.violations(start, np.array([[2.0], [2.0]])).max() == pytest.approx(3.0)
    assert (problem.violations(start, np.array([[9.0], [9.0]])) <= 0.0).all()
    assert problem.minimum(np.ones((2, 1)), start, must_stop=lambda: True) is start


@pytest.mark.parametrize("n_groups", [100, 200])  # groups of two columns, and each by itself
def test_many_groups_have_the_optimum_of_all_of_them_at_once(n_groups):
    z, y = normal(6, 40, 200), normal(7, 40, 3)
    y[:, 0] += z[:, 11]
    problem = GroupedTargets(z.T @ z / 40, z.T @ y / 40, n_groups)
    penalties = np.full((n_groups, 3), 0.3)
    penalties[5], penalties[11, 1] = 0.0, np.inf

    found = problem.minimum(penalties, np.zeros((200, 3)), tolerance=1e-8)

    assert (problem.violations(found, penalties) <= 1e-8).all()
    at_once = problem.descended(penalties, np.zeros((200, 3)), 1e-8, lambda: False)
    assert found == pytest.approx(at_once, abs=1e-5)
    assert (found[11::n_groups, 1] == 0.0).all()
    assert 3 < np.count_nonzero(problem.norms(found)) < 0.4 * 3 * n_groups


def test_the_largest_eigenvalue_of_many_columns_is_never_too_small():
    z = normal(8, 300, 520)
    problem = GroupedTargets(z.T @ z / 300, z.T @ z[:, :1] / 300, 520)

    exact = np.linalg.eigvalsh(problem.gram)[-1]
    assert exact <= problem.steepest <= 1.02 * exact


def test_refitting_says_the_share_of_the_variance_that_is_explained():
    z, y = stats.zscore(normal(6, 50, 4)), stats.zscore(normal(7, 50, 1))
    problem = GroupedTargets(z.T @ z / 50, z.T @ y / 50, 4)
    weights, share = problem.refitted(0, np.array([1, 3]))

    assert weights == pytest.approx(np.linalg.lstsq(z[:, [1, 3]], y[:, 0])[0])
    assert share == pytest.approx(1.0 - left_of(z[:, [1, 3]], y[:, 0])[0] / 50)
    assert problem.refitted(0, np.array([], dtype=np.int64))[1] == 0.0


@pytest.mark.parametrize(("n_lags", "likeness"), [(1, 0.3), (2, 0.3), (1, 1e-5)])
def test_many_columns_are_regressed_on_by_their_products_unless_they_nearly_depend(
    n_lags, likeness, monkeypatch
):
    rng = np.random.default_rng(0)
    series = rng.normal(size=(60, 8))
    series[:, 1] = series[:, 0] + likeness * series[:, 1]
    past = np.stack([series[2 - lag : -lag or None][:58] for lag in range(1, n_lags + 1)], axis=1)
    rows = LaggedRows.of(series[2:], past)
    plain = least_squares(rows)
    monkeypatch.setattr("structlearn.numerics.autoregression.MANY_COLUMNS", 8)

    quick = least_squares(rows)

    assert (quick.inverse is None) == (likeness < 1e-3)
    assert quick.coefficients == pytest.approx(plain.coefficients, rel=1e-8, abs=1e-10)
    assert quick.squares == pytest.approx(plain.squares, rel=1e-9)
    assert quick.rank == plain.rank
    assert granger_tests(rows, quick).f == pytest.approx(granger_tests(rows, plain).f, rel=1e-6, abs=1e-9)


def test_what_follows_without_error_is_not_told_by_products(monkeypatch):
    monkeypatch.setattr("structlearn.numerics.autoregression.MANY_COLUMNS", 2)
    before = np.random.default_rng(0).normal(size=(40, 3))
    rows = LaggedRows.of(before[:, [1, 2, 0]], before[:, None])

    assert least_squares(rows).squares.tolist() == [0.0, 0.0, 0.0]

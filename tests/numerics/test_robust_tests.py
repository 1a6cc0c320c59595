"""Robust tests beside their definition in plain loops, and their level where errors vary."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.numerics.autoregression import LaggedRows, granger_tests, least_squares
from structlearn.numerics.robust_tests import bandwidth, robust_tests
from tests.learners.time.series import autoregressive, named


def lagged(series, k):
    past = np.stack([series[k - lag : len(series) - lag] for lag in range(1, k + 1)], axis=1)
    return series[k:], past


def by_hand(now, past, moments, target, source, *, centred):
    """F and its p-value, with a constant among the columns and the sums over pairs of rows written out."""
    n, k, p = past.shape
    design = np.column_stack([np.ones(n), past.reshape(n, -1)])[:, 0 if centred else 1 :]
    weights = np.linalg.lstsq(design, now[:, target])[0]
    errors = now[:, target] - design @ weights
    most = int(4 * (n / 100) ** (2 / 9))
    spread = np.zeros((design.shape[1], design.shape[1]))
    for i in range(n):
        for j in range(n):
            apart = abs(moments[i] - moments[j])
            if apart <= most:
                spread += (1 - apart / (most + 1)) * errors[i] * errors[j] * np.outer(design[i], design[j])
    inverse = np.linalg.inv(design.T @ design)
    dof = n - design.shape[1]
    covariance = inverse @ spread @ inverse * n / dof
    group = [centred + lag * p + source for lag in range(k)]
    inside = np.linalg.inv(covariance[np.ix_(group, group)])
    f = weights[group] @ inside @ weights[group] / k
    return f, stats.f.sf(f, k, dof)


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("k", [1, 2])
def test_they_are_what_they_say_also_over_gaps_and_the_ends_of_series(k, centred):
    now, past = lagged(autoregressive([np.array([[0.5, 0.2], [0.0, 0.4]])], 40, np.random.default_rng(0)), k)
    moments = np.arange(len(now)) + np.repeat([0, 3, 500], [10, 15, len(now) - 25])
    rows = LaggedRows.of(now, past, centred=centred)

    found = robust_tests(rows, least_squares(rows), moments)

    for target in range(2):
        for source in range(2):
            f, p_value = by_hand(now, past, moments, target, source, centred=centred)
            assert found.f[target, source] == pytest.approx(f)
            assert found.p_value[target, source] == pytest.approx(p_value)


def test_the_bandwidth_is_that_of_the_usual_rule():
    assert [bandwidth(n) for n in (10, 100, 273, 1000)] == [2, 4, 5, 6]  # 4(n/100)^(2/9) rounded down


def test_a_constant_acts_on_nothing_and_time_may_be_up():
    series = np.random.default_rng(0).normal(size=(50, 3))
    series[:, 1] = 2.0
    rows = LaggedRows.of(*lagged(series, 1))

    found = robust_tests(rows, least_squares(rows), np.arange(49))
    stopped = robust_tests(rows, least_squares(rows), np.arange(49), lambda: True)

    assert (found.f[1], found.f[:, 1]) == (pytest.approx([0.0] * 3), pytest.approx([0.0] * 3))
    assert (stopped.f.any(), (stopped.p_value == 1.0).all()) == (False, True)


def test_what_follows_without_error_is_sure():
    x = np.random.default_rng(0).normal(size=50)
    rows = LaggedRows.of(*lagged(np.column_stack([x, np.concatenate([[0.0], x[:-1]])]), 1))

    found = robust_tests(rows, least_squares(rows), np.arange(49))

    assert (found.f[1, 0], found.p_value[1, 0]) == (np.inf, 0.0)
    assert np.isfinite(found.f[0]).all()


def rejected(test, n_runs=150):
    """How often y is said to follow from x, at .05: its errors are large where x is, and tell nothing."""
    n_rejected = 0
    for seed in range(n_runs):
        x, e = np.random.default_rng(seed).normal(size=(2, 201))
        y = np.concatenate([[0.0], e[1:] * x[:-1]])
        rows = LaggedRows.of(*lagged(np.column_stack([x, y]), 1))
        n_rejected += test(rows).p_value[1, 0] < 0.05
    return n_rejected / n_runs


def test_the_level_holds_where_errors_are_large_where_the_source_is():
    plain = rejected(lambda rows: granger_tests(rows, least_squares(rows)))
    robust = rejected(lambda rows: robust_tests(rows, least_squares(rows), np.arange(rows.n_rows)))

    assert plain > 0.15
    assert robust < 0.11


def test_the_learner_takes_them_for_granger_alone():
    table = named(autoregressive([np.array([[0.5, 0.0], [0.6, 0.3]])], 150, np.random.default_rng(0)))

    plain, robust = (sl.SparseVAR(method="granger", robust=r).fit(table) for r in (False, True))

    assert set(robust.graph_.directed) == set(plain.graph_.directed)
    assert (robust.f_ != plain.f_).all()
    assert robust.f_ == pytest.approx(plain.f_, rel=0.6)  # errors here are as usual
    for method in ("group-lasso", "bivariate-granger"):
        with pytest.raises(sl.OptionError, match="this is for method='granger'"):
            sl.SparseVAR(method=method, robust=True).fit(table)


def test_columns_that_say_nothing_are_as_if_they_were_not_there():
    now, past = lagged(autoregressive([np.diag([0.5, 0.3, 0.0])], 80, np.random.default_rng(5)), 2)
    both, moments = LaggedRows.of(now, past), np.arange(len(now))
    some = both.only(np.arange(6) < 3)  # the first lag alone

    found = robust_tests(some, least_squares(some), moments)

    alone = LaggedRows.of(now, past[:, :1])
    expected = robust_tests(alone, least_squares(alone), moments)
    np.testing.assert_allclose(found.f, expected.f, rtol=1e-8)
    np.testing.assert_allclose(found.p_value, expected.p_value, rtol=1e-8)

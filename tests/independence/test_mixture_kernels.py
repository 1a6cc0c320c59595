"""Likelihood ratios within groups are those of regressions on the rows."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from structlearn.independence.kernels.gamma_functions import digamma, trigamma
from structlearn.independence.kernels.mixtures import pool, ratios_of_groups, ratios_of_regressions, sweep

TOLERANCE = 1e-10


def moments(groups):
    """Sizes, means and centred products of groups of rows, as kernels take them for one question."""
    sizes = np.array([[len(rows) for rows in groups]], dtype=float)
    means = np.array([[rows.mean(axis=0) for rows in groups]])
    products = np.array([[(rows - rows.mean(axis=0)).T @ (rows - rows.mean(axis=0)) for rows in groups]])
    return sizes, means, products


def squares(rows, target, given_columns):
    """What a regression with an intercept leaves."""
    design = np.column_stack([np.ones(len(rows)), rows[:, given_columns]])
    left = rows[:, target] - design @ np.linalg.lstsq(design, rows[:, target], rcond=None)[0]
    return (left**2).sum()


def random_groups(seed, sizes, n_columns):
    rng = np.random.default_rng(seed)
    return [
        rng.normal(size=(n, n_columns)) @ rng.normal(size=(n_columns, n_columns)) + rng.normal()
        for n in sizes
    ]


def moments_of_logs(free, n_whole):
    """Mean and variance of -Σ ν ln share, where shares are of Dirichlet's distribution."""
    free = np.array(free)
    mean = (free * (special.digamma(n_whole / 2) - special.digamma(free / 2))).sum()
    variance = (free**2 * special.polygamma(1, free / 2)).sum() - free.sum() ** 2 * special.polygamma(
        1, n_whole / 2
    )
    return mean, variance


@pytest.mark.parametrize("x", [0.05, 0.5, 1.0, 2.5, 7.9, 8.0, 30.0, 1e6])
def test_derivatives_of_the_log_gamma_function_are_those_of_scipy(x):
    assert digamma(x) == pytest.approx(special.digamma(x), rel=1e-12, abs=1e-13)
    assert trigamma(x) == pytest.approx(special.polygamma(1, x), rel=1e-12)


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(0, 3))
def test_sweeping_takes_out_what_the_first_columns_explain(seed, n_swept):
    (rows,) = random_groups(seed, [20], 4)
    work = moments([rows])[2][0, 0].copy()

    rank = sweep(work, n_swept, TOLERANCE)

    assert rank == n_swept
    for column in range(n_swept, 4):
        assert work[column, column] == pytest.approx(squares(rows, column, range(n_swept)))


def test_a_column_that_those_before_it_determine_explains_nothing():
    rng = np.random.default_rng(0)
    a, y = rng.normal(size=(2, 20))
    rows = np.column_stack([a, 2 * a + 1, y])
    work = moments([rows])[2][0, 0].copy()

    assert sweep(work, 2, TOLERANCE) == 1
    assert work[2, 2] == pytest.approx(squares(rows, 2, [0]))


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(0, 2))
def test_two_columns_are_compared_by_regressions_without_and_with_each_other(seed, n_given):
    groups = random_groups(seed, [15, 25, 2], n_given + 2)
    sizes, _, products = moments(groups)
    statistic, dof, contrast = np.empty(1), np.empty(1), np.empty((1, 3))

    ratios_of_regressions(sizes, products, TOLERANCE, statistic, dof, contrast)

    wanted, of_contrast = 0.0, np.zeros(3)
    for rows in groups[:2]:  # the last has too few
        without = squares(rows, n_given, range(n_given))
        beside = squares(rows, n_given, [*range(n_given), n_given + 1])
        wanted += len(rows) * math.log(without / beside)
        nu = len(rows) - n_given - 2
        mean, variance = moments_of_logs([nu], nu + 1)
        of_contrast += nu * math.log(without / beside), mean, variance
    assert statistic[0] == pytest.approx(wanted, abs=1e-9)
    assert contrast[0] == pytest.approx(of_contrast, abs=1e-9)
    assert dof[0] == 2


def test_a_group_in_which_the_conditions_determine_a_column_counts_for_nothing():
    rng = np.random.default_rng(1)
    z, y = rng.normal(size=(2, 20))
    groups = [np.column_stack([z, 3 * z, y]), rng.normal(size=(20, 3))]
    sizes, _, products = moments(groups)
    statistic, dof, contrast = np.empty(1), np.empty(1), np.empty((1, 3))

    ratios_of_regressions(sizes, products, TOLERANCE, statistic, dof, contrast)

    rows = groups[1]
    assert dof[0] == 1
    assert statistic[0] == pytest.approx(20 * math.log(squares(rows, 1, [0]) / squares(rows, 1, [0, 2])))


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(1, 3))
def test_groups_of_a_stratum_are_compared_with_all_their_rows_together(seed, n_columns):
    groups = random_groups(seed, [12, 15, 20, 18], n_columns)
    sizes, means, products = moments(groups)
    statistic, dof, contrast = np.empty(1), np.empty(1), np.empty((1, 4))

    ratios_of_groups(sizes, means, products, np.array([2, 4]), TOLERANCE, statistic, dof, contrast)

    wanted, of_contrast = 0.0, np.zeros(4)
    last, before = n_columns - 1, range(n_columns - 1)
    for stratum in (groups[:2], groups[2:]):
        together = np.concatenate(stratum)
        whole, parts = squares(together, last, before), [squares(rows, last, before) for rows in stratum]
        wanted += len(together) * math.log(whole / len(together))
        for rows, part in zip(stratum, parts, strict=True):
            wanted -= len(rows) * math.log(part / len(rows))
        free = [len(rows) - n_columns for rows in stratum]
        shift = sum(nu * math.log(nu / sum(free)) for nu in free)
        mean, variance = moments_of_logs(free, len(together) - n_columns)
        bartlett = sum(nu * math.log(whole / part) for nu, part in zip(free, parts, strict=True))
        of_means = sum(free) * math.log(whole / sum(parts))
        of_contrast += bartlett + shift, mean + shift, variance, bartlett + shift - of_means
    assert statistic[0] == pytest.approx(wanted, abs=1e-8)
    assert contrast[0] == pytest.approx(of_contrast, abs=1e-8)
    assert dof[0] == 2 * (n_columns + 1)  # slopes, intercept and variance of one group more, per stratum


def test_the_worked_example():
    # From docs/references/independence.md#mixed-columns.
    groups = [np.array([[1.0], [2.0], [3.0]]), np.array([[4.0], [6.0], [8.0]])]
    sizes, means, products = moments(groups)
    statistic, dof, contrast = np.empty(1), np.empty(1), np.empty((1, 4))

    ratios_of_groups(sizes, means, products, np.array([2]), TOLERANCE, statistic, dof, contrast)

    assert (statistic[0], dof[0]) == pytest.approx((8.681514, 2), abs=1e-6)
    assert contrast[0, :3] == pytest.approx((5.787676, 2.348900, 5.313748), abs=1e-6)


def test_a_group_that_is_alone_in_its_stratum_says_nothing():
    groups = random_groups(0, [10, 2, 10], 2)
    sizes, means, products = moments(groups)
    statistic, dof, contrast = np.empty(1), np.empty(1), np.empty((1, 4))

    # The second has too few rows, so that the first stratum has one group left; the second has one only.
    ratios_of_groups(sizes, means, products, np.array([2, 3]), TOLERANCE, statistic, dof, contrast)

    assert (statistic[0], dof[0]) == (0.0, 0.0)


@settings(deadline=None)
@given(st.integers(0, 1000), st.lists(st.booleans(), min_size=3, max_size=3))
def test_pooled_moments_are_those_of_the_rows_together(seed, kept):
    groups = random_groups(seed, [4, 7, 5], 2)
    sizes, means, products = moments(groups)

    pooled, size, n_kept = pool(sizes[0], means[0], products[0], 0, 3, np.array(kept))

    rows = [rows for rows, is_kept in zip(groups, kept, strict=True) if is_kept]
    assert n_kept == len(rows)
    assert size == sum(map(len, rows))
    if rows:
        together = np.concatenate(rows)
        apart = together - together.mean(axis=0)
        assert pooled == pytest.approx(apart.T @ apart, abs=1e-9)

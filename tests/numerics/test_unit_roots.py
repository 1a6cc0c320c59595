"""The test of Dickey and Fuller beside its regression, and how often it speaks.

Numbers: docs/references/time.md#a-series-of-twelve-steps.
"""

import numpy as np
import pytest

from structlearn.numerics.unit_roots import (
    STAYS,
    STAYS_BY_A_LINE,
    UNIT_ROOT,
    UNIT_ROOT_BESIDE_A_LINE,
    dickey_fuller,
    first_correlation,
    kpss,
    may_wander,
)
from tests.learners.time.series import W


def courses(a, n=300, n_columns=200, seed=0):
    """Columns that keep a share `a` of themselves from row to row."""
    noise = np.random.default_rng(seed).normal(size=(n + 100, n_columns))
    for t in range(1, len(noise)):
        noise[t] += a * noise[t - 1]
    return noise[100:]


def by_hand(x):
    """The t of x[t-1] in x[t] − x[t-1] = c + b·x[t-1] + d·(x[t-1] − x[t-2]) + e."""
    step = x[1:] - x[:-1]
    design = np.column_stack([np.ones(len(x) - 2), x[1:-1], step[:-1]])
    inverse = np.linalg.inv(design.T @ design)
    weights = inverse @ design.T @ step[1:]
    left = step[1:] - design @ weights
    return weights[1] / np.sqrt(left @ left / (len(left) - 3) * inverse[1, 1])


@pytest.mark.parametrize("scale", [1e-50, 1.0, 1e50])
def test_it_is_the_t_of_a_regression(scale):
    columns = np.column_stack([courses(a, n_columns=1, n=40) for a in (0.0, 0.8, 1.0)])

    assert dickey_fuller(scale * columns + scale) == pytest.approx([by_hand(x) for x in columns.T])


def test_a_line_and_a_constant_have_nothing_to_pull_them_back():
    straight = np.column_stack([np.arange(30.0), np.full(30, 1.0772833913)])

    assert dickey_fuller(straight).tolist() == [0.0, 0.0]
    assert first_correlation(straight)[1] == 0.0


def test_the_correlation_of_a_small_series_is_what_is_worked_out():
    x = W["x"][:, None]

    assert first_correlation(x) == pytest.approx([0.6836339], abs=1e-7)
    assert first_correlation(np.diff(x, axis=0)) == pytest.approx([-0.5561497], abs=1e-7)


def test_one_walk_in_twenty_is_taken_for_one_that_is_pulled_back_and_nearly_all_that_are():
    walks, pulled = dickey_fuller(courses(1.0)), dickey_fuller(courses(0.8))

    assert 0.015 <= np.mean(walks < UNIT_ROOT) <= 0.1  # of 200; .05 asked for, by Fuller's table
    assert np.mean(pulled < UNIT_ROOT) == 1.0


@pytest.mark.parametrize("n", [100, 150, 300])
def test_walks_may_wander_in_few_rows_too_and_what_forgets_may_not(n):
    walks, forgets = (may_wander(first_correlation(courses(a, n)), n) for a in (1.0, 0.7))

    assert 0.88 <= walks.mean() <= 0.99  # of 200; .95 by Fuller's table, and their mean is not quite known
    assert forgets.mean() == 0.0


def kpss_by_hand(x, *, line):
    n = len(x)
    t = np.arange(n)
    design = np.column_stack([np.ones(n), t]) if line else np.ones((n, 1))
    left = x - design @ np.linalg.solve(design.T @ design, design.T @ x)
    m = int(np.floor(12 * (n / 100) ** 0.25))
    total, sums = 0.0, 0.0
    for lag in range(m + 1):
        product = sum(left[t] * left[t - lag] for t in range(lag, n)) / n
        total += product if lag == 0 else 2 * (1 - lag / (m + 1)) * product
    for t in range(n):
        sums += sum(left[: t + 1]) ** 2
    return sums / n**2 / total


@pytest.mark.parametrize("line", [False, True])
@pytest.mark.parametrize("scale", [1e-50, 1.0, 1e50])
def test_sums_go_as_far_from_zero_as_loops_find(scale, line):
    columns = np.column_stack([courses(a, n_columns=1, n=60) for a in (0.0, 0.8, 1.0)])

    found = kpss(scale * columns + scale, line=line)

    assert found == pytest.approx([kpss_by_hand(x, line=line) for x in columns.T])


@pytest.mark.parametrize(("line", "most"), [(False, STAYS), (True, STAYS_BY_A_LINE)])
def test_one_series_that_stays_in_twenty_is_taken_for_one_that_wanders_and_most_that_do(line, most):
    slopes = np.arange(300.0)[:, None] * line

    for a in (0.0, 0.5):
        assert 0.02 <= np.mean(kpss(courses(a, n_columns=1000) + slopes, line=line) > most) <= 0.08
    assert np.mean(kpss(courses(1.0), line=line) > most) > 0.7


def test_beside_a_line_one_walk_in_twenty_is_taken_for_one_that_is_pulled_back():
    slopes = np.arange(300.0)[:, None]

    assert (
        0.02
        <= np.mean(dickey_fuller(courses(1.0, n_columns=400) + slopes, line=True) < UNIT_ROOT_BESIDE_A_LINE)
        <= 0.1
    )
    assert np.mean(dickey_fuller(courses(0.7) + slopes, line=True) < UNIT_ROOT_BESIDE_A_LINE) == 1.0


def test_a_constant_and_a_line_leave_no_sums():
    straight = np.column_stack([np.arange(30.0), np.full(30, 1.0772833913)])

    assert kpss(straight, line=True).tolist() == [0.0, 0.0]
    assert kpss(straight)[1] == 0.0
    assert kpss(straight[:1]).tolist() == [0.0, 0.0]

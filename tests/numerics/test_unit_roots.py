"""The test of Dickey and Fuller beside its regression, and how often it speaks.

Numbers: docs/references/time.md#a-series-of-twelve-steps.
"""

import numpy as np
import pytest

from structlearn.numerics.unit_roots import UNIT_ROOT, dickey_fuller, first_correlation, may_wander
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

"""Rates of change: each rule is exact where it should be."""

import numpy as np
import pytest

from structlearn.learners.network.dynamics.rates import RULES, rates_of, steps_as_rates
from structlearn.statistics.time_courses import Course


def course_of(times, *columns, replicates=None):
    times = np.asarray(times, dtype=np.float64)
    counts = np.ones(len(times), dtype=np.int64) if replicates is None else np.asarray(replicates)
    return Course(None, times, np.column_stack(columns).astype(np.float64), counts)


UNEVEN = np.array([0.0, 0.3, 1.0, 1.2, 2.5, 3.0, 3.1])


def test_a_spline_is_exact_on_cubics_whatever_the_times():
    found = rates_of([course_of(UNEVEN, UNEVEN**3 - UNEVEN)], "spline")

    assert found.rates[:, 0] == pytest.approx(3 * UNEVEN**2 - 1)
    assert found.states[:, 0] == pytest.approx(UNEVEN**3 - UNEVEN)


def test_a_smoothing_spline_follows_a_line_and_smooths_noise():
    rng = np.random.default_rng(0)
    times = np.linspace(0, 6, 60)
    noisy = np.sin(times) + 0.1 * rng.normal(size=60)
    course = course_of(times, noisy, 2 * times + 1)

    smooth, rough = rates_of([course], "smoothing-spline"), rates_of([course], "spline")

    assert smooth.rates[:, 1] == pytest.approx(2.0)
    errors = [np.abs(found.rates[:, 0] - np.cos(times)).mean() for found in (smooth, rough)]
    assert errors[0] < 0.3 * errors[1]
    assert np.abs(smooth.states[:, 0] - np.sin(times)).mean() < np.abs(noisy - np.sin(times)).mean()


def test_a_constant_column_has_no_rate_under_any_rule():
    for rule in RULES:
        assert not rates_of([course_of(UNEVEN, np.full(7, 2.5))], rule).rates.any()


def test_differences_go_with_the_state_before_and_midpoints_with_the_mean():
    course = course_of([0, 1, 3], [1, 4, 6])

    forward, middle = rates_of([course], "difference"), rates_of([course], "midpoint")

    assert forward.rates[:, 0].tolist() == middle.rates[:, 0].tolist() == [3.0, 1.0]
    assert forward.states[:, 0].tolist() == [1.0, 4.0]
    assert middle.states[:, 0].tolist() == [2.5, 5.0]


def test_a_course_too_short_for_a_spline_is_differenced():
    short = course_of([0, 1, 3], [1, 4, 6])

    assert rates_of([short], "spline").rates.tolist() == rates_of([short], "difference").rates.tolist()
    four = course_of([0, 1, 2, 3], [0, 1, 8, 27])
    assert rates_of([four], "smoothing-spline").rates[:, 0] == pytest.approx([0, 3, 12, 27])


def test_courses_are_never_differenced_across_their_boundary():
    found = rates_of([course_of([0, 1], [0, 1]), course_of([0, 2], [100, 104])], "difference")

    assert found.rates[:, 0].tolist() == [1.0, 2.0]
    assert found.course.tolist() == [0, 1]


def test_precision_grows_with_the_square_of_the_step_and_with_replicates():
    found = rates_of([course_of([0, 1, 3, 5], [1, 4, 6, 7], replicates=[1, 1, 1, 4])], "difference")

    assert found.precision == pytest.approx([1 / 2, 4 / 2, 4 / 1.25])


def test_steps_go_from_each_state_to_the_next():
    found = steps_as_rates([course_of([0, 1, 2], [1, 4, 6])])

    assert found.states[:, 0].tolist() == [1.0, 4.0]
    assert found.rates[:, 0].tolist() == [4.0, 6.0]

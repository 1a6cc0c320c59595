"""Interpolated courses: through the points, never beyond them, and no more information than before."""

import numpy as np
import pytest

from structlearn.learners.network.dynamics.interpolated import (
    interpolated,
    numerical_rank,
    on_a_grid,
    usual_step,
)
from structlearn.statistics.time_courses import Course

TIMES = np.array([0.0, 0.4, 1.0, 1.7, 2.0, 3.1, 3.5, 5.0])
RANDOM = Course(None, TIMES, np.random.default_rng(0).normal(size=(8, 20)), np.ones(8, dtype=np.int64))


@pytest.mark.parametrize("interpolant", ["cubic", "pchip", "linear"])
def test_the_curve_passes_through_the_measured_points(interpolant):
    assert interpolated(RANDOM, interpolant, TIMES) == pytest.approx(RANDOM.states, abs=1e-12)


def test_an_interpolant_linear_in_the_data_has_no_more_rank_than_times_and_pchip_seems_to():
    fine = 5.0 / 199
    ranks = {
        interpolant: numerical_rank(on_a_grid(RANDOM, interpolant, fine).states)
        for interpolant in ("cubic", "linear", "pchip")
    }

    assert ranks["cubic"] == 8
    assert ranks["linear"] == 8
    assert ranks["pchip"] > 8


def test_nothing_is_extrapolated_and_the_grid_is_even():
    grid = on_a_grid(RANDOM, "cubic", 0.3)

    assert grid.times[0] == 0.0
    assert grid.times[-1] <= 5.0 < grid.times[-1] + 0.3
    assert np.diff(grid.times) == pytest.approx(np.full(16, 0.3))


def test_a_step_that_fits_hits_the_last_time():
    assert on_a_grid(RANDOM, "linear", 0.1).times[-1] == pytest.approx(5.0)


@pytest.mark.parametrize("interpolant", ["cubic", "pchip", "linear"])
def test_two_points_are_joined_by_a_line(interpolant):
    course = Course(None, np.array([1.0, 2.0]), np.array([[0.0], [4.0]]), np.ones(2, dtype=np.int64))

    assert on_a_grid(course, interpolant, 0.25).states[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_the_usual_step_is_a_tenth_of_the_shortest_gap_of_any_course():
    other = Course("b", np.array([0.0, 0.2, 9.0]), np.zeros((3, 20)), np.ones(3, dtype=np.int64))

    assert usual_step([RANDOM, other]) == pytest.approx(0.02)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_the_unit_of_the_states_changes_no_rank(unit):
    assert numerical_rank(unit * np.outer(np.arange(1.0, 5.0), np.ones(3))) == 1
